/** When a build is broken as a whole, every trial fails with the same sentence: it is told once. */
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import { checkId, failedCheck } from './selection.ts'
import { noticeSentences } from './verdict-words.ts'

/** One sentence that most failing trials of several tasks share. */
export interface SharedCause {
  readonly failure_class: string
  /** The sentence, as the trials say it. */
  readonly detail: string
  readonly trials: number
  /** Failed trials of head. */
  readonly failed: number
  /** True when no counted trial passed or failed otherwise. */
  readonly all: boolean
}

/** Fewer trials, or trials of one task, are told one by one. */
const FEWEST_TRIALS = 4

/** The sentence behind at least half of the failing trials; null when there is none. */
export function sharedCause(results: Results): SharedCause | null {
  const counted = results.trials.filter((trial) => trial.arm === 'head' && trial.verdict !== 'infra')
  const failed = counted.filter((trial) => trial.verdict === 'fail')
  const groups = [...Map.groupBy(failed, (trial) => `${trial.failure_class ?? 'failed'} ${whatFailed(trial)}`).values()]
  const [top = []] = groups.sort((a, b) => b.length - a.length)
  const [first] = top
  const tasks = new Set(top.map((trial) => trial.task_id))
  if (first === undefined || top.length < FEWEST_TRIALS || tasks.size < 2 || 2 * top.length < failed.length) return null
  return {
    failure_class: first.failure_class ?? 'failed',
    detail: whatFailed(first),
    trials: top.length,
    failed: failed.length,
    all: top.length === counted.length,
  }
}

/** Whether the trial failed with the shared sentence. */
export function isShared(trial: TrialRecord, shared: SharedCause | null): boolean {
  return (
    shared !== null &&
    trial.verdict === 'fail' &&
    (trial.failure_class ?? 'failed') === shared.failure_class &&
    whatFailed(trial) === shared.detail
  )
}

/** `All 30 trials failed alike`; plain text. */
export function sharedCount({ all, trials, failed }: SharedCause): string {
  if (all) return `All ${trials} trials failed alike`
  return trials === failed ? `All ${trials} failing trials failed alike` : `${trials} of ${failed} failing trials failed alike`
}

/** The notices of a run without those that say what the shared sentence says. */
export function noticesBeside(results: Results, shared: SharedCause | null): readonly string[] {
  return noticeSentences(results).filter((notice) => shared === null || !notice.includes(shared.detail))
}

/** What a trial says of its failure: the failed check with its message, else the detail. Plain text. */
export function whatFailed(trial: TrialRecord): string {
  const check = failedCheck(trial)
  return check === null ? trial.detail : `${checkId(check)}: ${check.evidence.message}`
}
