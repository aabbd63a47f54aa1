import type { GateSettings, GateTask, RunVerdictName, SpendingVerdict, TaskSpending, TaskStatus } from '../model/verdict.ts'
import { passAllK } from '../statistics/estimates.ts'
import { assess, type AssessedTask, type Assessment } from './assess.ts'
import { isPaired, type GateContext } from './context.ts'
import { failsAsEdited } from './edited-task.ts'
import { isBlind, smallestDropSeen } from './sensitivity.ts'
import { judgeSpending } from './spending.ts'
import { percent, share, statusOf } from './status.ts'

export interface JudgedTask {
  readonly assessed: AssessedTask
  readonly status: TaskStatus
  readonly reason: string
}

/** The verdict without the figures that only a report needs. */
export interface Judgement {
  readonly verdict: RunVerdictName
  readonly reason: string
  readonly assessment: Assessment
  readonly tasks: readonly JudgedTask[]
  readonly smallest_drop_seen: number | null
  /** Metrics that have a limit. */
  readonly spending: readonly SpendingVerdict[]
}

/** Turns counts into statuses and a verdict. A red needs evidence; a green needs a comparison that could have found something. */
export function judge(tasks: readonly GateTask[], settings: GateSettings, context: GateContext): Judgement {
  const assessment = assess(tasks, settings, context)
  const judged = assessment.tasks.map((assessed): JudgedTask => {
    const judgedTask = { assessed, ...statusOf(assessed, settings, context) }
    return settings.mode === 'strict' ? strictStatus(judgedTask, settings) : judgedTask
  })
  const drop = smallestDropSeen(assessment, settings)
  const spending = judgeSpending(comparableSpending(judged, context), settings)
  const outcome = verdictOf(judged, assessment, settings, context, drop, spending)
  const gated =
    settings.mode === 'report-only' && outcome.verdict !== 'pass'
      ? { verdict: 'pass' as const, reason: `Report only, so nothing is gated; it would have been ${outcome.verdict}: ${outcome.reason}` }
      : outcome
  return { ...gated, assessment, tasks: judged, smallest_drop_seen: drop, spending }
}

/** Figures of the tasks that gate and could be compared at all. */
function comparableSpending(judged: readonly JudgedTask[], { spending = [] }: GateContext): readonly TaskSpending[] {
  const compared = new Set(judged.flatMap(({ assessed }) => (assessed.gating && assessed.evidence !== null ? [assessed.task.task_id] : [])))
  return spending.filter(({ task_id: id }) => compared.has(id))
}

interface Outcome {
  readonly verdict: RunVerdictName
  readonly reason: string
}

function verdictOf(
  tasks: readonly JudgedTask[],
  assessment: Assessment,
  settings: GateSettings,
  context: GateContext,
  drop: number | null,
  spending: readonly SpendingVerdict[],
): Outcome {
  const gating = tasks.filter(({ assessed }) => assessed.gating)
  const red = [redReason(gating, assessment, settings) ?? [], reasonsOf(spending, 'exceeded')].flat()
  if (red.length > 0) return { verdict: 'fail', reason: red.join(' ') }
  const doubts = inconclusiveReasons(gating, assessment, settings, context)
  if (doubts.length > 0) return { verdict: 'inconclusive', reason: doubts.join(' ') }
  const open = reasonsOf(spending, 'undecidable')
  if (open.length > 0) return { verdict: 'inconclusive', reason: open.join(' ') }
  return { verdict: 'pass', reason: [greenReason(gating, drop, settings), ...reasonsOf(spending, 'suspect')].join(' ') }
}

function reasonsOf(spending: readonly SpendingVerdict[], outcome: SpendingVerdict['outcome']): string[] {
  return spending.filter((entry) => entry.outcome === outcome).map(({ reason }) => reason)
}

function redReason(gating: readonly JudgedTask[], assessment: Assessment, settings: GateSettings): string | null {
  const regressed = gating.filter(({ status }) => status === 'regressed').sort(byEvidence)
  if (regressed.length > 0) {
    const count = regressed.length === 1 ? '1 task regressed' : `${regressed.length} of ${gating.length} tasks regressed`
    // Counts of many tasks belong in the table, not in the sentence that a tired person reads.
    const names = regressed.length <= 2 ? nameTasks(regressed) : listed(regressed.map(({ assessed }) => assessed.task.task_id))
    return `${count}: ${names}.`
  }
  if (settings.mode === 'strict' || !assessment.suite_regressed) return null
  const suspects = gating.filter(({ assessed }) => assessed.evidence !== null).sort(byEvidence)
  return `The suite as a whole passes less often than the baseline, though no single task is certain; most suspect: ${nameTasks(suspects.slice(0, 3))}.`
}

