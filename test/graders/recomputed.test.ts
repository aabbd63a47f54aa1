import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { callbackChecks } from '../../src/graders/callback.ts'
import { groundingOf } from '../../src/graders/grounding.ts'
import { interactionChecks } from '../../src/graders/interaction.ts'
import { changedNumbers, showsValue, shownNumbers } from '../../src/graders/shown-numbers.ts'
import type { Check } from '../../src/model/check.ts'
import type { ObservedState } from '../../src/model/outcome.ts'
import type { Recomputation } from '../../src/model/recomputation.ts'
import { anOutcome, aState, aStep, aTask } from './trial-builders.ts'

const PASS_METRICS: Recomputation = {
  what: 'pass@k and pass^k',
  inputs: [
    { name: 'p', min: 0, max: 1 },
    { name: 'k', min: 1, max: 10 },
  ],
  shows: [
    { figure: 'pass@k', formulas: ['1 - (1 - p)^k'] },
    { figure: 'pass^k', formulas: ['p^k'] },
  ],
}

/** A page with sliders for p and k whose k is moved from 3 to 5. */
function moved(
  recomputes: Recomputation[],
  after: string,
  before = 'p = 0.7',
  form: readonly [string, string] = ['0.7\n3', '0.7\n5'],
): Check {
  const state = (index: number, rendered: string, formValues: string): ObservedState => ({
    ...aState({ index }),
    text: { rendered, hidden: '', attributes: '', form_values: formValues },
  })
  const outcome = anOutcome({
    states: [state(0, before, form[0]), state(1, after, form[1])],
    steps: [aStep({ action: 'set_range', target: '#k', name: 'Trials k', value: '5', sent: false })],
  })
  const check = interactionChecks(aTask({ own_assertions: { recomputes } }), outcome, groundingOf(outcome)).find(
    ({ name }) => name === 'recomputed',
  )
  assert.ok(check)
  return check
}

const WRITTEN = [
  'pass@k 99.8% pass^k 16.8%',
  'at least one: 0.998, all: 0.168',
  'pass@5 = 99.757 % and pass^5 = 16.807 %',
  'about 100 of 100 users, but only 17 of 100',
  'table: k=1 70% 70%; k=5 99.76% 16.81%; k=10 100% 2.8%',
]
for (const text of WRITTEN)
  test(`the right figures are found however they are written: ${text}`, () => {
    const check = moved([PASS_METRICS], text)
    assert.deepEqual([check.status, check.diagnostic], ['pass', true], JSON.stringify(check.evidence))
  })

const WRONG = ['pass@k 97.3% pass^k 34.3%', 'pass@k 99.8% pass^k 0%', 'pass@k 99.8% pass^k 50.0%', 'pass@k 0 pass^k 0, w16 and h99']
for (const text of WRONG)
  test(`figures of another setting, or wrong ones, are seen: ${text}`, () => {
    const check = moved([PASS_METRICS], text)
    assert.deepEqual([check.status, check.failure_class, check.diagnostic], ['fail', null, true], JSON.stringify(check.evidence))
    assert.match(check.evidence.message, /Trials k.*5.*pass\^k \(0\.16807\).*p = 0\.7, k = 5/u)
  })

test('a slider in percent counts by its hundredth', () =>
  assert.equal(moved([PASS_METRICS], 'at 99.8%, hat 16.8%', '', ['70\n3', '70\n5']).status, 'pass'))

test('what cannot be compared is skipped: no figures written, other units, nothing moved', () => {
  assert.equal(moved([PASS_METRICS], 'a chart without numbers').status, 'skipped')
  assert.equal(moved([PASS_METRICS], '99.8% 16.8%', '', ['medium\nfew', 'medium\nmany']).status, 'skipped')
  assert.equal(moved([PASS_METRICS], '97.3% 34.3%', '97.3% 34.3%', ['0.7\n3', '0.7\n3']).status, 'skipped')
})

