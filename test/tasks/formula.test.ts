import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFormula } from '../../src/model/formula.ts'

function value(text: string, inputs: Readonly<Record<string, number>> = {}): number {
  const parsed = parseFormula(text, Object.keys(inputs))
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
  return parsed.formula(inputs)
}

test('formulas mean what mathematics means by them', () => {
  assert.equal(value('1 - 2 - 3'), -4)
  assert.equal(value('12/2/3'), 2)
  assert.equal(value('2^3^2'), 512)
  assert.equal(value('-2^2'), -4)
  assert.equal(value('2^-1'), 0.5)
  assert.equal(value('2 * (3 + 4)'), 14)
  assert.equal(value('4200 / 24'), 175)
  assert.equal(value('exp(0) + ln(1)'), 1)
  assert.equal(value('1 - (1 - p)^k', { p: 0.5, k: 2 }), 0.75)
})

test('nothing but formulas is read', () => {
  for (const text of ['', '1 +', '(1', '1)', '2 3', 'q', 'p(2)', 'exp', 'constructor(1)', '1; alert(1)', 'p..k', '1,5', '𝟙'])
    assert.equal(parseFormula(text, ['p', 'k']).ok, false, text)
})

test('sums and products of any numbers are those of JavaScript', () => {
  const number = fc.integer({ min: 0, max: 999 })
  fc.assert(
    fc.property(number, number, number, (a, b, c) => {
      assert.equal(value(`${a} + ${b} * ${c} - (${a} - ${c})`), a + b * c - (a - c))
    }),
  )
})
