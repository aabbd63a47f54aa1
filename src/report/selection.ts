/** Which tasks and trials are told, and in which order. */
import type { Check } from '../model/check.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Results, TaskFacts } from '../model/results.ts'
import type { TaskVerdict } from '../model/verdict.ts'
import { byConcern } from './verdict-words.ts'

/** A task's verdict with its facts and its trials in the head arm. */
export interface ReportedTask {
  readonly verdict: TaskVerdict
  readonly facts: TaskFacts | null
  readonly trials: readonly TrialRecord[]
  readonly baseTrials: readonly TrialRecord[]
}

/** All tasks, worst first. */
export function reportedTasks(results: Results): readonly ReportedTask[] {
  const facts = new Map(results.tasks.map((task) => [task.task_id, task]))
  const trials = Map.groupBy(results.trials, (trial) => trial.task_id)
  return results.decision.tasks.toSorted(byConcern).map((verdict) => {
    const own = trials.get(verdict.task_id) ?? []
    return {
      verdict,
      facts: facts.get(verdict.task_id) ?? null,
      trials: own.filter((trial) => trial.arm === 'head'),
      baseTrials: own.filter((trial) => trial.arm === 'base'),
    }
  })
}

export interface FailingTrial {
  readonly task: ReportedTask
  readonly trial: TrialRecord
  /** The check that gave the trial its class; null when the agent failed before anything was graded. */
  readonly check: TrialRecord['checks'][number] | null
}

/** Classes of an agent that failed by itself: what the graders found missing then is no cause. */
const AGENT_CLASSES = ['agent_timeout', 'agent_error', 'plugin_error']

/** The deciding check that gave the trial its class, else the first that failed; null when the agent failed by itself. */
export function failedCheck(trial: TrialRecord): TrialRecord['checks'][number] | null {
  const failed = trial.checks.filter((check) => check.status === 'fail' && !check.diagnostic)
  const own = failed.find((check) => check.failure_class === trial.failure_class)
  return own ?? (AGENT_CLASSES.includes(trial.failure_class ?? '') ? null : (failed[0] ?? null))
}

/** Failing trials, tasks in their order, one of each task first, so that a short report shows every task before any task twice. */
export function failingTrials(tasks: readonly ReportedTask[]): readonly FailingTrial[] {
  const queues = tasks.map((task) =>
    task.trials.filter((trial) => trial.verdict === 'fail').map((trial): FailingTrial => ({ task, trial, check: failedCheck(trial) })),
  )
  const rounds = Math.max(0, ...queues.map((queue) => queue.length))
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat()
}

export function checkId(check: Pick<Check, 'grader' | 'name'>): string {
  return check.name.startsWith(`${check.grader}.`) ? check.name : `${check.grader}.${check.name}`
}

/** Fragment of a trial in the HTML report: letters, digits, `-`, `_` only. */
export function trialAnchor(trialId: string): string {
  return `trial-${trialId.replace(/[^\w-]/gu, '_')}`
}

export function taskAnchor(taskId: string): string {
  return `task-${taskId.replace(/[^\w-]/gu, '_')}`
}
