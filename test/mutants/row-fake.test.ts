import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePayloadSchema } from '../../src/graders/payload.ts'
import { openDocument } from '../../src/mutants/app-document.ts'
import { exampleOf } from '../../src/mutants/payload-schema.ts'
import { rowFake } from '../../src/mutants/row-fake.ts'
import { aTask } from '../graders/trial-builders.ts'

test('a fake holds the strings, selectors, number of controls and a valid constant payload', () => {
  const task = aTask({
    outcome_dom_assertions: {
      must_contain_strings: ['R&D', 'a < b'],
      required_selectors: ["input[type='range']", 'button', 'textarea'],
      min_interactive_elements: 5,
    },
  })
  const fake = rowFake(task, 'plain')
  assert.match(fake, /R&amp;D \| a &lt; b/u)
  assert.match(fake, /<input type="range">/u)
  assert.match(fake, /<textarea><\/textarea>/u)
  assert.equal(fake.match(/<(?:button|input|textarea)\b/gu)?.length, 5)
  assert.match(fake, /sendAction\(\{"action":"done","files":\["done"\]\}\)/u)
  assert.ok([fake, rowFake(task, 'reactive')].every((html) => openDocument(html).units.every((unit) => unit.tree !== null)))
})

const SCHEMAS = [
  {
    type: 'object',
    required: ['when', 'n', 'on'],
    properties: { when: { type: 'string', format: 'date-time' }, n: { type: 'integer', minimum: 4 }, on: { type: 'boolean' } },
  },
  {
    type: 'object',
    required: ['kind', 'list'],
    properties: {
      kind: { enum: ['a', 'b'] },
      list: { type: 'array', minItems: 2, items: { type: 'object', required: ['id'], properties: { id: { const: 7 } } } },
    },
  },
  { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 9 } } },
]
for (const schema of SCHEMAS)
  test(`an example satisfies its schema: ${schema.required.join(', ')}`, () =>
    assert.deepEqual(compilePayloadSchema(schema).errors(exampleOf(schema)), []))
