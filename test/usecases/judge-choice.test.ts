import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRunConfig } from '../../src/model/config.ts'
import { UserError } from '../../src/model/errors.ts'
import type { RawInputs } from '../../src/model/inputs.ts'
import { secretsOf } from '../../src/usecases/action-inputs.ts'

function judgeOf(more: RawInputs) {
  const raw = { plugin: 'p', model: 'm', 'tasks-folder': 't', 'api-key': 'agent-key', ...more }
  const { judge } = parseRunConfig(raw, (path) => `/workspace/${path}`)
  assert.ok(judge.kind === 'model')
  return judge
}

test('bad inputs of the judge are told all at once, also while it is off', () => {
  const bad = {
    'judge-votes': '2',
    'judge-temperature': 'hot',
    'judge-token-budget': '10',
    'judge-base-url': 'nowhere',
    'judge-max-calls': '0',
  }
  for (const judge of ['off', 'j']) {
    assert.throws(
      () => judgeOf({ judge, ...bad }),
      (error) => error instanceof UserError && Object.keys(bad).every((name) => error.problems.some(({ where }) => where.includes(name))),
    )
  }
})

test('the key of the agent is the judge\u2019s only at the very same address, and both are secrets', () => {
  const key = (more: RawInputs) => judgeOf({ judge: 'j', ...more }).api_key
  const base = { 'base-url': 'https://one.example/v1' }
  assert.equal(key(base), 'agent-key')
  assert.equal(key({ ...base, 'judge-base-url': 'https://ONE.example/v1/' }), 'agent-key')
  for (const other of [
    'https://two.example/v1',
    'http://one.example/v1',
    'https://one.example:8443/v1',
    'https://one.example.evil.example/v1',
  ])
    assert.equal(key({ ...base, 'judge-base-url': other }), null, other)
  assert.equal(key({ ...base, 'judge-api-key': 'own' }), 'own')
  assert.deepEqual(secretsOf({ 'api-key': 'a', 'judge-api-key': 'j' }, {}), ['a', 'j'])
})

test('temperature 0 unless the model refuses it', () => {
  const temperature = (given: string) => judgeOf({ judge: 'j', 'judge-temperature': given }).settings.model.temperature
  assert.deepEqual(['', '0.5', 'default'].map(temperature), [0, 0.5, null])
})
