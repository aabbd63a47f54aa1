import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { withTables } from '../../scripts/readme-tables.ts'
import { AGENT_KINDS } from '../../src/model/agent.ts'
import { parseRunConfig } from '../../src/model/config.ts'
import { UserError } from '../../src/model/errors.ts'
import type { RawInputs } from '../../src/model/inputs.ts'
import { readActionInputs, secretsOf } from '../../src/usecases/action-inputs.ts'
import { outputsOf } from '../../src/usecases/publish-results.ts'
import { tasksOfShard } from '../../src/usecases/shard-plan.ts'
import { RESULTS } from './results.ts'

const root = path.join(import.meta.dirname, '..', '..')
interface Entry {
  readonly description: string
  readonly default?: string
}
let manifest: { readonly inputs: Readonly<Record<string, Entry>>; readonly outputs: Readonly<Record<string, Entry>> }
before(async () => void (manifest = parse(await readFile(path.join(root, 'action.yml'), 'utf8'))))

/** Names that the readers ask for. */
function namesRead(): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const agent of AGENT_KINDS) {
    const given: RawInputs = { agent, plugin: 'p', model: 'm', 'tasks-folder': 't', 'agent-command': 'c', 'replay-folder': 'r' }
    const watched = new Proxy(given, {
      get(target, name) {
        if (typeof name === 'string') asked.add(name)
        return Reflect.get(target, name)
      },
    })
    readActionInputs(watched)
    parseRunConfig(watched, (file) => path.resolve('/workspace', file))
  }
  return asked
}

test('every input of action.yml is read by the code, and none that the code reads is missing from it', () => {
  assert.deepEqual(Object.keys(manifest.inputs).sort(), [...namesRead()].sort())
})

test('every output that a verdict sets is described, and every described one is set somewhere', () => {
  const set = [...Object.keys(outputsOf(RESULTS, 0, '/run')), 'comment-body', 'report-url', 'results-url', 'baseline-url']
  assert.deepEqual(Object.keys(manifest.outputs).sort(), set.sort())
})

test('the defaults of action.yml are those of the code, for what is not the run itself', () => {
  const defaults = Object.fromEntries(Object.entries(manifest.inputs).map(([name, { default: value }]) => [name, value]))
  assert.deepEqual(readActionInputs({ ...defaults, 'github-token': '' }), readActionInputs({}))
})

test('the README tables are those of action.yml', async () => {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  assert.equal(withTables(readme, manifest), readme, 'run node scripts/readme-tables.ts')
  const other = { ...manifest, outputs: { ...manifest.outputs, invented: { description: 'not there' } } }
  assert.notEqual(withTables(readme, other), readme)
})

test('bad inputs are all told at once, one sentence each', () => {
  assert.throws(
    () => readActionInputs({ mode: 'fly', shard: '4/3', 'baseline-trials': '0', 'retention-days': 'x', comment: 'yes' }),
    (error) => error instanceof UserError && error.problems.length === 5,
  )
})

test('shards are disjoint, complete, and the same whatever the order of the tasks', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `t${index}`)
  const shards = [1, 2, 3].map((number) => tasksOfShard(ids.toReversed(), { number, of: 3 }))
  assert.deepEqual(shards.flat().sort(), ids)
  assert.deepEqual(shards[0], ['t0', 't3', 't6', 't9'])
  assert.throws(() => tasksOfShard(ids, { number: 11, of: 11 }), /11\/11 is empty/)
})

test('secrets are the key, the token, and what the runner itself was given', () => {
  const env = { ACTIONS_RUNTIME_TOKEN: 'runtime', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }
  assert.deepEqual(secretsOf({ 'api-key': 'key', 'github-token': 'token', model: 'm' }, env), ['key', 'token', 'runtime'])
})
