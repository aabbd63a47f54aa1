import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decide } from '../../src/gate/decide.ts'
import { pairedGateTasks } from '../../src/gate/pool.ts'
import { simulatePower, type PowerQuestion } from '../../src/gate/simulate.ts'
import { planNextStage } from '../../src/gate/stages.ts'
import type { GateTask } from '../../src/model/verdict.ts'
import { baselineWith } from '../baseline/repositories.ts'
import { CONTEXT, SETTINGS, many, staged } from './tasks.ts'

/** A task of which both builds ran: `p` pass, `f` fail, `i` infrastructure trouble. */
function sideBySide(id: string, base: string, head: string, extra: Partial<GateTask> = {}): GateTask {
  const before = staged(id, null, base)
  return { ...staged(id, null, head, extra), baseline: before.head, baseline_trials: before.head_trials ?? [] }
}

test('two builds that do the same are equal to the last bit, and the run passes', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[pf]{9}$/), { minLength: 1, maxLength: 8 }), (courses) => {
      const decision = decide(
        courses.map((course, i) => sideBySide(`t${i}`, course, course)),
        SETTINGS,
        CONTEXT,
      )
      assert.equal(decision.verdict, 'pass')
      assert.deepEqual(decision.suite.head, decision.suite.baseline)
    }),
    { numRuns: 30 },
  )
})

test('each look compares equally many trials: later trials of one build alone change no p-value', () => {
  const even = decide([sideBySide('a', 'pppppp', 'ffpfff')], SETTINGS, CONTEXT)
  const longer = decide([sideBySide('a', 'pppppppp', 'ffpfff')], SETTINGS, CONTEXT)
  assert.equal(longer.tasks[0]?.p_value, even.tasks[0]?.p_value)
})

test('a build that fails beside one that passes asks for more of both, until it is red', () => {
  const others = many(4, (i) => sideBySide(`other${i}`, 'ppp', 'ppp'))
  const start = planNextStage([sideBySide('a', '', ''), ...many(4, (i) => sideBySide(`other${i}`, '', ''))], SETTINGS, CONTEXT)
  assert.deepEqual(
    start.map(({ trials }) => trials),
    [3, 3, 3, 3, 3],
  )
  const doubt = [sideBySide('a', 'ppp', 'fff'), ...others]
  assert.deepEqual(planNextStage(doubt, SETTINGS, CONTEXT), [{ task_id: 'a', trials: 3, because: 'task' }])
  const certain = [sideBySide('a', 'ppppppppp', 'fffffffff'), ...others]
  assert.equal(planNextStage(certain, SETTINGS, CONTEXT).length, 0)
  const decision = decide(certain, SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.tasks[0]?.reason ?? '', /9\/9 on the base build, 0\/9 now/)
})

test('a base build that could not be measured makes the task unmeasured and the run inconclusive', () => {
  const decision = decide([sideBySide('a', 'iip', 'ppp'), sideBySide('b', 'ppp', 'ppp')], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.equal(decision.tasks[0]?.status, 'unmeasured')
  assert.match(decision.tasks[0]?.reason ?? '', /base build/)
})

test('a paired design that could see nothing says so instead of passing', () => {
  const decision = decide([sideBySide('a', 'pp', 'pf')], { ...SETTINGS, k: 2, max_trials: 2 }, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.match(decision.reason, /could not have seen any drop.*max-trials/)
})

test('of the stored baseline only the names count: an edited task is compared, a deleted one is not green by silence', () => {
  const trials = ['pass', 'pass', 'pass'] as const
  const head = [{ task_id: 'a', digest: 'edited', golden: false, trials, base_trials: trials }]
  const tasks = pairedGateTasks(baselineWith(10, ['a', 'gone']), head, null)
  const decision = decide(tasks, SETTINGS, CONTEXT)
  assert.deepEqual(
    decision.tasks.map(({ task_id: id, status }) => [id, status]),
    [
      ['a', 'stable'],
      ['gone', 'removed'],
    ],
  )
  assert.equal(decision.verdict, 'inconclusive')
  assert.equal(decide(tasks, SETTINGS, { ...CONTEXT, accepted_removals: ['gone'] }).verdict, 'pass')
})

const PAIRED: PowerQuestion = {
  runs: 400,
  seed: 1,
  baseline_n: 0,
  paired: true,
  k: 3,
  tasks: 10,
  p_base: 0.9,
  p_head: 0.3,
  changed: 0,
  max_trials: 30,
  alpha: 0.05,
}

test('simulated paired runs: false alarms within the budget, a clear drop found and named', () => {
  for (const rate of [0.95, 0.8]) assert.ok(simulatePower({ ...PAIRED, p_base: rate }).any_red <= 0.05)
  const drop = simulatePower({ ...PAIRED, runs: 200, p_base: 0.95, changed: 1 })
  assert.ok(drop.any_red > 0.85)
  assert.ok((drop.named ?? 0) > 0.85)
  assert.ok((drop.smallest_drop_seen ?? 1) < 0.65)
})
