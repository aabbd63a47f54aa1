import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { moreFailuresP, stratifiedMoreFailuresP, type Stratum } from '../../src/statistics/conditional-test.ts'
import { holm } from '../../src/statistics/holm.ts'
import { resampledMeanInterval } from '../../src/statistics/resample.ts'
import { StagedTest } from '../../src/statistics/staged-test.ts'
import { binomial, choose, fisher, ratio } from './exact.ts'

const stratum = fc
  .record({ base_n: fc.integer({ min: 1, max: 40 }), head_n: fc.integer({ min: 1, max: 12 }) })
  .chain(({ base_n, head_n }) =>
    fc.record({
      base_n: fc.constant(base_n),
      head_n: fc.constant(head_n),
      base_failures: fc.integer({ min: 0, max: base_n }),
      head_failures: fc.integer({ min: 0, max: head_n }),
    }),
  )

test('the one-sided test agrees with exact rational arithmetic', () => {
  fc.assert(
    fc.property(stratum, (s) => {
      assert.ok(Math.abs(moreFailuresP(s) - fisher(s.base_n, s.base_failures, s.head_n, s.head_failures)) < 1e-10)
    }),
  )
})

test('Fisher’s tea tasting: 3 of 4 right has p = 17/70', () => {
  assert.ok(Math.abs(moreFailuresP({ base_n: 4, base_failures: 1, head_n: 4, head_failures: 3 }) - 17 / 70) < 1e-12)
})

test('the stratified test is the convolution of its strata, in any order', () => {
  fc.assert(
    fc.property(fc.array(stratum, { minLength: 1, maxLength: 4 }), (strata) => {
      assert.ok(Math.abs(stratifiedMoreFailuresP(strata) - enumerated(strata)) < 1e-9)
      assert.ok(Math.abs(stratifiedMoreFailuresP(strata) - stratifiedMoreFailuresP([...strata].reverse())) < 1e-12)
    }),
    { numRuns: 60 },
  )
})

/** Every combination of head failures, weighed by binomial coefficients. */
function enumerated(strata: readonly Stratum[]): number {
  const seen = strata.reduce((sum, s) => sum + s.head_failures, 0)
  let ways = new Map<number, bigint>([[0, 1n]])
  let all = 1n
  for (const s of strata) {
    const marked = s.base_failures + s.head_failures
    const next = new Map<number, bigint>()
    for (const [sum, count] of ways) {
      for (let x = 0; x <= s.head_n; x += 1) {
        const weight = choose(s.head_n, x) * choose(s.base_n, marked - x)
        next.set(sum + x, (next.get(sum + x) ?? 0n) + count * weight)
      }
    }
    ways = next
    all *= choose(s.base_n + s.head_n, marked)
  }
  return ratio(
    [...ways].reduce((total, [sum, count]) => (sum >= seen ? total + count : total), 0n),
    all,
  )
}

const LOOKS = [
  { n: 3, share: 0.2 },
  { n: 6, share: 0.3 },
  { n: 12, share: 0.5 },
]

test('the staged test never rejects a harmless head more often than it says, at any shared pass rate', () => {
  const staged = new StagedTest(15, LOOKS)
  for (const level of [0.002, 0.01, 0.05]) {
    for (const q of [0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0.97]) {
      const rate = rejectionRate(staged, 15, level, q)
      assert.ok(rate <= level * (1 + 1e-6), `level ${level}, failure rate ${q}: ${rate}`)
    }
  }
})

/** Walks every baseline and every path of failures over the looks. */
function rejectionRate(staged: StagedTest, baseN: number, level: number, q: number): number {
  let total = 0
  for (const [baseFailures, mass] of binomial(baseN, q).entries()) {
    const walk = (look: number, failures: readonly number[], p: number): number => {
      const current = LOOKS[look]
      if (current === undefined || p < 1e-14) return 0
      const before = LOOKS[look - 1]?.n ?? 0
      return binomial(current.n - before, q).reduce((sum, step, more) => {
        const path = [...failures, (failures.at(-1) ?? 0) + more]
        const rejects = staged.pValue(staged.statistic(baseFailures, path)) <= level
        return sum + (rejects ? p * step : walk(look + 1, path, p * step))
      }, 0)
    }
    total += walk(0, [], mass)
  }
  return total
}

test('with one look it is Boschloo’s test: never less sharp than Fisher’s', () => {
  const one = new StagedTest(20, [{ n: 20, share: 1 }])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }), (before, now) => {
      const conditional = fisher(20, before, 20, now)
      assert.ok(one.pValue(one.statistic(before, [now])) <= Math.min(1, conditional) + 1e-9)
    }),
  )
  // Boschloo's p-value for 0 of 10 against 4 of 10 failures; Fisher's is 0.0433 (1-sided).
  const ten = new StagedTest(10, [{ n: 10, share: 1 }])
  const p = ten.pValue(ten.statistic(0, [4]))
  assert.ok(p > 0.01 && p < 0.0433, String(p))
})

test('its p-value rises with fewer failures', () => {
  const staged = new StagedTest(30, LOOKS)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 2 }), (before, f) => {
      assert.ok(staged.pValue(staged.statistic(before, [f])) >= staged.pValue(staged.statistic(before, [f + 1])) - 1e-12)
    }),
  )
})

test('Holm holds the family to alpha and steps down', () => {
  assert.deepEqual(
    holm([0.01, 0.04, 0.03, 0.005], 0.05).map(({ rejected }) => rejected),
    [true, false, false, true],
  )
  assert.deepEqual(
    holm([0.02, 0.02], 0.05).map(({ rejected }) => rejected),
    [true, true],
  )
  assert.deepEqual(holm([], 0.05), [])
})

test('the suite interval is seeded, order does not matter, and it holds the mean', () => {
  const values = [1, 0.9, 0.8, 0.7, 1, 0.95, 0.2]
  const interval = resampledMeanInterval(values)
  assert.deepEqual(interval, resampledMeanInterval([...values].reverse()))
  assert.ok(interval !== null && interval.low < 0.793 && interval.high > 0.793 && interval.low > 0.4)
  assert.equal(resampledMeanInterval([]), null)
})

test('with hundreds of thousands of trials the normal limit takes over and agrees with the exact test', () => {
  const strata = Array.from({ length: 400 }, () => ({ base_n: 5000, base_failures: 250, head_n: 2000, head_failures: 102 }))
  const many = stratifiedMoreFailuresP(strata)
  // Mean 100.57 and variance 67.9 a stratum, so z = (400 · 1.43 − 0.5) / √(400 · 67.9) ≈ 3.47.
  assert.ok(many > 0.0002 && many < 0.0004, String(many))
  // Ten of them are still convolved exactly; there the normal limit would say z = 63.8 / √695 ≈ 2.42, p ≈ 0.0078.
  const few = stratifiedMoreFailuresP(strata.slice(0, 10).map((s) => ({ ...s, head_failures: 109 })))
  assert.ok(few > 0.0076 && few < 0.0084, String(few))
})
