import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decide } from '../../src/gate/decide.ts'
import type { GateDecision, GateTask } from '../../src/model/verdict.ts'
import { CONTEXT, SETTINGS, counted, many, staged } from './tasks.ts'

function statusOf(decision: GateDecision, id: string): string | undefined {
  return decision.tasks.find((task) => task.task_id === id)?.status
}

test('identical counts: every difference is exactly zero and the verdict is pass', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }), (passes) => {
      const decision = decide(
        passes.map((c, i) => counted(`t${i}`, [c, 30], [c, 30])),
        SETTINGS,
        CONTEXT,
      )
      assert.equal(decision.verdict, 'pass')
      for (const task of decision.tasks) {
        assert.equal(task.status, 'stable')
        assert.equal((task.head?.pass_k ?? NaN) - (task.baseline?.pass_k ?? NaN), 0)
      }
      assert.deepEqual(decision.suite.head, decision.suite.baseline)
    }),
    { numRuns: 30 },
  )
})

test('49 perfect tasks and one that fails ten times is red and names that task', () => {
  const tasks = many(50, (i) => counted(`t${i}`, [10, 10], i === 17 ? [0, 10] : [10, 10]))
  const decision = decide(tasks, SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /t17 \(10\/10 → 0\/10\)/)
  assert.deepEqual(
    decision.tasks.filter(({ status }) => status === 'regressed').map(({ task_id: id }) => id),
    ['t17'],
  )
})

