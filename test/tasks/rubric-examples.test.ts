import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { loadTasks } from '../../src/tasks/load.ts'
import { taskDigest } from '../../src/tasks/digest.ts'
import { taskFindings } from '../../src/tasks/task-file.ts'
import { aTask } from '../graders/trial-builders.ts'

const tasks = await loadTasks(fileURLToPath(new URL('../../tasks', import.meta.url)), {})

test('every rubric has two fail examples at least, one of which no check can see', () => {
  const poor = tasks.flatMap(({ task, traps }) =>
    task.model_grader_rubrics.flatMap(({ id }) => {
      const failing = traps.filter((trap) => trap.fails === `rubric.${id}` || trap.also_fails?.includes(`rubric.${id}`))
      const unseen = failing.filter((trap) => trap.fails === `rubric.${id}`)
      return failing.length >= 2 && unseen.length >= 1 ? [] : [`${task.task_id} ${id}: ${failing.length}, ${unseen.length} unseen`]
    }),
  )
  assert.deepEqual(poor, [])
  assert.equal(tasks.length, 20)
})

test('the agent of a reference that says it wrote a file did call the tool, the one that only claims it did not', () => {
  const loaded = tasks.find(({ task }) => task.task_id === 'neg_reg_03')
  assert.deepEqual(
    loaded?.reference.tool_calls?.map(({ name }) => name),
    ['write_file'],
  )
  assert.equal(loaded.traps.find(({ file }) => file.includes('claims'))?.tool_calls, undefined)
})

const rubric = { id: 'safe', criteria: 'PASS if it is safe.' }
const GOOD = aTask({ model_grader_rubrics: [rubric], rubric_twins: { safe: ['interaction.recomputed'] } })
const trap = { file: 'a.html', fails: 'dom.not_blank', why: 'blank' } as const

test('what names no rubric of the task, cannot be computed or asserts nothing is refused', () => {
  assert.deepEqual(taskFindings(GOOD, 'demo_01'), [])
  const pointers = (changes: Parameters<typeof aTask>[0]): string[] =>
    taskFindings({ ...GOOD, ...changes }, 'demo_01').map(({ pointer }) => pointer)
  assert.deepEqual(pointers({ traps: [{ ...trap, also_fails: ['rubric.safe'] }] }), [])
  assert.deepEqual(pointers({ traps: [{ ...trap, also_fails: ['rubric.kind'] }] }), ['/traps/0/also_fails/0'])
  assert.deepEqual(pointers({ traps: [{ ...trap, fails: 'rubric.safe', also_fails: ['rubric.safe'] }] }), ['/traps/0/also_fails/0'])
  assert.deepEqual(pointers({ rubric_twins: { other: ['dom.not_blank'] } }), ['/rubric_twins/other'])
  assert.deepEqual(pointers({ own_assertions: { payload_patterns: { cron: '(' } } }), ['/own_assertions/payload_patterns/cron'])
  assert.deepEqual(pointers({ own_assertions: { recomputes: [{ what: 'x' }] } }), ['/own_assertions/recomputes/0'])
  const figure = { figure: 'cost', formulas: ['1', 'hours * 2'] }
  assert.deepEqual(pointers({ own_assertions: { recomputes: [{ what: 'x', shows: [figure] }] } }), [
    '/own_assertions/recomputes/0/shows/0/formulas/1',
  ])
})

test('examples for a judge do not change the digest of a task, assertions do', () => {
  const same = taskDigest(aTask())
  assert.equal(taskDigest(aTask({ traps: [{ ...trap, also_fails: ['rubric.safe'] }] })), same)
  assert.equal(taskDigest(aTask({ rubric_twins: { safe: ['dom.not_blank'] } })), same)
  assert.equal(taskDigest(aTask({ reference_tool_calls: [{ name: 'write_file', args: {}, result: 'ok' }] })), same)
  assert.notEqual(taskDigest(aTask({ own_assertions: { payload_patterns: { cron: '.' } } })), same)
})
