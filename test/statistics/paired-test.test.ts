import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { moreFailuresP } from '../../src/statistics/conditional-test.ts'
import { PairedTest, type PairedLook } from '../../src/statistics/paired-test.ts'

const LOOKS: readonly PairedLook[] = [
  { base_n: 2, head_n: 2, share: 0.4 },
  { base_n: 4, head_n: 5, share: 0.6 },
]

/** Every course of both builds over 4 and 5 trials, with its statistic and the number of failures. */
const COURSES = Array.from({ length: 2 ** 9 }, (_, bits) => {
  const failed = (from: number, to: number): number =>
    Array.from({ length: to - from }, (_x, i) => (bits >> (from + i)) & 1).reduce((sum, bit) => sum + bit, 0)
  const base = [failed(0, 2), failed(0, 4)]
  const head = [failed(4, 6), failed(4, 9)]
  const weighted = LOOKS.map(({ base_n: baseN, head_n: headN, share }, look) => {
    const stratum = { base_n: baseN, base_failures: base[look] ?? 0, head_n: headN, head_failures: head[look] ?? 0 }
    return moreFailuresP(stratum) / share
  })
  return { base, head, statistic: Math.min(...weighted), failures: (base[1] ?? 0) + (head[1] ?? 0) }
})

function alarmRate(statistic: number, q: number): number {
  return COURSES.filter((course) => course.statistic <= statistic * (1 + 1e-9)).reduce(
    (sum, { failures }) => sum + q ** failures * (1 - q) ** (9 - failures),
    0,
  )
}

test('the p-value of a paired course is its largest alarm rate, by walking every course of both builds', () => {
  const paired = new PairedTest(LOOKS)
  const rates = Array.from({ length: 199 }, (_, i) => (i + 1) / 200)
  const statistics = [...new Set(COURSES.map(({ statistic }) => statistic))].filter((statistic) => statistic < 0.5)
  assert.ok(statistics.length > 3)
  for (const statistic of statistics) {
    const p = paired.pValue(statistic)
    const walked = rates.map((q) => alarmRate(statistic, q))
    for (const rate of walked) assert.ok(rate <= p + 1e-6, `alarm rate ${rate} above p ${p}`)
    assert.ok(p - Math.max(...walked) < 2e-3, `p ${p} is not reached: ${Math.max(...walked)}`)
    assert.ok(p <= statistic)
  }
  for (const { base, head, statistic } of COURSES) assert.ok(Math.abs(paired.statistic(base, head) - statistic) < 1e-9)
})

test('under any rule for stopping, a build like the other is rejected at most at the level', () => {
  const paired = new PairedTest(LOOKS)
  const level = 0.1
  // The most that a stopping rule can do: stop at whichever look is below the cut.
  for (const q of [0.05, 0.2, 0.5, 0.8]) {
    const rejected = COURSES.filter(({ statistic }) => paired.pValue(statistic) <= level).reduce(
      (sum, { failures }) => sum + q ** failures * (1 - q) ** (9 - failures),
      0,
    )
    assert.ok(rejected <= level + 1e-9)
  }
})

test('more failures of head never raise the p-value, more of the base build never lower it', () => {
  const paired = new PairedTest([{ base_n: 6, head_n: 6, share: 1 }])
  const p = (base: number, head: number): number => paired.pValue(paired.statistic([base], [head]))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), (base, head) => {
      assert.ok(p(base, head + 1) <= p(base, head) + 1e-9)
      assert.ok(p(base + 1, head) >= p(base, head) - 1e-9)
    }),
  )
})

test('detection at the critical statistic is the level when the builds are alike, and near 1 when they are not', () => {
  const looks = [3, 6, 12, 30].map((n, i, all) => ({ base_n: n, head_n: n, share: (n - (all[i - 1] ?? 0)) / 30 }))
  const paired = new PairedTest(looks)
  const critical = paired.critical(0.02)
  const always = (): boolean => true
  for (const q of [0.02, 0.1, 0.5]) assert.ok(paired.detection(critical, q, q, always) <= 0.02 + 1e-6)
  assert.ok(paired.detection(critical, 0.05, 0.7, always) > 0.99)
  assert.equal(paired.detection(critical, 0.05, 0.7, () => false) < 0.99, true)
  assert.ok(paired.pValue(critical) <= 0.02)
})
