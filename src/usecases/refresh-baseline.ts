import { formatBaselineFile, parseBaselineFile } from '../baseline/baseline-file.ts'
import { refreshThrough, type BaselineStore, type StoreOutcome } from '../baseline/refresh-store.ts'
import { outcomesOf } from '../gate/pool.ts'
import { commitsOf, mergeRefresh, type RefreshOutcome, type RefreshRun, type RefreshTask } from '../gate/refresh.ts'
import type { BaselineFile } from '../model/baseline.ts'
import { UserError } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { GateSettings } from '../model/verdict.ts'
import { median } from '../statistics/resample.ts'

type RefreshSettings = Pick<GateSettings, 'k' | 'alpha' | 'golden_floor'>

/** A task that the refresh run planned. */
export interface PlannedTask {
  readonly task_id: string
  readonly digest: string
  readonly golden: boolean
  readonly planned: number
}

export type BaselineRefresh = StoreOutcome & { readonly why: string }

/**
 * The part of `mode: baseline` after the run: pools the run into the baseline that stands in the store, with a precondition and retries.
 * Throws UserError when the run is no baseline: incomplete, ridden by infrastructure trouble, or a regression nobody accepted.
 */
export async function refreshBaseline(store: BaselineStore, run: RefreshRun, settings: RefreshSettings): Promise<BaselineRefresh> {
  let why = 'The baseline already holds this run.'
  const outcome = await refreshThrough(store, {
    message: `Refresh the ${run.suite} baseline at ${run.commit.slice(0, 10)}`,
    change: async (standing) => {
      const newer = standing === null ? new Set<string>() : await store.newerThan(run.commit, commitsOf(standing))
      const merged = accepted(mergeRefresh(standing, run, newer, settings))
      if (merged.kind === 'leave') why = merged.why
      return merged
    },
  })
  return outcome.kind === 'written' ? { ...outcome, why: `${run.tasks.length} tasks refreshed.` } : { ...outcome, why }
}

/**
 * The same for a writer that holds the text itself and calls back with what stands: the new text, or null to leave it as it is. Without git
 * the order of commits is told by `isNewer`. Throws UserError as above.
 */
export function refreshedText(
  standing: string | null,
  run: RefreshRun,
  settings: RefreshSettings,
  isNewer: (commit: string) => boolean,
): string | null {
  const file: BaselineFile | null = standing === null ? null : parseBaselineFile(standing, 'the baseline that stands')
  const newer = new Set((file === null ? [] : commitsOf(file)).filter((commit) => commit !== run.commit && isNewer(commit)))
  const merged = accepted(mergeRefresh(file, run, newer, settings))
  return merged.kind === 'leave' ? null : formatBaselineFile(merged.file)
}

/** What a refresh stores of each task, from the records of its run. */
export function refreshTasks(planned: readonly PlannedTask[], records: readonly TrialRecord[]): RefreshTask[] {
  return planned.map((task) => {
    const counted = records.filter(({ task_id: id, arm, verdict }) => id === task.task_id && arm === 'head' && verdict !== 'infra')
    return {
      ...task,
      trials: outcomesOf(records, task.task_id, 'head'),
      failures: tally(counted.flatMap(({ failure_class: failure }) => (failure === null ? [] : [failure]))),
      cost_usd: median(counted.flatMap(({ cost_usd: cost }) => (cost === null ? [] : [cost]))),
      wall_ms: median(counted.map(({ wall_ms: ms }) => Math.round(ms))),
      tokens: median(counted.map(({ tokens }) => tokens.input + tokens.output)),
      tool_calls: median(counted.map(({ tool_calls: calls }) => calls)),
    }
  })
}

function accepted(outcome: RefreshOutcome): Exclude<RefreshOutcome, { kind: 'refuse' }> {
  if (outcome.kind !== 'refuse') return outcome
  throw new UserError(outcome.reasons.map((message) => ({ where: 'baseline not refreshed', at: '', message })))
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
