import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isQuoted, LEAST_QUOTED, normaliseQuotation } from '../../src/judge/quotation.ts'
import { repeatedKey } from '../../src/judge/repeated-key.ts'
import { visibleCharacters } from '../../src/judge/visible-characters.ts'

const graphemes = (text: string): string[] => Array.from(new Intl.Segmenter('und').segment(text), ({ segment }) => segment)
const wordCharacters = (text: string): number => normaliseQuotation(text).match(/[\p{L}\p{N}]/gu)?.length ?? 0
const anyText = fc.oneof(fc.lorem({ maxCount: 30 }), fc.string({ unit: 'grapheme', maxLength: 80 }))

test('every passage of enough letters is found, in any case, spacing and kind of quotes', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, from, length) => {
      const material = visibleCharacters(text)
      const parts = graphemes(text)
      const start = parts.length === 0 ? 0 : from % parts.length
      const passage = parts.slice(start, start + 1 + (length % 40)).join('')
      fc.pre(wordCharacters(passage) >= LEAST_QUOTED)
      assert.ok(isQuoted(passage, ['something else', material]))
      assert.ok(isQuoted(` “${passage}”\n`, [material]))
      assert.ok(isQuoted(passage.replaceAll(' ', '\n\t '), [material]))
    }),
  )
})

test('a passage that is not there is never found', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, quotation) => {
      const wanted = normaliseQuotation(quotation)
      const inner = wanted.replace(/^(["'])(.*)\1$/su, '$2').trim()
      const there = [wanted, inner].some((each) => normaliseQuotation(text).includes(each))
      if (!there) assert.ok(!isQuoted(quotation, [text]))
    }),
  )
})

test('a changed letter is not found', () => {
  fc.assert(
    fc.property(fc.lorem({ mode: 'sentences', maxCount: 5 }), fc.nat(), (text, at) => {
      const place = at % text.length
      const changed = `${text.slice(0, place)}§${text.slice(place + 1)}`
      assert.ok(!isQuoted(changed, [text]))
    }),
  )
})

test('the stated rule by example', () => {
  const pieces = ['Total: $1,234.50 — “net”\nPay now\n5\nＡＢＣ ﬁne', 'Second piece']
  for (const found of [
    'total: $1,234.50',
    '- "net" pay',
    'PAY\n NOW',
    '`net`'.replaceAll('`', '"'),
    '5',
    'abc fine',
    "'Pay now'",
    'pay\u200B now',
    'pa\uFEFFy now',
    'pay\r\vnow',
  ])
    assert.ok(isQuoted(found, pieces), found)
  for (const missing of ['', ' ', '4', 'y n', '…', '"5', 'Pay … now', 'net Second', 'pieces', 'Total: $1234.50', '⟨U+200B⟩'])
    assert.ok(!isQuoted(missing, pieces), missing)
})

test('a key that stands twice is found at any depth and in any spelling, and no other', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
      assert.equal(repeatedKey(JSON.stringify(value)), null)
      assert.equal(repeatedKey(JSON.stringify(value, null, 2)), null)
      const text = JSON.stringify(value)
      assert.equal(repeatedKey(`[{"a":${text},"b":[${text}],"\\u0061":1}]`), 'a')
    }),
  )
  assert.equal(repeatedKey('{"a":{"b":1},"c":{"b":2},"d":["b","b"],"e":"a","f":":"}'), null)
  assert.equal(repeatedKey(String.raw`{"a\"":1,"a\u0022":2}`), 'a"')
})
