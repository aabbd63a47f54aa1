import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromPattern, numberFor } from '../../../src/outcome/explorer/answers.ts'
import { payloadsDiffer } from '../../../src/outcome/explorer/payload.ts'

test('a made-up answer fits the pattern it was made for', () => {
  for (const pattern of ['[A-Z]{2}-\\d{4}', '\\d{5}', '[a-z]+@[a-z]+\\.com', '^[0-9]{3}-[0-9]{2}$']) {
    for (const turn of [0, 1]) {
      const made = fromPattern(pattern, turn)
      assert.ok(made !== null && new RegExp(`^(?:${pattern})$`).test(made), `${pattern}: ${made ?? 'nothing'}`)
    }
  }
  assert.equal(fromPattern('(?=.*[A-Z])(?=.*\\d).{8,}', 0), null)
})

test('a number lies between the limits, on a step, and is not the one shown', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 2, max: 40 }),
      fc.constantFrom(1, 2, 0.5),
      fc.integer({ min: 0, max: 3 }),
      (min, steps, step, turn) => {
        const max = min + steps * step
        const shown = String(min + Math.floor(steps / 2) * step)
        const chosen = numberFor({ min, max, step, value: shown }, turn)
        assert.ok(chosen >= min && chosen <= max)
        assert.ok(Math.abs((chosen - min) / step - Math.round((chosen - min) / step)) < 1e-6)
        assert.notEqual(String(chosen), shown)
      },
    ),
  )
})

test('payloads differ by choices, not by moments, spans, labels or the order of keys', () => {
  const base = { action: 'done', hours: 3, topics: ['a'], timestamp: '2026-01-01T10:00:00Z', elapsed_ms: 120 }
  assert.ok(!payloadsDiffer(base, { elapsed_ms: 990, timestamp: '2026-01-02T11:00:00Z', topics: ['a'], hours: 3, action: 'done' }))
  assert.ok(!payloadsDiffer({ at: 1_790_000_000_000 }, { at: 1_790_000_009_999 }))
  assert.ok(payloadsDiffer(base, { ...base, hours: 4 }))
  assert.ok(payloadsDiffer(base, { ...base, topics: ['b'] }))
  assert.ok(payloadsDiffer({ decisions: [{ id: 'm1' }] }, { decisions: [{ id: 'm2' }] }))
  assert.ok(payloadsDiffer({ review_date: '2030-06-17' }, { review_date: '2030-07-22' }))
})
