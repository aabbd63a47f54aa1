import type { Check } from '../model/check.ts'
import type { Task } from '../model/task.ts'
import type { TwinAgreement } from '../model/twin.ts'

/** What agreement is computed from: a trial's task and its checks, those of the rubric grader included. */
export interface TwinTrial {
  readonly task_id: string
  readonly checks: readonly Pick<Check, 'grader' | 'name' | 'status'>[]
}

/**
 * Agreement of judge and code, one row a rubric with twins that was met in a trial; sorted by task, then rubric.
 * Twins pass together: one that fails fails them, and they have a verdict unless all were skipped. Diagnostics count, since the question is what they said.
 */
export function twinAgreement(tasks: readonly Pick<Task, 'task_id' | 'rubric_twins'>[], trials: readonly TwinTrial[]): TwinAgreement[] {
  return tasks
    .flatMap(({ task_id: taskId, rubric_twins: declared = {} }) => {
      const own = trials.filter((trial) => trial.task_id === taskId)
      return Object.entries(declared).map(([rubricId, twins]) => agreementOf(taskId, rubricId, twins, own))
    })
    .filter((row) => row.compared + row.not_compared > 0)
    .sort((a, b) => (`${a.task_id} ${a.rubric_id}` < `${b.task_id} ${b.rubric_id}` ? -1 : 1))
}

function agreementOf(taskId: string, rubricId: string, twins: readonly string[], trials: readonly TwinTrial[]): TwinAgreement {
  const counts = { agree: 0, judge_stricter: 0, twin_stricter: 0, not_compared: 0 }
  for (const { checks } of trials) {
    const judge = verdictOf(checks, [`rubric.${rubricId}`])
    const code = verdictOf(checks, twins)
    if (judge === null || code === null) counts.not_compared += 1
    else if (judge === code) counts.agree += 1
    else if (judge === 'fail') counts.judge_stricter += 1
    else counts.twin_stricter += 1
  }
  return { task_id: taskId, rubric_id: rubricId, twins, compared: trials.length - counts.not_compared, ...counts }
}

function verdictOf(checks: TwinTrial['checks'], ids: readonly string[]): 'pass' | 'fail' | null {
  const statuses = checks.filter((check) => ids.includes(`${check.grader}.${check.name}`)).map((check) => check.status)
  if (statuses.includes('fail')) return 'fail'
  return statuses.includes('pass') ? 'pass' : null
}
