import type { BaselineFile, QuarantineFile } from '../model/baseline.ts'
import { FINGERPRINT_PARTS, type Fingerprint, type TrialRecord } from '../model/record.ts'
import type { GateTask, TaskCounts, TrialOutcome } from '../model/verdict.ts'
import { moreFailuresP } from '../statistics/conditional-test.ts'
import { countTrials } from './count-trials.ts'

/** How many of the newest refreshes are pooled. */
export const POOL_WINDOW = 5

/** A task as head holds and ran it. */
export interface HeadTask {
  readonly task_id: string
  readonly digest: string
  readonly golden: boolean
  /** In the order of their index. */
  readonly trials: readonly TrialOutcome[]
}

type Refresh = BaselineFile['tasks'][string]['refreshes'][number]

/** Joins baseline, head and quarantine into what the gate judges: every task that either side has. */
export function gateTasks(
  baseline: BaselineFile | null,
  head: readonly HeadTask[],
  quarantine: QuarantineFile | null,
  window = POOL_WINDOW,
): GateTask[] {
  const before = baseline?.tasks ?? {}
  const quarantineOf = (id: string): GateTask['quarantine'] => quarantine?.tasks[id] ?? null
  const present = head.map((task): GateTask => {
    const stored = before[task.task_id]
    return {
      task_id: task.task_id,
      golden: task.golden,
      head: countTrials(task.trials),
      head_trials: task.trials,
      baseline: stored === undefined ? null : pooledCounts(stored.refreshes, window),
      changed: stored !== undefined && stored.digest !== task.digest,
      quarantine: quarantineOf(task.task_id),
    }
  })
  const ids = new Set(head.map(({ task_id: id }) => id))
  const removed = Object.entries(before)
    .filter(([id]) => !ids.has(id))
    .map(([id, stored]): GateTask => {
      const counts = pooledCounts(stored.refreshes, window)
      return { task_id: id, golden: false, head: null, baseline: counts, changed: false, quarantine: quarantineOf(id) }
    })
  return [...present, ...removed]
}

/**
 * The same for a paired run: what head is held against are the base build's trials of this very run. Of the stored baseline only the names
 * of its tasks count, so that a deleted task is not green by silence.
 */
export function pairedGateTasks(
  baseline: BaselineFile | null,
  tasks: readonly (HeadTask & { readonly base_trials: readonly TrialOutcome[] })[],
  quarantine: QuarantineFile | null,
): GateTask[] {
  const base = new Map(tasks.map(({ task_id: id, base_trials: trials }) => [id, trials]))
  return gateTasks(baseline, tasks, quarantine).map((task) => {
    const trials = base.get(task.task_id)
    return trials === undefined ? task : { ...task, baseline: countTrials(trials), baseline_trials: trials, changed: false }
  })
}

/** The refreshes that count: the newest `window`, none from before an accepted regression. */
export function pooledRefreshes(refreshes: readonly Refresh[], window = POOL_WINDOW): readonly Refresh[] {
  const accepted = refreshes.findLastIndex((refresh) => refresh.accepted_regression !== undefined)
  return refreshes.slice(Math.max(0, accepted, refreshes.length - window))
}

/** Counts pooled over the refreshes that count. */
export function pooledCounts(refreshes: readonly Refresh[], window = POOL_WINDOW): TaskCounts {
  const pooled = pooledRefreshes(refreshes, window)
  return { n: sum(pooled.map(({ n }) => n)), c: sum(pooled.map(({ c }) => c)), infra: 0 }
}

/** Parts of the fingerprint that differ, as `part: baseline → head`. */
export function fingerprintDifferences(baseline: Fingerprint, head: Fingerprint): string[] {
  return FINGERPRINT_PARTS.filter((part) => baseline[part] !== head[part]).map((part) => `${part}: ${baseline[part]} → ${head[part]}`)
}

/** Outcomes of one task's trials in an arm, by index. */
export function outcomesOf(records: readonly TrialRecord[], taskId: string, arm: 'head' | 'base'): TrialOutcome[] {
  return records
    .filter((record) => record.task_id === taskId && record.arm === arm)
    .sort((a, b) => a.index - b.index)
    .map(({ verdict }) => verdict)
}

/** A task whose pooled refreshes do not look like draws from one pass rate. */
export interface Drift {
  readonly task_id: string
  readonly older: TaskCounts
  readonly newer: TaskCounts
  /** Two-sided exact p-value of "older and newer half pass alike". */
  readonly p_value: number
}

/** Below this p-value, divided by the number of tasks, pooled refreshes are said to drift. */
const DRIFT_LEVEL = 0.01

/** Tasks whose newer refreshes differ from the older ones beyond chance: the world moved, not the plugin; shown, never gating. */
export function findDrift(baseline: BaselineFile, window = POOL_WINDOW): Drift[] {
  const tasks = Object.entries(baseline.tasks)
  return tasks.flatMap(([id, { refreshes }]) => {
    const pooled = pooledRefreshes(refreshes, window)
    const half = Math.floor(pooled.length / 2)
    if (half === 0) return []
    const older = pooledCounts(pooled.slice(0, half), window)
    const newer = pooledCounts(pooled.slice(half), window)
    const worse = moreFailuresP({ base_n: older.n, base_failures: older.n - older.c, head_n: newer.n, head_failures: newer.n - newer.c })
    const better = moreFailuresP({ base_n: older.n, base_failures: older.c, head_n: newer.n, head_failures: newer.c })
    const p = Math.min(1, 2 * Math.min(worse, better))
    return p <= DRIFT_LEVEL / tasks.length ? [{ task_id: id, older, newer, p_value: p }] : []
  })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
