import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { passAllK, passAllKInterval, passAtK, passRateInterval } from '../../src/statistics/estimates.ts'
import { binomial, choose, ratio } from './exact.ts'

const counts = fc
  .integer({ min: 1, max: 60 })
  .chain((n) => fc.record({ n: fc.constant(n), c: fc.integer({ min: 0, max: n }), k: fc.integer({ min: 1, max: n }) }))

test('pass@k and pass^k agree with exact binomial coefficients', () => {
  fc.assert(
    fc.property(counts, ({ n, c, k }) => {
      assert.ok(Math.abs((passAtK(n, c, k) ?? NaN) - (1 - ratio(choose(n - c, k), choose(n, k)))) < 1e-12)
      assert.ok(Math.abs((passAllK(n, c, k) ?? NaN) - ratio(choose(c, k), choose(n, k))) < 1e-12)
    }),
  )
})

test('pass^k ≤ pass rate ≤ pass@k, and both rise with passes', () => {
  fc.assert(
    fc.property(counts, ({ n, c, k }) => {
      const all = passAllK(n, c, k) ?? NaN
      const any = passAtK(n, c, k) ?? NaN
      assert.ok(all <= c / n + 1e-12 && c / n <= any + 1e-12)
      if (c < n) {
        assert.ok((passAllK(n, c + 1, k) ?? NaN) >= all)
        assert.ok((passAtK(n, c + 1, k) ?? NaN) >= any)
      }
    }),
  )
})

test('fewer trials than k cannot be estimated', () => {
  assert.equal(passAllK(2, 2, 3), null)
  assert.equal(passAtK(2, 2, 3), null)
})

test('Clopper–Pearson matches published values', () => {
  // scipy.stats.binomtest(c, n).proportion_ci(method="exact"); 0 of 10 is the textbook 0.3085.
  const cases: [number, number, number, number][] = [
    [10, 0, 0, 0.3084971],
    [10, 10, 0.6915029, 1],
    [30, 27, 0.7347115, 0.9788829],
    [20, 10, 0.2719578, 0.7280422],
  ]
  for (const [n, c, low, high] of cases) {
    const interval = passRateInterval(n, c)
    assert.ok(Math.abs(interval.low - low) < 1e-6 && Math.abs(interval.high - high) < 1e-6, `${c}/${n}: ${JSON.stringify(interval)}`)
  }
})

test('the intervals of p and of p^k cover at no less than their nominal rate', () => {
  for (const n of [3, 5, 10, 30]) {
    for (let step = 1; step < 40; step += 1) {
      const p = step / 40
      let covered = 0
      let coveredAll = 0
      for (const [c, mass] of binomial(n, p).entries()) {
        const rate = passRateInterval(n, c)
        const all = passAllKInterval(n, c, 3)
        if (rate.low <= p && p <= rate.high) covered += mass
        if (all.low <= p ** 3 && p ** 3 <= all.high) coveredAll += mass
      }
      assert.ok(covered >= 0.95 - 1e-9, `n=${n} p=${p}: ${covered}`)
      assert.ok(coveredAll >= 0.95 - 1e-9, `n=${n} p=${p}: ${coveredAll}`)
    }
  }
})
