/** Counted trials of one task in one arm. Infrastructure trials are in `infra`, never in `n`. */
export interface TaskCounts {
  /** Trials that ended in pass or fail. */
  readonly n: number
  /** Of those, passes. */
  readonly c: number
  /** Trials that could not be measured. */
  readonly infra: number
}

/** A 1−α interval for a probability, 0..1. */
export interface Interval {
  readonly low: number
  readonly high: number
}

export const TASK_STATUSES = ['regressed', 'improved', 'stable', 'suspect', 'new', 'removed', 'changed', 'unmeasured'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const GATE_MODES = ['statistical', 'strict', 'report-only'] as const
export type GateMode = (typeof GATE_MODES)[number]

/** One arm of a task with its estimates. `pass_k` is null when n < k. */
export interface TaskEstimate extends TaskCounts {
  readonly pass_k: number | null
  readonly pass_at_k: number | null
  /** Exact 95 % interval of p, mapped through p^k. */
  readonly pass_k_interval: Interval | null
}

export interface TaskVerdict {
  readonly task_id: string
  readonly status: TaskStatus
  readonly head: TaskEstimate | null
  readonly baseline: TaskEstimate | null
  /** Exact one-sided p-value of "head is not worse than baseline"; null when there was nothing to test. */
  readonly p_value: number | null
  /** Level that p_value was held against; null when not tested. */
  readonly level: number | null
  /** Why, in one sentence a tired person understands. */
  readonly reason: string
  /** Must not fall below the golden floor. */
  readonly golden: boolean
  readonly quarantine: { readonly owner: string; readonly reason: string; readonly expires: string } | null
}

export const RUN_VERDICTS = ['pass', 'fail', 'inconclusive'] as const
export type RunVerdictName = (typeof RUN_VERDICTS)[number]

export interface SuiteEstimate {
  /** Mean of the tasks' pass^k over tasks measured in the arm; null when none was. */
  readonly pass_k: number | null
  readonly pass_at_k: number | null
  readonly interval: Interval | null
  readonly tasks: number
}

export const SPENDING_METRICS = ['cost_usd', 'tokens', 'wall_ms', 'tool_calls'] as const
export type SpendingMetric = (typeof SPENDING_METRICS)[number]

/** Medians a trial of one task in one arm; null or absent when unknown. */
export type SpendingMedians = Readonly<Partial<Record<SpendingMetric, number | null>>>

/** What one task costs on both sides. */
export interface TaskSpending {
  readonly task_id: string
  readonly head: SpendingMedians
  readonly baseline: SpendingMedians
}

/** What the gate says of one metric that it was asked to hold a limit on. */
export interface SpendingVerdict {
  readonly metric: SpendingMetric
  /**
   * `exceeded`: above the limit and beyond chance, turns the run red. `suspect`: above the limit, chance not ruled out.
   * `undecidable`: no figures on both sides, or above the limit on too few tasks to tell; the run cannot be green.
   */
  readonly outcome: 'within' | 'exceeded' | 'suspect' | 'undecidable'
  /** Increase allowed, percent. */
  readonly limit_percent: number
  /** Median over tasks of head's increase over the baseline, percent; null when nothing was compared or it rose from zero. */
  readonly typical_increase_percent: number | null
  /** Tasks with figures on both sides. */
  readonly tasks: number
  /** Exact one-sided p-value of "no more than on the baseline"; null when nothing was compared. */
  readonly p_value: number | null
  /** Level that p_value was held against; null when not tested. */
  readonly level: number | null
  readonly reason: string
}

/** The gate's decision over a run. */
export interface GateDecision {
  readonly verdict: RunVerdictName
  /** One sentence a tired person understands. */
  readonly reason: string
  readonly mode: GateMode
  readonly k: number
  readonly tasks: readonly TaskVerdict[]
  readonly suite: {
    readonly head: SuiteEstimate
    readonly baseline: SuiteEstimate
    readonly p_value: number | null
    readonly level: number | null
  }
  /** Smallest drop in one task's pass rate (0..1) that this design sees with power 0.8; null when it can see none or has no baseline. */
  readonly smallest_drop_seen: number | null
  /** One entry for every metric that has a limit; absent when none has. */
  readonly spending?: readonly SpendingVerdict[]
}

/** What came of one trial, for the gate. */
export type TrialOutcome = 'pass' | 'fail' | 'infra'

/** What the gate is told about a task besides counts. */
export interface GateTask {
  readonly task_id: string
  readonly golden: boolean
  /** Null when head's suite does not hold the task; all zero when it was planned and never ran. */
  readonly head: TaskCounts | null
  /**
   * Head's trials in the order of their index; agrees with `head`. Given by an adaptive run: the gate then judges each look by the trials
   * that it could have seen. Without it the counts are taken as of a size fixed in advance.
   */
  readonly head_trials?: readonly TrialOutcome[]
  readonly baseline: TaskCounts | null
  /**
   * The base build's trials of this very run, in the order of their index; agrees with `baseline`. Given by a paired run, together with
   * `head_trials`: each look then compares the first trials of one build with equally many of the other.
   */
  readonly baseline_trials?: readonly TrialOutcome[]
  /** Head and baseline hold the task under different digests. */
  readonly changed: boolean
  readonly quarantine: TaskVerdict['quarantine']
}

/** Settings of the gate. */
export interface GateSettings {
  readonly mode: GateMode
  readonly k: number
  /** Budget for any red on an unchanged build, e.g. 0.05. */
  readonly alpha: number
  /** Trials a task at most; equals k when the design is fixed. */
  readonly max_trials: number
  /** Pass rate that a golden task must reach, 0..1. */
  readonly golden_floor: number
  /** Largest increase of a metric over the baseline, percent; a metric without one is shown and never gates. */
  readonly max_increase?: Readonly<Partial<Record<SpendingMetric, number>>>
}

/** Trials a task at most, when the user does not say: enough for a clear drop to be told from bad luck (docs/statistics.md). */
export function defaultMaxTrials(k: number): number {
  return Math.max(30, 2 * k)
}