test('a task may let it decide, then the trial fails by it', () => {
  const check = moved([{ ...PASS_METRICS, decides: true }], 'pass@k 97.3% pass^k 34.3%')
  assert.deepEqual([check.status, check.failure_class, check.diagnostic], ['fail', 'rubric_fail', false])
  assert.equal(moved([{ ...PASS_METRICS, decides: true }], 'pass@k 99.8% pass^k 16.8%').diagnostic, false)
})

test('a label that follows the slider is no recomputation', () => {
  const bars = { what: 'probabilities', changes: 3 }
  assert.equal(moved([bars], 'T 5: mat 51% sofa 30% floor 19%', 'T 3: mat 80% sofa 15% floor 5%').status, 'pass')
  assert.equal(moved([bars], 'T 5: mat 80% sofa 15% floor 5%', 'T 3: mat 80% sofa 15% floor 5%').status, 'fail')
  assert.equal(moved([bars], 'T 5', 'T 3').status, 'skipped')
})

test('numbers are read as people write them, and not out of names', () => {
  const values = shownNumbers('w1 = −0.5, A100 at $1,234.50/hr; 92,6 h; 1,000,000; 3e-4; k=7; v2.1').map(({ value }) => value)
  assert.deepEqual(values, [-0.5, 1234.5, 92.6, 1_000_000, 0.0003, 7])
})

test('a rounded number shows the value that it was rounded from, as a share and as a percentage', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.0001, max: 1, noNaN: true }), fc.integer({ min: 1, max: 6 }), (value, decimals) => {
      const [share] = shownNumbers(`so ${value.toFixed(decimals)}`)
      const [percentage] = shownNumbers(`so ${(value * 100).toFixed(decimals)}%`)
      assert.ok(share !== undefined && showsValue(share, value))
      assert.ok(percentage !== undefined && showsValue(percentage, value))
    }),
  )
})

test('a number with three digits more than another is told apart', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.05, max: 0.95, noNaN: true }), (value) => {
      const [shown] = shownNumbers((value + 0.002).toFixed(4))
      assert.ok(shown !== undefined && !showsValue(shown, value))
    }),
  )
})

test('as many numbers changed as are new, however they are ordered', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.array(fc.integer({ min: 51, max: 90 })), (kept, fresh) => {
      const before = shownNumbers(kept.join(' '))
      const after = shownNumbers([...fresh, ...kept.toReversed()].join(' '))
      assert.equal(changedNumbers(before, after, -1), fresh.length)
    }),
  )
})

const CRON = { payload_patterns: { cron: '^(\\S*[0-9*]\\S*\\s+){4}\\S+$' } }
function sent(...payloads: readonly unknown[]): Check {
  const outcome = anOutcome({ bridge_calls: payloads.map((payload, index) => ({ ok: true, t_ms: 1, step: index + 1, payload })) })
  const schema = { type: 'object', required: ['cron'], properties: { cron: { type: 'string' } } }
  const check = callbackChecks(aTask({ expected_callback_schema: schema, own_assertions: CRON }), outcome).find(
    ({ name }) => name === 'payload_patterns',
  )
  assert.ok(check)
  return check
}

test('one valid payload must match the patterns of the task', () => {
  assert.equal(sent({ cron: '0 8 * * 1-5' }).status, 'pass')
  assert.equal(sent({ cron: 'Every day at 08:00' }, { cron: ' 0 8 * * * ' }).status, 'pass')
  const wrong = sent({ cron: 'Every day at 08:00' })
  assert.deepEqual([wrong.status, wrong.failure_class], ['fail', 'invalid_callback'])
  assert.match(wrong.evidence.message, /Every day at 08:00/u)
  assert.equal(sent({ cron: `0 ${'8'.repeat(5000)} * * *` }).status, 'fail')
  assert.equal(sent({ cron: 5 }).status, 'skipped')
})
