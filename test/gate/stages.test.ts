import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stagesOf } from '../../src/gate/design.ts'
import { planNextStage } from '../../src/gate/stages.ts'
import { CONTEXT, SETTINGS, many, staged } from './tasks.ts'

test('stages start at k, end at the maximum, and spend the whole budget', () => {
  for (const [k, max] of [
    [3, 30],
    [5, 30],
    [3, 3],
    [3, 4],
    [1, 10],
    [10, 100],
  ] as const) {
    const stages = stagesOf(k, max)
    assert.equal(stages[0]?.n, k)
    assert.equal(stages.at(-1)?.n, max)
    assert.ok(Math.abs(stages.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-12)
  }
  assert.deepEqual(
    stagesOf(3, 30).map(({ n }) => n),
    [3, 6, 9, 14, 21, 30],
  )
})

test('every task gets k first, whatever was lost is not asked for twice', () => {
  assert.deepEqual(planNextStage([staged('a', [30, 30], ''), staged('b', null, 'pi')], SETTINGS, CONTEXT), [
    { task_id: 'a', trials: 3, because: 'first' },
    { task_id: 'b', trials: 1, because: 'first' },
  ])
})

test('clear cases stop: all passed, surely regressed, new, changed, at the maximum, strict', () => {
  const done = [
    staged('fine', [30, 30], 'ppp'),
    staged('broken', [30, 30], 'ffffff'),
    staged('new', null, 'fff'),
    staged('changed', [30, 30], 'fff', { changed: true }),
  ]
  assert.deepEqual(planNextStage(done, SETTINGS, CONTEXT), [])
  assert.deepEqual(planNextStage([staged('full', [30, 30], 'ppf'.repeat(3) + 'p'.repeat(21))], SETTINGS, CONTEXT), [])
  assert.deepEqual(planNextStage([staged('a', [30, 30], 'ppf')], { ...SETTINGS, mode: 'strict' }, CONTEXT), [])
  assert.deepEqual(planNextStage([staged('a', [30, 30], 'ppf')], { ...SETTINGS, max_trials: 3 }, CONTEXT), [])
})

test('an edited task that failed by what may be bad luck gets more trials, until it reaches the floor or cannot', () => {
  const stage = (trials: string, context = CONTEXT) =>
    planNextStage([staged('a', [30, 30], 'ppp'), staged('edited', [30, 30], trials, { changed: true })], SETTINGS, context)
  assert.deepEqual(stage('pfp'), [{ task_id: 'edited', trials: 3, because: 'task' }])
  assert.deepEqual(stage('pfpppp'), [])
  assert.deepEqual(stage('ffpfff'), [])
  assert.deepEqual(stage('pfp', { ...CONTEXT, accepted_changes: ['edited'] }), [])
})

test('only the task in doubt gets its next stage', () => {
  const tasks = [staged('doubt', [30, 30], 'ppf'), ...many(9, (i) => staged(`t${i}`, [29, 30], 'ppp'))]
  assert.deepEqual(planNextStage(tasks, SETTINGS, CONTEXT), [{ task_id: 'doubt', trials: 3, because: 'task' }])
})

test('many small doubts bring one stage to the whole suite', () => {
  const tasks = many(10, (i) => staged(`t${i}`, [28, 30], i < 5 ? 'ppfppp' : 'ppp'))
  const requests = planNextStage(tasks, SETTINGS, CONTEXT)
  assert.deepEqual(
    requests.filter(({ because }) => because === 'suite').map(({ task_id: id }) => id),
    ['t5', 't6', 't7', 't8', 't9'],
  )
})

test('a fingerprint that differs buys no further trials', () => {
  const context = { ...CONTEXT, fingerprint_differences: ['model: a → b'] }
  assert.deepEqual(planNextStage([staged('a', [30, 30], 'fff')], SETTINGS, context), [])
})

test('a doubt that no further trial could settle buys none', () => {
  assert.deepEqual(planNextStage([staged('a', [1, 1], 'fff')], { ...SETTINGS, max_trials: 4 }, CONTEXT), [])
})
