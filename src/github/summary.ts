import { appendFile, stat } from 'node:fs/promises'
import type { Environment } from './event.ts'
import { cutToBytes, LIMITS, utf8Bytes } from './limits.ts'

export type SummaryOutcome = { readonly kind: 'written'; readonly shortened: boolean } | { readonly kind: 'skipped'; readonly why: string }

/** Appends the fullest version that fits to the job summary: above 1 MiB the runner drops the whole. `bodies`: fullest first. */
export async function writeSummary(bodies: readonly string[], env: Environment): Promise<SummaryOutcome> {
  const file = env['GITHUB_STEP_SUMMARY']
  if (file === undefined || file === '') return { kind: 'skipped', why: 'GITHUB_STEP_SUMMARY is not set' }
  const used = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  const room = LIMITS.step_summary_bytes - used
  const shortest = bodies.at(-1)
  if (shortest === undefined || room < 1_000) return { kind: 'skipped', why: 'there is no room left in the job summary' }
  const fitting = bodies.find((body) => utf8Bytes(body) < room) ?? cutToBytes(shortest, room - 1)
  await appendFile(file, `${fitting}\n`)
  return { kind: 'written', shortened: fitting !== bodies[0] }
}
