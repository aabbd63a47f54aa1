import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeRequestFor } from '../../src/graders/outcome-request.ts'
import { compilePayloadSchema } from '../../src/graders/payload.ts'
import { UserError } from '../../src/model/errors.ts'
import { aTask } from './trial-builders.ts'

test('formats are enforced, and errors carry path, expected and got', () => {
  const schema = compilePayloadSchema({
    type: 'object',
    required: ['when'],
    properties: { when: { type: 'string', format: 'date-time' }, 'a b': { type: 'object', properties: { n: { enum: [1, 2] } } } },
  })
  assert.ok(schema.accepts({ when: '2026-01-05T08:00:00Z' }))
  assert.ok(!schema.accepts({ when: 'tomorrow' }))
  assert.deepEqual(schema.errors({ other: 1 }), [{ path: '$.when', expected: 'this required field', got: 'only other' }])
  assert.deepEqual(schema.errors({ when: '2026-01-05T08:00:00Z', 'a b': { n: 3 } }), [
    { path: '$["a b"].n', expected: 'one of [1,2]', got: 'number 3' },
  ])
  assert.deepEqual(schema.errors('text'), [{ path: '$', expected: 'type object', got: 'string "text"' }])
})

test('both drafts in use are understood', () => {
  assert.ok(compilePayloadSchema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'number' }).accepts(1))
  assert.ok(
    !compilePayloadSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'number' }] }).accepts(['x']),
  )
})

test("what is no schema is the task author's to mend", () => {
  assert.throws(() => compilePayloadSchema({ type: 'objekt' }), UserError)
})

test('the browser is asked for no more than the task needs', () => {
  const full = outcomeRequestFor(aTask())
  assert.deepEqual([full.explore, full.vary, full.selectors], [true, true, ['button']])
  assert.ok(full.accepts_payload?.({ action: 'x', files: [] }))
  const silent = outcomeRequestFor(aTask({ expected_callback_schema: null }))
  assert.deepEqual([silent.accepts_payload, silent.explore, silent.vary], [null, false, false])
})
