import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../src/gate/decide.ts'
import type { GateSettings, SpendingMedians, TaskSpending } from '../../src/model/verdict.ts'
import { CONTEXT, SETTINGS, counted, many } from './tasks.ts'

const TASKS = many(10, (i) => counted(`t${i}`, [30, 30], [3, 3]))
const LIMITED: GateSettings = { ...SETTINGS, max_increase: { tokens: 20 } }

/** Ten tasks whose head takes `ratios[i]` times what the baseline took. */
function spending(ratios: readonly number[], metric: keyof SpendingMedians = 'tokens'): TaskSpending[] {
  return ratios.map((ratio, i) => ({
    task_id: `t${i}`,
    head: { [metric]: 1000 * (i + 1) * ratio },
    baseline: { [metric]: 1000 * (i + 1) },
  }))
}

const decideOn = (pairs: readonly TaskSpending[], settings = LIMITED, tasks = TASKS) =>
  decide(tasks, settings, { ...CONTEXT, spending: pairs })

test('a rise above the limit in nearly every task is red and says so in words', () => {
  const decision = decideOn(spending([1.5, 1.4, 1.6, 1.3, 1.5, 1.4, 1.2, 1.7, 1.5, 0.99]))
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /Tokens: the typical task rose by 4\d%.*limit of 20%.*beyond chance/)
  assert.equal(decision.spending?.[0]?.outcome, 'exceeded')
  assert.ok(decision.tasks.every(({ status }) => status === 'stable'))
})

test('a certain rise within the limit is not red, nor a large one that chance explains', () => {
  const small = decideOn(spending(Array.from({ length: 10 }, () => 1.1)))
  assert.equal(small.verdict, 'pass')
  assert.ok((small.spending?.[0]?.p_value ?? 1) < 0.01)
  assert.equal(small.spending?.[0]?.outcome, 'within')
  const luck = decideOn(spending([1.9, 0.4, 1.8, 0.5, 2, 0.3, 1.7, 1.5, 0.6, 1.4]))
  assert.equal(luck.verdict, 'pass')
  assert.equal(luck.spending?.[0]?.outcome, 'suspect')
  assert.match(luck.reason, /chance is not ruled out/)
})

test('an increase of exactly the limit is within it', () => {
  assert.equal(decideOn(spending(Array.from({ length: 10 }, () => 1.2))).spending?.[0]?.outcome, 'within')
})

test('without a limit nothing gates and nothing is said', () => {
  const decision = decideOn(spending(Array.from({ length: 10 }, () => 9)), SETTINGS)
  assert.equal(decision.verdict, 'pass')
  assert.equal(decision.spending, undefined)
})

test('a limit that nothing can be held against is inconclusive, never green by silence', () => {
  const unpriced = decideOn(spending([1, 1, 1], 'tokens'), { ...SETTINGS, max_increase: { cost_usd: 5 } })
  assert.equal(unpriced.verdict, 'inconclusive')
  assert.match(unpriced.reason, /Cost: .*no task has a figure on both sides/)
  const few = decideOn(spending([2, 2, 2]), LIMITED, TASKS.slice(0, 3))
  assert.equal(few.verdict, 'inconclusive')
  assert.match(few.reason, /so few tasks/)
  assert.equal(decideOn(spending([1, 1, 1]), LIMITED, TASKS.slice(0, 3)).verdict, 'pass')
})

test('quarantined, changed and unmeasured tasks do not gate spending either', () => {
  const quarantine = { owner: 'ada', reason: 'slow provider', expires: '2026-02-01' }
  const tasks = TASKS.map((task) => ({ ...task, quarantine }))
  assert.equal(decideOn(spending(Array.from({ length: 10 }, () => 3)), LIMITED, tasks).spending?.[0]?.tasks, 0)
  const changed = TASKS.map((task, i) => ({ ...task, changed: i < 4 }))
  assert.equal(decideOn(spending(Array.from({ length: 10 }, () => 3)), LIMITED, changed).spending?.[0]?.tasks, 6)
})

test('several limits share the error budget, strict needs no evidence, report-only is never red', () => {
  const four: GateSettings = { ...SETTINGS, max_increase: { tokens: 20, cost_usd: 20, wall_ms: 20, tool_calls: 20 } }
  const fiveTasks = TASKS.slice(0, 5)
  const risen = spending([2, 2, 2, 2, 2])
  assert.equal(decideOn(risen, LIMITED, fiveTasks).spending?.[0]?.outcome, 'exceeded')
  assert.equal(decideOn(risen, four, fiveTasks).spending?.find(({ metric }) => metric === 'tokens')?.outcome, 'undecidable')
  assert.equal(decideOn(risen.slice(0, 2), { ...LIMITED, mode: 'strict' }, TASKS.slice(0, 2)).verdict, 'fail')
  const reported = decideOn(risen, { ...LIMITED, mode: 'report-only' }, fiveTasks)
  assert.equal(reported.verdict, 'pass')
  assert.match(reported.reason, /would have been fail: Tokens/)
})

test('a rise from nothing counts as the largest of rises, and nothing to nothing as none', () => {
  const pairs = TASKS.map(({ task_id: id }, i) => ({ task_id: id, head: { tool_calls: i < 7 ? 2 : 0 }, baseline: { tool_calls: 0 } }))
  const settings: GateSettings = { ...SETTINGS, max_increase: { tool_calls: 50 } }
  const decision = decideOn(pairs, settings)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /rose from nothing/)
  assert.equal(decision.spending?.[0]?.typical_increase_percent, null)
  assert.equal(
    decideOn(
      pairs.map((pair) => ({ ...pair, head: pair.baseline })),
      settings,
    ).verdict,
    'pass',
  )
})