test('three infrastructure errors and one pass are unmeasured and inconclusive, never 100 %', () => {
  const decision = decide([staged('a', [30, 30], 'iiip'), staged('b', [30, 30], 'ppp')], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.equal(statusOf(decision, 'a'), 'unmeasured')
  assert.equal(decision.tasks[0]?.head?.pass_k, null)
  assert.match(decision.reason, /\ba\b/)
})

test('a changed model or judge is inconclusive and named, and no task is called worse', () => {
  const context = { ...CONTEXT, fingerprint_differences: ['judge: off → gpt/2'] }
  const decision = decide([counted('a', [30, 30], [0, 10])], SETTINGS, context)
  assert.equal(decision.verdict, 'inconclusive')
  assert.match(decision.reason, /judge: off → gpt\/2/)
  assert.equal(statusOf(decision, 'a'), 'changed')
  assert.equal(decision.tasks[0]?.p_value, null)
})

test('a deleted task is not green by silence, unless its removal was accepted by name', () => {
  const tasks = [counted('kept', [30, 30], [3, 3]), counted('gone', [12, 30], null)]
  const decision = decide(tasks, SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.match(decision.reason, /gone/)
  assert.equal(statusOf(decision, 'gone'), 'removed')
  assert.equal(decide(tasks, SETTINGS, { ...CONTEXT, accepted_removals: ['gone'] }).verdict, 'pass')
})

test('a planned task that never ran, and a run cut short, are inconclusive', () => {
  const never = { ...counted('a', [30, 30], [0, 0]), head_trials: [] }
  assert.equal(decide([never, counted('b', [30, 30], [3, 3])], SETTINGS, CONTEXT).verdict, 'inconclusive')
  const cut = decide([counted('b', [30, 30], [3, 3])], SETTINGS, { ...CONTEXT, incomplete: 'The money limit was reached.' })
  assert.equal(cut.verdict, 'inconclusive')
  assert.match(cut.reason, /money limit/)
})

test('no baseline, or only new and changed tasks, compares nothing and is inconclusive', () => {
  assert.equal(decide([counted('a', null, [3, 3])], SETTINGS, { ...CONTEXT, no_baseline: 'none was found.' }).verdict, 'inconclusive')
  const decision = decide([counted('a', null, [3, 3]), counted('b', [30, 30], [0, 3], { changed: true })], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.deepEqual([statusOf(decision, 'a'), statusOf(decision, 'b')], ['new', 'changed'])
})

test('new and changed tasks beside compared ones pass, and the reason says that they were not compared', () => {
  const decision = decide([counted('a', [30, 30], [3, 3]), counted('b', null, [0, 3])], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'pass')
  assert.match(decision.reason, /1 new/)
})

test('an edited task that the build fails is not green by silence, unless the edit was accepted by name', () => {
  const beside = many(3, (i) => counted(`t${i}`, [30, 30], [3, 3]))
  const edited = (head: [number, number]) => [...beside, counted('edited', [30, 30], head, { changed: true })]
  const failing = decide(edited([1, 3]), SETTINGS, CONTEXT)
  assert.equal(failing.verdict, 'inconclusive')
  assert.match(failing.reason, /edited \(1\/3\).*accepted-changes/)
  assert.equal(statusOf(failing, 'edited'), 'changed')
  assert.equal(decide(edited([1, 3]), SETTINGS, { ...CONTEXT, accepted_changes: ['edited'] }).verdict, 'pass')
  assert.equal(decide(edited([1, 3]), SETTINGS, { ...CONTEXT, accepted_changes: ['t1'] }).verdict, 'inconclusive')
  const passing = decide(edited([5, 6]), SETTINGS, CONTEXT)
  assert.equal(passing.verdict, 'pass')
  assert.match(passing.reason, /1 changed/)
})

test('an edited task in quarantine does not hold up a run; a regression beside an edited one is still red', () => {
  const quarantine = { owner: 'ada', reason: 'being rewritten', expires: '2026-02-01' }
  const resting = counted('edited', [30, 30], [0, 3], { changed: true, quarantine })
  assert.equal(decide([counted('a', [30, 30], [3, 3]), resting], SETTINGS, CONTEXT).verdict, 'pass')
  const worse = decide([counted('a', [30, 30], [0, 10]), counted('edited', [30, 30], [0, 3], { changed: true })], SETTINGS, CONTEXT)
  assert.equal(worse.verdict, 'fail')
})

test('a small drop everywhere is seen though no task is certain', () => {
  const decision = decide(
    many(10, (i) => counted(`t${i}`, [29, 30], [7, 9])),
    SETTINGS,
    CONTEXT,
  )
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /suite as a whole/)
  assert.ok(decision.tasks.every(({ status }) => status !== 'regressed'))
  assert.ok((decision.suite.p_value ?? 1) <= (decision.suite.level ?? 0))
})

test('a golden task below its floor is red whatever the baseline says', () => {
  const low = counted('g', [1, 30], [0, 12], { golden: true })
  const decision = decide([low, counted('a', [30, 30], [3, 3])], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.tasks[0]?.reason ?? '', /floor of 50%/)
  assert.equal(decide([{ ...low, golden: false }, counted('a', [30, 30], [3, 3])], SETTINGS, CONTEXT).verdict, 'pass')
})

test('quarantine is run and shown but does not gate; expired it gates again', () => {
  const quarantine = { owner: 'ada', reason: 'provider outage', expires: '2026-02-01' }
  const tasks = [counted('q', [30, 30], [0, 10], { quarantine }), counted('a', [30, 30], [10, 10])]
  const held = decide(tasks, SETTINGS, CONTEXT)
  assert.equal(held.verdict, 'pass')
  assert.equal(statusOf(held, 'q'), 'regressed')
  assert.match(held.tasks[0]?.reason ?? '', /ada.*provider outage/)
  const expired = decide(tasks, SETTINGS, { ...CONTEXT, today: '2026-02-02' })
  assert.equal(expired.verdict, 'fail')
  assert.match(expired.tasks[0]?.reason ?? '', /expired/)
})

test('strict is red on any fall of pass^k, report-only never', () => {
  const tasks = [counted('a', [30, 30], [2, 3])]
  assert.equal(decide(tasks, { ...SETTINGS, mode: 'strict' }, CONTEXT).verdict, 'fail')
  const bad = [counted('a', [30, 30], [0, 10])]
  const decision = decide(bad, { ...SETTINGS, mode: 'report-only' }, CONTEXT)
  assert.equal(decision.verdict, 'pass')
  assert.match(decision.reason, /would have been fail/)
  assert.equal(statusOf(decision, 'a'), 'regressed')
})

test('a design that could not have seen any drop says so', () => {
  const decision = decide([counted('a', [2, 2], [2, 3])], SETTINGS, CONTEXT)
  assert.equal(decision.verdict, 'inconclusive')
  assert.match(decision.reason, /could not have seen any drop/)
  assert.equal(decision.smallest_drop_seen, null)
})

test('a task that got better beyond chance is improved', () => {
  assert.equal(statusOf(decide([counted('a', [3, 30], [29, 30])], SETTINGS, CONTEXT), 'a'), 'improved')
})

const anyTask = fc.record({
  base: fc.option(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.constant(20)), { nil: null }),
  trials: fc.array(fc.constantFrom('p', 'p', 'p', 'f', 'i'), { minLength: 0, maxLength: 14 }),
  golden: fc.boolean(),
})

test('verdict and statuses do not depend on order or names of tasks', () => {
  fc.assert(
    fc.property(fc.array(anyTask, { minLength: 1, maxLength: 6 }), fc.boolean(), (made, adaptive) => {
      const build = (rename: (i: number) => string): GateTask[] =>
        made.map(({ base, trials, golden }, i) => {
          const task = staged(rename(i), base === null ? null : [base[0], base[1]], trials.join(''), { golden })
          return adaptive
            ? task
            : counted(task.task_id, base === null ? null : [base[0], base[1]], [task.head?.c ?? 0, task.head?.n ?? 0], { golden })
        })
      const plain = decide(
        build((i) => `t${i}`),
        SETTINGS,
        CONTEXT,
      )
      const other = decide(build((i) => `z${9 - i}`).reverse(), SETTINGS, CONTEXT)
      assert.equal(other.verdict, plain.verdict)
      assert.deepEqual(
        [...other.tasks].reverse().map(({ status, p_value }) => ({ status, p_value })),
        plain.tasks.map(({ status, p_value }) => ({ status, p_value })),
      )
      assert.deepEqual(other.suite, plain.suite)
      assert.equal(other.smallest_drop_seen, plain.smallest_drop_seen)
    }),
    { numRuns: 60 },
  )
})
