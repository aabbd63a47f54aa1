import type { GateSettings, GateTask, TaskCounts, TaskStatus } from '../model/verdict.ts'
import type { AssessedTask } from './assess.ts'
import { isPaired, type GateContext } from './context.ts'
import { failsAsEdited } from './edited-task.ts'

/** Fisher's p-value up to which a task that is not called regressed is called suspect. */
const SUSPECT = 0.05

export interface StatusWithReason {
  readonly status: TaskStatus
  readonly reason: string
}

/** The status of a task and why, in one sentence. Decides nothing about the run. */
export function statusOf(assessed: AssessedTask, settings: GateSettings, context: GateContext): StatusWithReason {
  const plain = plainStatus(assessed, settings, context)
  const { quarantine } = assessed.task
  if (quarantine === null) return plain
  const note = assessed.gating
    ? `its quarantine (${quarantine.owner}) expired on ${quarantine.expires}, so it gates again`
    : `in quarantine until ${quarantine.expires} (${quarantine.owner}: ${quarantine.reason}), so it does not gate`
  return { status: plain.status, reason: `${plain.reason.replace(/\.$/, '')}; ${note}.` }
}

function plainStatus(assessed: AssessedTask, settings: GateSettings, context: GateContext): StatusWithReason {
  const { task, evidence } = assessed
  const { head, baseline } = task
  if (head === null) return { status: 'removed', reason: 'The baseline has this task, but this build’s suite does not.' }
  if (assessed.below_floor) {
    const floor = percent(settings.golden_floor)
    return { status: 'regressed', reason: `Golden task: ${share(head)} trials passed, surely below the floor of ${floor}.` }
  }
  if (head.n < settings.k) return { status: 'unmeasured', reason: unmeasuredReason(head, settings.k) }
  if (isPaired(task) && baseline !== null && baseline.n < settings.k) {
    return { status: 'unmeasured', reason: `The base build could not be measured: ${lowerFirst(unmeasuredReason(baseline, settings.k))}` }
  }
  if (baseline === null || baseline.n === 0) return { status: 'new', reason: 'No baseline yet: measured, not compared.' }
  if (task.changed) return { status: 'changed', reason: editedReason(task, head, settings, context) }
  if (evidence === null) {
    return { status: 'changed', reason: `Not comparable with the baseline: ${context.fingerprint_differences.join('; ')}.` }
  }
  return comparedStatus(assessed, `passed ${share(baseline)} on the ${isPaired(task) ? 'base build' : 'baseline'}, ${share(head)} now`)
}

function editedReason(task: GateTask, head: TaskCounts, settings: GateSettings, context: GateContext): string {
  if (context.accepted_changes.includes(task.task_id))
    return 'The task itself changed since the baseline, which is accepted: measured, not compared.'
  if (!failsAsEdited(task, settings, context)) return 'The task itself changed since the baseline: measured, not compared.'
  const floor = `pass^${settings.k} below the floor of ${percent(settings.golden_floor)}`
  return `The task itself changed since the baseline, and this build fails it as it is now: ${share(head)} passed, ${floor}.`
}

function comparedStatus({ regressed, improved, evidence }: AssessedTask, change: string): StatusWithReason {
  if (regressed) return { status: 'regressed', reason: `Worse beyond chance: ${change}.` }
  if (improved) return { status: 'improved', reason: `Better beyond chance: ${change}.` }
  if (evidence !== null && evidence.doubt_p <= SUSPECT) {
    return { status: 'suspect', reason: `Looks worse, but chance is not ruled out: ${change}.` }
  }
  return { status: 'stable', reason: `No difference beyond chance: ${change}.` }
}

function unmeasuredReason({ n, infra }: TaskCounts, k: number): string {
  const trouble = infra === 0 ? '' : `; ${infra} ended in infrastructure trouble`
  return `Only ${n} of the ${k} trials needed could be counted${trouble}.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** `28/30`. */
export function share({ c, n }: { readonly c: number; readonly n: number }): string {
  return `${c}/${n}`
}

export function percent(rate: number): string {
  return `${Math.round(rate * 100)}%`
}
