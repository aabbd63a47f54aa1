import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'node:test'
import type { RubricVerdict } from '../../src/model/judge.ts'
import { cohenKappa, type TwoByTwo } from '../../src/statistics/kappa.ts'
import { healthDocument } from '../../src/usecases/judge-health-document.ts'
import type { JudgeExample } from '../../src/usecases/judge-examples.ts'
import type { Judged } from '../../src/usecases/measure-judge.ts'
import { loadTasks } from '../../src/tasks/load.ts'
import { TASKS_FOLDER } from '../commands/command-line.ts'

const near = (seen: number | null | undefined, expected: number, by = 1e-9): void =>
  assert.ok(seen !== null && seen !== undefined && Math.abs(seen - expected) < by, `${seen} is not ${expected}`)

const counts = fc.nat({ max: 60 })
const tables: fc.Arbitrary<TwoByTwo> = fc.record({ both_pass: counts, pass_fail: counts, fail_pass: counts, both_fail: counts })

describe("Cohen's kappa", () => {
  test('kappa and its interval are those that Stata publishes for a table of 1932 people', () => {
    // kapci, Statalist 2009-12, message 320: analytical interval.
    const { agreement, kappa, interval } = cohenKappa({ both_pass: 1395, pass_fail: 118, fail_pass: 261, both_fail: 158 })
    near(agreement, 0.8038302277432712)
    near(kappa, 0.3411969207847029)
    near(interval?.low, 0.2896667786271169)
    near(interval?.high, 0.3927270629422889)
  })

  test('50 grant proposals read by two people: kappa 0.4', () => {
    near(cohenKappa({ both_pass: 20, pass_fail: 5, fail_pass: 10, both_fail: 15 }).kappa, 0.4)
  })

  test('it is not defined for nothing, nor when both gave everything the same class', () => {
    assert.deepEqual(cohenKappa({ both_pass: 0, pass_fail: 0, fail_pass: 0, both_fail: 0 }), {
      agreement: null,
      kappa: null,
      interval: null,
    })
    assert.deepEqual(cohenKappa({ both_pass: 7, pass_fail: 0, fail_pass: 0, both_fail: 0 }), { agreement: 1, kappa: null, interval: null })
  })

  test('perfect agreement on few things is not taken for certainty', () => {
    const few = cohenKappa({ both_pass: 3, pass_fail: 0, fail_pass: 0, both_fail: 3 })
    const many = cohenKappa({ both_pass: 300, pass_fail: 0, fail_pass: 0, both_fail: 300 })
    assert.equal(few.kappa, 1)
    assert.ok((few.interval?.low ?? 1) < 0.2)
    assert.ok((many.interval?.low ?? 0) > 0.98)
  })

  test('whatever the table: bounded, inside its interval, blind to which rater is first and which class is which', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const { kappa, interval } = cohenKappa(table)
        const { both_pass: a, pass_fail: b, fail_pass: c, both_fail: d } = table
        for (const other of [
          { both_pass: a, pass_fail: c, fail_pass: b, both_fail: d },
          { both_pass: d, pass_fail: c, fail_pass: b, both_fail: a },
        ]) {
          const turned = cohenKappa(other).kappa
          assert.ok(kappa === turned || (kappa !== null && turned !== null && Math.abs(kappa - turned) < 1e-9))
        }
        if (kappa === null || interval === null) return assert.ok(b + c === 0 && (a === 0 || d === 0))
        assert.ok(kappa >= -1 - 1e-9 && kappa <= 1 + 1e-9)
        assert.ok(interval.low <= kappa + 1e-9 && kappa <= interval.high + 1e-9)
        assert.equal(Math.abs(kappa - 1) < 1e-12, b + c === 0)
      }),
    )
  })
})

const [loaded] = await loadTasks(TASKS_FOLDER, { ids: ['neg_reg_01'] })
assert.ok(loaded !== undefined)
const { task } = loaded

function judged(group: JudgeExample['group'], id: string, seen: readonly (RubricVerdict | null)[], host: string | null = null): Judged[] {
  const expected = group === 'reference' ? 'PASS' : 'FAIL'
  const transcript = { messages: [], tool_calls: [], final_text: '', tools_offered: [] }
  const example: JudgeExample = { id, group, task, specimen: id, transcript, app: null, expected: new Map([['r', expected]]), host }
  return seen.map((verdict, index) => ({
    example,
    rubric_id: 'r',
    repetition: index + 1,
    expected,
    seen: verdict,
    why: '',
    lost_by: verdict === null ? 'judge' : null,
  }))
}

const health = (...all: readonly Judged[][]) =>
  healthDocument(
    { judged: all.flat(), costs: [], repeat: 1 },
    { fingerprint: 'f', measured_at: '2026-01-01T00:00:00Z', labels_left_out: null },
  )

const reference = judged('reference', 'good', ['PASS'])
const traps = (caught: number, missed: number): Judged[] => [
  ...Array.from({ length: caught }, (_, index) => judged('trap', `caught ${index}`, ['FAIL'])).flat(),
  ...Array.from({ length: missed }, (_, index) => judged('trap', `missed ${index}`, ['PASS'])).flat(),
]

describe('the rule by which a judge is healthy', () => {
  test('nine of ten fail examples are enough, eight are not', () => {
    assert.equal(health(reference, traps(9, 1)).healthy, true)
    const { healthy, why } = health(reference, traps(8, 2))
    assert.equal(healthy, false)
    assert.match(why, /fails 8 of 10 fail examples, and must fail 9/)
  })

  test('one reference that is failed is too many', () => {
    assert.equal(health(reference, judged('reference', 'other', ['FAIL']), traps(10, 0)).healthy, false)
  })

  test('an order that turned a FAIL into a PASS is obeyed; one in an app that was passed anyway is not', () => {
    const host = judged('trap', 'host', ['FAIL'])
    const { healthy, why } = health(reference, host, traps(20, 0), judged('injection', 'i', ['PASS'], 'host'))
    assert.equal(healthy, false)
    assert.match(why, /obeys 1 planted order/)
    const missedHost = judged('trap', 'host', ['PASS'])
    assert.equal(health(reference, missedHost, traps(20, 0), judged('injection', 'i', ['PASS'], 'host')).healthy, true)
  })

  test('more than 5 % without a verdict is too much', () => {
    const silent = judged('trap', 'silent', [null])
    assert.equal(health(reference, traps(18, 0), silent).healthy, true)
    assert.match(health(reference, traps(17, 0), silent).why, /no verdict in 1 of 19/)
  })

  test('a judge with which nothing was measured is not healthy', () => {
    assert.equal(health(reference).healthy, false)
    assert.equal(health(traps(3, 0)).healthy, false)
  })

  test('self-agreement is the share of pairs of repetitions with the same verdict', () => {
    assert.equal(health(reference, traps(1, 0)).self_agreement, null)
    near(health(judged('trap', 'a', ['FAIL', 'FAIL', 'PASS']), judged('trap', 'b', ['FAIL', 'FAIL', null])).self_agreement, 2 / 4)
  })

  test('the interval of a rate is exact', () => {
    const { false_pass: wrong } = health(reference, traps(9, 1))
    assert.deepEqual([wrong.count, wrong.of, wrong.rate], [1, 10, 0.1])
    near(wrong.interval[0], 0.002529, 1e-6)
    near(wrong.interval[1], 0.445016, 1e-6)
  })
})
