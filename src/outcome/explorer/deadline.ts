import type { Page } from 'playwright-core'
import { answerOf } from '../silence.ts'

/** The page did not answer in time: it loops or its process is gone. */
export class PageSilent extends Error {
  override readonly name = 'PageSilent'
}

/** A mistake of ours, as against trouble that the page or the browser makes. */
export function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}

/** Resolves as `work` does, or throws `PageSilent` when the page was silent for `ms` milliseconds and had its turn meanwhile (see `Silence`). */
export async function within<T>(page: Page, ms: number, work: Promise<T>): Promise<T> {
  const answer = await answerOf(page.context().browser(), ms, work)
  if (answer === null) throw new PageSilent(`the page did not answer within ${ms} ms`)
  return answer.value
}