function inconclusiveReasons(
  gating: readonly JudgedTask[],
  assessment: Assessment,
  settings: GateSettings,
  context: GateContext,
): string[] {
  const reasons: string[] = []
  const withStatus = (status: TaskStatus): string[] =>
    gating
      .filter((task) => task.status === status)
      .map(({ assessed }) => assessed.task.task_id)
      .sort()
  if (context.fingerprint_differences.length > 0) {
    reasons.push(`Not comparable with the baseline: ${context.fingerprint_differences.join('; ')}.`)
  }
  if (context.no_baseline !== null) reasons.push(sentence(`Nothing to compare with: ${context.no_baseline}`))
  if (context.incomplete !== null) reasons.push(sentence(context.incomplete))
  const unmeasured = withStatus('unmeasured')
  if (unmeasured.length > 0) reasons.push(`Could not be measured (fewer than ${settings.k} trials counted): ${listed(unmeasured)}.`)
  const removed = withStatus('removed').filter((id) => !context.accepted_removals.includes(id))
  if (removed.length > 0) reasons.push(`In the baseline but not in this build’s suite: ${listed(removed)}.`)
  const edited = gating.filter(({ assessed }) => failsAsEdited(assessed.task, settings, context)).sort(byEvidence)
  if (edited.length > 0) {
    reasons.push(
      `Edited since the baseline, and this build fails ${edited.length === 1 ? 'it' : 'them'} as edited: ${nameNow(edited)}. If the edit is meant, accept it by name with accepted-changes.`,
    )
  }
  if (reasons.length > 0) return reasons
  const compared = gating.filter(({ assessed }) => assessed.evidence !== null)
  if (compared.length === 0) return ['No task could be compared with a baseline.']
  if (settings.mode === 'strict' || !isBlind(assessment) || compared.every(isIdentical)) return []
  const remedy = compared.some(({ assessed }) => isPaired(assessed.task))
    ? 'a paired run of so many tasks needs more trials. Raise max-trials.'
    : 'the baseline has too few trials for the number of tasks. Refresh the baseline with more trials.'
  return [`This design could not have seen any drop: ${remedy}`]
}

function isIdentical({ assessed }: JudgedTask): boolean {
  const { head, baseline } = assessed.task
  return head !== null && baseline !== null && head.n === baseline.n && head.c === baseline.c
}

function greenReason(gating: readonly JudgedTask[], drop: number | null, settings: GateSettings): string {
  const compared = gating.filter(({ assessed }) => assessed.evidence !== null).length
  const suspects = gating.filter(({ status }) => status === 'suspect').sort(byEvidence)
  const left = (['new', 'changed'] as const)
    .map((status) => ({ status, count: gating.filter((task) => task.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`)
  const sentences = [`No regression in ${compared} compared ${compared === 1 ? 'task' : 'tasks'}`]
  if (left.length > 0) sentences.push(`not compared: ${left.join(', ')}`)
  if (suspects.length > 0) sentences.push(`suspect, within chance: ${nameTasks(suspects)}`)
  if (settings.mode !== 'strict') {
    sentences.push(
      drop === null ? 'a drop in one task alone could not have been seen' : `a drop of ${percent(drop)} in one task would probably be seen`,
    )
  }
  return `${sentences.join('; ')}.`
}

/** `strict`: any fall of the estimate is a regression. */
function strictStatus(task: JudgedTask, { k }: GateSettings): JudgedTask {
  const { evidence, below_floor: low, task: facts } = task.assessed
  if (evidence === null || low || facts.head === null || facts.baseline === null) return task
  const now = passAllK(facts.head.n, facts.head.c, k)
  const before = passAllK(facts.baseline.n, facts.baseline.c, k)
  if (now === null || before === null) return { ...task, status: 'unmeasured', reason: `The baseline has fewer than ${k} trials.` }
  const change = `pass^${k} was ${before.toFixed(3)} on the baseline and is ${now.toFixed(3)} now`
  if (now < before) return { ...task, status: 'regressed', reason: `Strict gate: ${change}.` }
  if (now > before) return { ...task, status: 'improved', reason: `Strict gate: ${change}.` }
  return { ...task, status: 'stable', reason: `Strict gate: ${change}.` }
}

/** Strongest evidence first; ties by name, so that a sentence does not depend on the order of tasks. */
function byEvidence(a: JudgedTask, b: JudgedTask): number {
  const doubt = (task: JudgedTask): number => task.assessed.evidence?.doubt_p ?? 0
  return doubt(a) - doubt(b) || (a.assessed.task.task_id < b.assessed.task.task_id ? -1 : 1)
}

function nameTasks(tasks: readonly JudgedTask[]): string {
  return listed(
    tasks.map(({ assessed: { task } }) => {
      const before = task.baseline === null ? '' : `${share(task.baseline)} → `
      return task.head === null ? task.task_id : `${task.task_id} (${before}${share(task.head)})`
    }),
  )
}

/** Names with today's counts alone: those of before are of another task. */
function nameNow(tasks: readonly JudgedTask[]): string {
  return listed(tasks.map(({ assessed: { task } }) => (task.head === null ? task.task_id : `${task.task_id} (${share(task.head)})`)))
}

/** With one full stop at its end. */
function sentence(text: string): string {
  return `${text.replace(/\.$/, '')}.`
}

function listed(names: readonly string[]): string {
  // "and 1 more" would be longer than the name
  return names.length <= 6 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
}
