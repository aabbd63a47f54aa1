import type { GateSettings, GateTask, TrialOutcome } from '../model/verdict.ts'
import type { PairedLook } from '../statistics/paired-test.ts'
import type { Look } from '../statistics/staged-test.ts'
import { countTrials } from './count-trials.ts'
import { stagesOf } from './design.ts'

/**
 * The looks at a task: the whole design, taken and untaken, with what was counted at each look taken. `n` are counted trials, fewer than
 * planned where infrastructure failed. Against a stored baseline only head grows; in a paired run both builds do.
 */
export type TaskLooks =
  | {
      readonly kind: 'stored'
      readonly looks: readonly Look[]
      /** Head's failures at each look taken. */
      readonly failures: readonly number[]
    }
  | {
      readonly kind: 'paired'
      readonly looks: readonly PairedLook[]
      readonly base_failures: readonly number[]
      readonly failures: readonly number[]
    }

/** The looks at a task of which head and baseline are counted. */
export function looksAt(task: GateTask, settings: GateSettings): TaskLooks {
  const { head_trials: head, baseline_trials: base } = task
  if (head === undefined) {
    const { n, c } = task.head ?? { n: 0, c: 0 }
    return { kind: 'stored', looks: [{ n, share: 1 }], failures: [n - c] }
  }
  const stages = stagesOf(settings.k, settings.max_trials)
  const taken = stages.filter(({ n }) => n <= Math.min(head.length, base?.length ?? Infinity))
  const now = growth(head, stages, taken.length)
  if (base === undefined) {
    return { kind: 'stored', looks: stages.map(({ share }, look) => ({ n: now.counted[look] ?? 0, share })), failures: now.failures }
  }
  const before = growth(base, stages, taken.length)
  const looks = stages.map(({ share }, look) => ({ base_n: before.counted[look] ?? 0, head_n: now.counted[look] ?? 0, share }))
  return { kind: 'paired', looks, base_failures: before.failures, failures: now.failures }
}

/** Counted trials at every look, and failures at those taken. What infrastructure cost so far is missing from the looks to come too. */
function growth(trials: readonly TrialOutcome[], stages: readonly Look[], taken: number): { counted: number[]; failures: number[] } {
  const counts = stages.slice(0, taken).map(({ n }) => countTrials(trials.slice(0, n)))
  const lost = (stages[taken - 1]?.n ?? 0) - (counts.at(-1)?.n ?? 0)
  return { counted: stages.map(({ n }, look) => counts[look]?.n ?? n - lost), failures: counts.map(({ n, c }) => n - c) }
}
