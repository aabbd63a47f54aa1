import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadedTask } from '../../src/model/task.ts'
import { loadTasks } from '../../src/tasks/load.ts'
import { planTrials } from '../../src/usecases/plan-trials.ts'
import { join } from 'node:path'

const IDS = ['neg_reg_01', 'neg_reg_02'] as const
const TASKS: readonly LoadedTask[] = await loadTasks(join(import.meta.dirname, '../../tasks'), { suite: 'regression', ids: IDS })
const REQUESTS = IDS.map((task_id) => ({ task_id, trials: 3 }))
const NONE = new Map<string, number>()
const BOTH = ['head', 'base'] as const

test('trials are interleaved over tasks, so that a run cut short is balanced', () => {
  const order = planTrials(TASKS, REQUESTS, 0, ['head'], 1, NONE).map(({ trial_id: id }) => id)
  assert.deepEqual(order.slice(0, 4), ['neg_reg_01-head-0', 'neg_reg_02-head-0', 'neg_reg_01-head-1', 'neg_reg_02-head-1'])
  assert.equal(order.length, 6)
})

test('both builds get the same trials with the same seeds next to each other, and take turns in going first', () => {
  const planned = planTrials(TASKS, REQUESTS, 0, BOTH, 1, NONE)
  assert.equal(planned.length, 12)
  const first: string[] = []
  for (let i = 0; i < planned.length; i += 2) {
    const pair = planned.slice(i, i + 2)
    assert.deepEqual(new Set(pair.map(({ arm }) => arm)), new Set(BOTH))
    for (const same of ['index', 'seed'] as const) assert.equal(new Set(pair.map((trial) => trial[same])).size, 1)
    assert.equal(new Set(pair.map(({ task }) => task)).size, 1)
    first.push(pair[0]?.arm ?? '')
  }
  assert.deepEqual(first, ['head', 'head', 'base', 'base', 'head', 'head'])
})

test('a later stage goes on where the last one ended, and the same trial always has the same seed', () => {
  const already = new Map([
    ['neg_reg_01 head', 3],
    ['neg_reg_01 base', 3],
  ])
  const later = planTrials(TASKS, [{ task_id: 'neg_reg_01', trials: 2 }], 1, BOTH, 7, already)
  assert.deepEqual(
    later.map(({ trial_id: id }) => id).sort(),
    [3, 4].flatMap((i) => [`neg_reg_01-base-${i}`, `neg_reg_01-head-${i}`]).sort(),
  )
  const atOnce = planTrials(TASKS, [{ task_id: 'neg_reg_01', trials: 5 }], 0, BOTH, 7, NONE)
  for (const trial of later) assert.equal(atOnce.find(({ trial_id: id }) => id === trial.trial_id)?.seed, trial.seed)
  const seeds = new Set(atOnce.map(({ seed }) => seed))
  assert.equal(seeds.size, 5)
  assert.notEqual(planTrials(TASKS, REQUESTS, 0, ['head'], 8, NONE)[0]?.seed, atOnce[0]?.seed)
})

test('tasks get as many trials as were asked for, and unknown ones none', () => {
  const requests = [
    { task_id: 'neg_reg_01', trials: 1 },
    { task_id: 'neg_reg_02', trials: 3 },
    { task_id: 'nowhere', trials: 5 },
  ]
  const counts = Map.groupBy(planTrials(TASKS, requests, 2, ['head'], 1, NONE), ({ task }) => task.task.task_id)
  assert.deepEqual(
    [...counts].map(([id, trials]) => [id, trials.length]),
    [
      ['neg_reg_01', 1],
      ['neg_reg_02', 3],
    ],
  )
})
