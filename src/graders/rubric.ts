import type { Check } from '../model/check.ts'
import type { Rubric, RubricAnswer } from '../model/judge.ts'
import type { Task } from '../model/task.ts'
import { cut } from './check.ts'

/** Longest reason and quotation that a check holds, characters. */
const MOST_TEXT = 1000

type RubricSource = Pick<Task, 'model_grader_rubrics'>

/** One check a rubric of the task, in its order. A rubric without an answer is skipped. */
export function rubricChecks({ model_grader_rubrics: rubrics }: RubricSource, answers: readonly RubricAnswer[]): Check[] {
  const byId = new Map(answers.map((answer) => [answer.rubric_id, answer]))
  return rubrics.map((rubric) => {
    const answer = byId.get(rubric.id)
    return answer === undefined ? skippedRubric(rubric, 'The judge gave no verdict.') : answeredRubric(rubric, answer)
  })
}

/** All rubrics of the task, not judged. `why` is one sentence. */
export function skippedRubrics({ model_grader_rubrics: rubrics }: RubricSource, why: string): Check[] {
  return rubrics.map((rubric) => skippedRubric(rubric, why))
}

function answeredRubric(rubric: Rubric, { verdict, reason, evidence, votes, cached }: RubricAnswer): Check {
  const met = verdict === 'PASS'
  const voted = votes.pass + votes.fail
  const counted = voted === 1 ? verdict : `${votes.pass} PASS, ${votes.fail} FAIL`
  return {
    grader: 'rubric',
    name: rubric.id,
    status: met ? 'pass' : 'fail',
    failure_class: met ? null : 'rubric_fail',
    diagnostic: false,
    evidence: {
      message: `Judge: ${cut(reason, MOST_TEXT)}`,
      expected: rubric.criteria,
      seen: `“${cut(evidence, MOST_TEXT)}”`,
      items: [
        {
          requirement: voted === 1 ? 'one vote' : `majority of ${voted} votes`,
          met,
          how: cached ? `${counted} (from the cache)` : counted,
        },
      ],
    },
  }
}

function skippedRubric({ id, criteria }: Rubric, why: string): Check {
  return {
    grader: 'rubric',
    name: id,
    status: 'skipped',
    failure_class: null,
    diagnostic: false,
    evidence: { message: why, expected: criteria },
  }
}
