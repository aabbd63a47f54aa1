import { pooledRefreshes } from '../gate/pool.ts'
import type { BaselineFile } from '../model/baseline.ts'
import type { TrialRecord } from '../model/record.ts'
import type { SpendingMedians, TaskSpending } from '../model/verdict.ts'
import { totalTokens, type ResultsInput } from '../report/build-results.ts'
import { median } from '../statistics/resample.ts'

/** Medians a trial of each task's newest refresh that has them, for the comparison of cost, tokens, time and tool calls. */
export function baselineMedians(file: BaselineFile | null): ResultsInput['baseline_medians'] {
  return Object.fromEntries(
    Object.entries(file?.tasks ?? {}).map(([taskId, { refreshes }]) => {
      const newest = pooledRefreshes(refreshes).at(-1)
      const medians = {
        cost_usd: newest?.cost_usd ?? null,
        wall_ms: newest?.wall_ms ?? null,
        tokens: newest?.tokens ?? null,
        tool_calls: newest?.tool_calls ?? null,
      }
      return [taskId, medians]
    }),
  )
}

/** Medians a trial by task in one arm of a run, infrastructure trials left out. */
export function recordMedians(records: readonly TrialRecord[], arm: 'head' | 'base'): Readonly<Record<string, SpendingMedians>> {
  const counted = records.filter((record) => record.arm === arm && record.verdict !== 'infra')
  return Object.fromEntries(
    [...Map.groupBy(counted, (record) => record.task_id)].map(([taskId, trials]) => {
      const medians = {
        cost_usd: median(trials.flatMap(({ cost_usd: cost }) => cost ?? [])),
        wall_ms: median(trials.map(({ wall_ms: ms }) => ms)),
        tokens: median(trials.map(totalTokens)),
        tool_calls: median(trials.map(({ tool_calls: calls }) => calls)),
      }
      return [taskId, medians]
    }),
  )
}

/**
 * What tasks cost on both sides, for the gate: of head (and of a base build that ran beside it) the first k trials of every task alone. How
 * many more a task got followed from its failures, and failures cost differently.
 */
export function spendingPairs(records: readonly TrialRecord[], k: number, baseline: BaselineFile | null, paired: boolean): TaskSpending[] {
  const first = records.filter(({ index }) => index < k)
  const before = paired ? recordMedians(first, 'base') : baselineMedians(baseline)
  return Object.entries(recordMedians(first, 'head')).map(([taskId, head]) => ({ task_id: taskId, head, baseline: before[taskId] ?? {} }))
}
