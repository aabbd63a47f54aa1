import type { GateContext } from '../gate/context.ts'
import { findDrift } from '../gate/pool.ts'
import type { RunConfig } from '../model/config.ts'
import type { FoundBaseline } from './find-baseline.ts'

/** What the gate must know besides the tasks, when all planned trials were made. */
export function gateContext(
  baseline: FoundBaseline,
  differences: readonly string[],
  accepted: Pick<RunConfig, 'accepted_removals' | 'accepted_changes'>,
): GateContext {
  return {
    today: new Date().toISOString().slice(0, 10),
    fingerprint_differences: differences,
    no_baseline: baseline.origin.kind === 'none' ? baseline.origin.why : null,
    incomplete: null,
    accepted_removals: accepted.accepted_removals,
    accepted_changes: accepted.accepted_changes,
  }
}

/** Tells a reader that the change edits what it is judged by. */
export function examNotice(baseline: FoundBaseline): string[] {
  const files = baseline.exam_edits
  if (files.length === 0) return []
  const shown = files.slice(0, 5).join(', ')
  const more = files.length > 5 ? ` and ${files.length - 5} more` : ''
  const effect =
    baseline.origin.kind === 'paired' ? 'both builds ran the tasks as edited' : 'the baseline was read from the base commit all the same'
  return [`This change edits its own exam (${shown}${more}); ${effect}.`]
}

/** Tells a reader that the baseline itself moved while no plugin did: the world has changed, and a comparison with it may mislead. */
export function driftNotice({ file, origin }: FoundBaseline): string[] {
  const drifting = file === null || origin.kind === 'paired' ? [] : findDrift(file)
  if (drifting.length === 0) return []
  const named = drifting.slice(0, 5).map(({ task_id: id, older, newer }) => `${id} (${older.c}/${older.n} → ${newer.c}/${newer.n})`)
  const more = drifting.length > 5 ? ` and ${drifting.length - 5} more` : ''
  return [
    `The baseline drifts: its newer refreshes differ from its older ones beyond chance in ${named.join(', ')}${more}. The model or its surroundings may have changed; a paired run (input "paired") is immune to that.`,
  ]
}
