import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { passAllK, passAllKInterval } from '../../src/statistics/estimates.ts'
import { mean } from '../../src/statistics/resample.ts'
import { meanPassAllKInterval } from '../../src/statistics/suite-interval.ts'

const alike = (tasks: number, n: number, c: number) => Array.from({ length: tasks }, () => ({ n, c }))

test('a suite that passed throughout is not certain: the low end is what so many trials can tell', () => {
  const interval = meanPassAllKInterval(alike(10, 3, 3), 3)
  assert.ok(Math.abs((interval?.low ?? 0) - 0.025 ** (3 / 30)) < 1e-9)
  assert.equal(interval?.high, 1)
  const long = meanPassAllKInterval(alike(10, 30, 30), 3)
  assert.ok((long?.low ?? 0) > 0.96 && (long?.low ?? 1) < 1)
})

test('a suite that failed throughout may still pass now and then', () => {
  const interval = meanPassAllKInterval(alike(10, 3, 0), 3)
  assert.equal(interval?.low, 0)
  assert.ok(Math.abs((interval?.high ?? 0) - (1 - 0.025 ** (1 / 30))) < 1e-9)
})

test('a single task has its own exact interval; nothing measured has none', () => {
  assert.deepEqual(meanPassAllKInterval([{ n: 9, c: 6 }], 3), passAllKInterval(9, 6, 3))
  assert.equal(meanPassAllKInterval([{ n: 2, c: 2 }], 3), null)
})

test('the interval has width, holds the estimate, and does not depend on the order of tasks', () => {
  const arm = fc.integer({ min: 3, max: 30 }).chain((n) => fc.integer({ min: 0, max: n }).map((c) => ({ n, c })))
  fc.assert(
    fc.property(fc.array(arm, { minLength: 1, maxLength: 8 }), (arms) => {
      const interval = meanPassAllKInterval(arms, 3)
      const estimate = mean(arms.map(({ n, c }) => passAllK(n, c, 3) ?? 0)) ?? 0
      assert.ok(interval !== null && interval.low < interval.high)
      if (arms.length > 1) assert.ok(interval.low <= estimate + 1e-12 && estimate <= interval.high + 1e-12)
      assert.deepEqual(meanPassAllKInterval([...arms].reverse(), 3), interval)
    }),
    { numRuns: 60 },
  )
})
