import type { GateTask, TaskSpending } from '../model/verdict.ts'

/** What the gate must know of the run besides the tasks. */
export interface GateContext {
  /** `YYYY-MM-DD`; a quarantine that expired before it gates again. */
  readonly today: string
  /** Fingerprint parts that differ, as `part: baseline → head`; any makes the comparison void. */
  readonly fingerprint_differences: readonly string[]
  /** Why there is no baseline at all; null when there is one. */
  readonly no_baseline: string | null
  /** Why planned trials were not made (budget, cancelled, shard missing); null when all were. */
  readonly incomplete: string | null
  /** Tasks whose removal was accepted by name. */
  readonly accepted_removals: readonly string[]
  /** Tasks whose edit was accepted by name: measured and shown, whatever comes of them. */
  readonly accepted_changes: readonly string[]
  /** What tasks cost on both sides; needed where the settings limit an increase. */
  readonly spending?: readonly TaskSpending[]
}

/** Everything in order: a baseline, equal fingerprints, all trials made. */
export function plainContext(today: string): GateContext {
  return { today, fingerprint_differences: [], no_baseline: null, incomplete: null, accepted_removals: [], accepted_changes: [] }
}

/** Quarantined and not expired: run and shown, but not gating. */
export function isQuarantined(task: GateTask, context: GateContext): boolean {
  return task.quarantine !== null && task.quarantine.expires >= context.today
}

/** Trials made, whether they counted or not; of a paired run, those that both builds have made. */
export function trialsMade(task: GateTask): number {
  const made = task.head_trials?.length ?? (task.head === null ? 0 : task.head.n + task.head.infra)
  return task.baseline_trials === undefined ? made : Math.min(made, task.baseline_trials.length)
}

/** Both builds are run side by side, trial by trial. */
export function isPaired(task: GateTask): boolean {
  return task.baseline_trials !== undefined && task.head_trials !== undefined
}
