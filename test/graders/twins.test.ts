import assert from 'node:assert/strict'
import { test } from 'node:test'
import { twinAgreement, type TwinTrial } from '../../src/graders/twins.ts'

const TASK = { task_id: 'demo_01', rubric_twins: { hidden: ['interaction.answers_hidden', 'interaction.recomputed'] } } as const
const TASKS = [{ task_id: 'demo_01', rubric_twins: { hidden: [...TASK.rubric_twins.hidden] } }, { task_id: 'demo_02' }]

type Status = TwinTrial['checks'][number]['status']
function trial(judge: Status | null, hidden: Status, recomputed: Status = 'skipped', taskId = 'demo_01'): TwinTrial {
  return {
    task_id: taskId,
    checks: [
      { grader: 'interaction', name: 'answers_hidden', status: hidden },
      { grader: 'interaction', name: 'recomputed', status: recomputed },
      { grader: 'dom', name: 'not_blank', status: 'fail' },
      ...(judge === null ? [] : [{ grader: 'rubric', name: 'hidden', status: judge } as const]),
    ],
  }
}

test('agreement counts who was stricter, and leaves out where one gave no verdict', () => {
  const trials = [
    trial('pass', 'pass'),
    trial('fail', 'fail'),
    trial('fail', 'pass'),
    trial('pass', 'fail'),
    trial('pass', 'pass', 'fail'),
    trial('skipped', 'pass'),
    trial('pass', 'skipped'),
    trial(null, 'pass'),
    trial('pass', 'fail', 'pass', 'demo_02'),
  ]
  assert.deepEqual(twinAgreement(TASKS, trials), [
    {
      task_id: 'demo_01',
      rubric_id: 'hidden',
      twins: TASK.rubric_twins.hidden,
      compared: 5,
      agree: 2,
      judge_stricter: 1,
      twin_stricter: 2,
      not_compared: 3,
    },
  ])
})

test('a task without twins or trials has no row', () =>
  assert.deepEqual(twinAgreement(TASKS, [trial('pass', 'pass', 'pass', 'demo_02')]), []))
