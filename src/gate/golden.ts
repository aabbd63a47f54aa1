import type { GateSettings, GateTask } from '../model/verdict.ts'
import { binomialAtMost } from '../statistics/distributions.ts'
import { stagesOf } from './design.ts'
import { countTrials } from './count-trials.ts'

/**
 * Evidence that a golden task's pass rate lies below the floor, whatever the baseline says: the smallest of (exact binomial p-value at a
 * look ÷ the look's share of the budget), at most 1. Null when nothing was counted.
 */
export function belowFloorP(task: GateTask, settings: GateSettings): number | null {
  const { head, head_trials: trials } = task
  if (head === null || head.n === 0) return null
  if (trials === undefined) return binomialAtMost(head.c, head.n, settings.golden_floor)
  let smallest = 1
  for (const { n, share } of stagesOf(settings.k, settings.max_trials)) {
    if (trials.length < n) break
    const counts = countTrials(trials.slice(0, n))
    if (counts.n > 0) smallest = Math.min(smallest, binomialAtMost(counts.c, counts.n, settings.golden_floor) / share)
  }
  return smallest
}

/** The same for all counted trials at once; steers further trials only. */
export function floorDoubt(task: GateTask, settings: GateSettings): number {
  return task.head === null || task.head.n === 0 ? 1 : binomialAtMost(task.head.c, task.head.n, settings.golden_floor)
}
