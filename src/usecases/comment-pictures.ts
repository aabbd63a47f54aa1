import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { EventFacts } from '../github/event.ts'
import { safeId } from '../github/marker.ts'
import type { Picture, PicturePlan } from '../github/pictures.ts'
import type { Results } from '../model/results.ts'
import { screenshotOf } from '../report/failing-trial.ts'
import { failingTrials, reportedTasks } from '../report/selection.ts'

const MOST_PICTURES = 6
const MOST_BYTES = 2 * 2 ** 20

export type PictureChoice =
  | { readonly kind: 'publish'; readonly plan: PicturePlan }
  /** `why` in one sentence; null when there is nothing to show. */
  | { readonly kind: 'none'; readonly why: string | null }

/**
 * Screenshots that the comment shows: of the first failing trial of each regressed task. Only where everybody may see the repository anyway, and
 * only by a token that may write; what a fork's run uploaded is never among them, for its paths are dropped.
 */
export async function choosePictures(results: Results, runFolder: string, event: EventFacts, commentId: string): Promise<PictureChoice> {
  if (!event.is_public || event.urls.server !== 'https://github.com') {
    return { kind: 'none', why: 'inline-images is for public repositories on github.com: elsewhere a comment cannot show them' }
  }
  if (!event.can_write || event.pull_number === null) return { kind: 'none', why: null }
  const firsts = new Map<string, string>()
  for (const { task, trial, check } of failingTrials(reportedTasks(results))) {
    const path = screenshotOf(trial, check)
    if (task.verdict.status === 'regressed' && path !== undefined && !firsts.has(trial.task_id)) firsts.set(trial.task_id, path)
  }
  const pictures: Picture[] = []
  for (const [task, path] of [...firsts].slice(0, MOST_PICTURES)) {
    const png = await readPng(runFolder, path)
    if (png !== null) pictures.push({ key: path, name: `${safeId(task)}.png`, png })
  }
  if (pictures.length === 0) return { kind: 'none', why: null }
  return { kind: 'publish', plan: { branch: `genui-eval-pictures/pr-${event.pull_number}-${safeId(commentId)}`, pictures } }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const LAST_CHUNK = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])

/** A whole PNG inside the run folder, read again from the disk; null for anything else. */
async function readPng(runFolder: string, path: string): Promise<Buffer | null> {
  try {
    const file = await realpath(join(runFolder, path))
    const { size } = await stat(file)
    if (!file.startsWith((await realpath(runFolder)) + sep) || size > MOST_BYTES) return null
    const bytes = await readFile(file)
    const whole = bytes.subarray(0, 8).equals(SIGNATURE) && bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    return whole && bytes.length <= MOST_BYTES ? bytes : null
  } catch {
    return null
  }
}
