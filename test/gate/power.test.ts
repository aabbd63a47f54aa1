import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulatePower, type PowerQuestion } from '../../src/gate/simulate.ts'

const QUESTION: PowerQuestion = {
  runs: 2000,
  seed: 7,
  baseline_n: 30,
  k: 3,
  tasks: 10,
  p_base: 0.95,
  p_head: 0.95,
  changed: 0,
  max_trials: 30,
  alpha: 0.05,
}
// Bounds leave four standard errors of 2,000 runs; the published figures of 10,000 runs are in docs/statistics.md.

test('identical builds are red in at most 5 % of runs at any pass rate, also with a baseline of ten', () => {
  for (const baselineN of [30, 10]) {
    for (const p of [1, 0.98, 0.95, 0.9, 0.8, [1, 0.98, 0.95, 0.9, 0.8, 0.5, 0.3]] as const) {
      const { any_red: red } = simulatePower({ ...QUESTION, runs: 800, p_base: p, p_head: 1, baseline_n: baselineN })
      assert.ok(red <= 0.05, `${String(p)}, baseline ${baselineN}: ${red}`)
    }
  }
})

test('the naive gate cries wolf on most harmless changes, at a cost that the adaptive gate hardly exceeds', () => {
  const answer = simulatePower(QUESTION)
  assert.ok(answer.naive.any_red > 0.7)
  assert.ok(answer.mean_trials_per_task <= 4.6, String(answer.mean_trials_per_task))
})

test('drops that matter are seen', () => {
  const one = simulatePower({ ...QUESTION, changed: 1, p_head: 0.3 })
  assert.ok(one.any_red >= 0.93 && (one.named ?? 0) >= 0.93, JSON.stringify(one))
  const half = simulatePower({ ...QUESTION, p_base: 1, changed: 1, p_head: 0.5 })
  assert.ok(half.any_red >= 0.83 && half.any_red > half.fixed.any_red, JSON.stringify(half))
  const five = simulatePower({ ...QUESTION, k: 5, p_base: 1, changed: 1, p_head: 0.5 })
  assert.ok(five.any_red >= 0.93, JSON.stringify(five))
  const all = simulatePower({ ...QUESTION, changed: 10, p_head: 0.8 })
  assert.ok(all.any_red >= 0.93 && all.any_red > all.fixed.any_red, JSON.stringify(all))
})

test('the same seed gives the same answer, another seed another', () => {
  const few = { ...QUESTION, runs: 200, changed: 1, p_head: 0.7 }
  assert.deepEqual(simulatePower(few), simulatePower(few))
  assert.notDeepEqual(simulatePower(few), simulatePower({ ...few, seed: 8 }))
})
