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
}

/** What the gate is told about a task besides counts. */
export interface GateTask {
  readonly task_id: string
  readonly golden: boolean
  readonly head: TaskCounts | null
  readonly baseline: TaskCounts | null
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
}
