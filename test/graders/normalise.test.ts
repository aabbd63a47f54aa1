import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseText } from '../../src/graders/normalise.ts'
import { containsText, searchable } from '../../src/graders/text-search.ts'

const found = (text: string, wanted: string): boolean => containsText(searchable(text), wanted)

/** Text of the kind that pages hold, sharp corners included. */
const pageText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '1.4 GB',
        '1,234',
        '1 234',
        '$1.89',
        '1.89 USD',
        'p^{k}',
        'pᵏ',
        '–',
        '’',
        '\u00a0',
        '\u200b',
        'Ⅷ',
        'İ',
        'ß',
        '1,4 GB',
        '48.5 %',
        '^',
        'x<sup>2</sup>',
        '€',
        '4 200',
        '1,2,3',
        'k',
        '7',
        '. ',
        ',',
      ),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

test('normalising twice is normalising once, in every reading of digit groups', () => {
  fc.assert(
    fc.property(pageText, fc.constantFrom('kept', 'marked', 'spaced'), (text, groups) => {
      const once = normaliseText(text, groups)
      assert.equal(normaliseText(once, groups), once)
    }),
    { numRuns: 3000 },
  )
})

test('a text is found in itself, and in its other ways of writing', () => {
  fc.assert(
    fc.property(pageText, (text) => {
      assert.ok(found(text, text))
      assert.ok(found(text.toUpperCase().toLowerCase(), text.toLowerCase().toUpperCase().toLowerCase()))
      assert.ok(found(text.replaceAll(' ', '\u00a0 '), text.replaceAll(' ', '  ')))
      assert.ok(found(text.replaceAll('-', '\u2011'), text))
    }),
    { numRuns: 1500 },
  )
})

test('a number is found however its thousands are parted, and nothing longer is taken for it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 99_999_999 }), fc.constantFrom(',', '\u00a0', '\u202f', "'", '_', ' '), (number, mark) => {
      const grouped = String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/gu, mark)
      assert.ok(found(`costs ${grouped} in all`, String(number)), grouped)
      assert.ok(found(`costs ${number} in all`, grouped), grouped)
      assert.ok(!found(`costs ${number}7 in all`, String(number)))
      assert.ok(!found(`costs 7${number} in all`, String(number)))
      assert.ok(!found(`costs ${number}.5 in all`, `${number}.4`))
    }),
  )
})

const SAME: readonly (readonly [text: string, wanted: string])[] = [
  ['ubuntu.iso (1.4 GB)', '1.4G'],
  ['ubuntu.iso 1.4 GiB', '1.4G'],
  ['1,4 GB frei', '1.4G'],
  ['1.40 GB', '1.4G'],
  ['1.4G', '1.4 GB'],
  ['only 1.89 $ an hour', '$1.89'],
  ['USD 1.89/hr', '$1.89'],
  ['$1.89/hr', '1.89'],
  ['1.89 € pro Stunde', '€1.89'],
  ['1,89 € pro Stunde', '€1.89'],
  ['costs $4,200', '$4200'],
  ['costs 4 200 $', '$4200'],
  ['pass^{k} = p^{k}', 'pass^k'],
  ['passᵏ', 'pass^k'],
  ['pass<sup>k</sup>', 'pass^k'],
  ['pass ^ k', 'pass^k'],
  ['\\(p^k\\)', 'p^k'],
  ['LEADER\u00a0ELECTION', 'Leader Election'],
  ['Split\u2011Vote', 'Split-Vote'],
  ['open ended code', 'Open-Ended'],
  ['don’t', "don't"],
  ['Temperature', 'Temp'],
  ['the CAP theorem', 'CAP'],
  ['CAPs', 'CAP'],
  ['PID 1102', '1102'],
  ['postgres(1102)', '1102'],
  ['pids: [4812,1102]', '1102'],
  ['Gens G0/G1/G2', 'G0'],
  ['G₀', 'G0'],
  ['48.5 %', '48.5%'],
  ['150 ms', '150ms'],
  ['ソフトマックスRAGASを', 'RAGAS'],
]
const DIFFERENT: readonly (readonly [text: string, wanted: string])[] = [
  ['11.89', '1.89'],
  ['1.895', '1.89'],
  ['2.1.89', '1.89'],
  ['11024', '1102'],
  ['orgb', 'RGB'],
  ['rgba', 'RGB'],
  ['capture the state', 'CAP'],
  ['1.4G', '11.4G'],
  ['11.4 GB', '1.4G'],
  ['1.4 GHz', '1.4G'],
  ['1.4 grams', '1.4G'],
  ['nondeclarative', 'Declarative'],
  ['G01', 'G0'],
  ['a1102b', '1102'],
  ['$1.89', '€1.89'],
  ['p^k', 'p^2'],
  ['pk', 'p^k'],
  ['', 'x'],
]
for (const [text, wanted] of SAME)
  test(`"${wanted}" stands in "${text}"`, () => assert.ok(found(text, wanted), `${normaliseText(wanted)} in ${normaliseText(text)}`))
for (const [text, wanted] of DIFFERENT)
  test(`"${wanted}" does not stand in "${text}"`, () =>
    assert.ok(!found(text, wanted), `${normaliseText(wanted)} in ${normaliseText(text)}`))
