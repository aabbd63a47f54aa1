// Trouble of the model service, seen from outside: whole runs of the command line against a service that misbehaves.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseFault } from '../../examples/scripted-model/faults.ts'
import { type ScriptedModel, startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { Results } from '../../src/model/results.ts'
import { GOOD_PLUGIN, PROJECT, temporaryFolder } from '../agents/fixtures.ts'
import { flags, genuiEval } from '../commands/command-line.ts'

const TASKS_FOLDER = join(PROJECT, 'tasks')
const folder = await temporaryFolder()
after(async () => folder[Symbol.asyncDispose]())
const baselineFile = join(folder.path, 'baseline.json')
let runs = 0
/** The baseline file of the healthy service. */
let standing = ''

async function command(name: 'run' | 'baseline', url: string, more: Readonly<Record<string, string>> = {}) {
  runs += 1
  const options = {
    agent: 'builtin',
    plugin: GOOD_PLUGIN,
    tasks: 'neg_reg_01',
    'tasks-folder': TASKS_FOLDER,
    model: 'scripted',
    'base-url': url,
    k: '1',
    retries: '0',
    ...(name === 'run' ? { 'baseline-file': baselineFile, 'max-trials': '1' } : { output: baselineFile, trials: '10' }),
    'output-folder': join(folder.path, `run-${runs}`),
    ...more,
  }
  return genuiEval([name, ...flags(options), '--json'], { cwd: folder.path, env: { GENUI_EVAL_API_KEY: 'key-of-the-fault-table' } })
}

const healthy = async (options: { readonly faults?: readonly string[]; readonly requiredKey?: string } = {}): Promise<ScriptedModel> =>
  startScriptedModel({
    tasksFolder: TASKS_FOLDER,
    slipRate: 0,
    requiredKey: options.requiredKey ?? null,
    faults: (options.faults ?? []).map((text) => {
      const fault = parseFault(text)
      assert.ok(fault !== null, text)
      return fault
    }),
  })

before(async () => {
  const model = await healthy()
  const ended = await command('baseline', model.url)
  await model.close()
  assert.equal(ended.code, 0, ended.stderr)
  standing = await readFile(baselineFile, 'utf8')
})

interface Row {
  readonly name: string
  readonly faults?: readonly string[]
  readonly options?: Readonly<Record<string, string>>
  readonly requiredKey?: string
  readonly infra: string
  readonly cause: RegExp
  /** Whether a refresh of the baseline is tried too. */
  readonly refresh?: true
}

const LASTING: readonly Row[] = [
  { name: '429 for good', faults: ['rate_limit'], infra: 'model_unavailable', cause: /limits the rate of requests \(HTTP 429\)/ },
  { name: 'quota gone', faults: ['quota'], infra: 'quota', cause: /quota of the model service is used up/, refresh: true },
  { name: '500s', faults: ['server_error'], infra: 'model_unavailable', cause: /service failed \(HTTP 500\)/ },
  {
    name: 'hang',
    faults: ['hang'],
    options: { 'trial-seconds': '10' },
    infra: 'model_unavailable',
    cause: /had not answered after|did not answer within|did not finish within/,
  },
  { name: 'half a stream', faults: ['half_stream'], infra: 'model_unavailable', cause: /broke off before its end/, refresh: true },
  { name: 'garbage SSE', faults: ['garbage_stream'], infra: 'model_unavailable', cause: /event that is not JSON/ },
  { name: 'error in a 200', faults: ['error_in_200'], infra: 'model_unavailable', cause: /error inside a 200.*overloaded/ },
  { name: 'error as the model’s words', faults: ['error_prose'], infra: 'model_unavailable', cause: /error inside a 200.*503/ },
  { name: 'wrong model', faults: ['unknown_model'], infra: 'model_unavailable', cause: /does not know the model/ },
  { name: 'wrong key', requiredKey: 'another', infra: 'model_unavailable', cause: /refused the API key \(HTTP 401\)/, refresh: true },
]

function assertInconclusive(ended: { readonly code: number | null; readonly stdout: string; readonly stderr: string }, row: Row): void {
  assert.equal(ended.code, 3, ended.stderr)
  const { decision, totals, trials } = JSON.parse(ended.stdout) as Results
  assert.equal(decision.verdict, 'inconclusive')
  assert.deepEqual([totals.pass, totals.fail, totals.infra], [0, 0, 1])
  const [trial] = trials
  assert.deepEqual([trial?.verdict, trial?.infra_class, trial?.failure_class], ['infra', row.infra, null])
  assert.match(trial?.detail ?? '', row.cause)
  assert.match(ended.stderr, row.cause, 'the cause is said while it runs')
  assert.equal(decision.tasks[0]?.status, 'unmeasured')
  assert.deepEqual([decision.tasks[0]?.baseline?.n, decision.tasks[0]?.baseline?.c], [10, 10], 'there was something to compare with')
}

for (const row of LASTING) {
  test(`${row.name}: ${row.infra}, inconclusive${row.refresh === true ? ', and no baseline' : ''}`, async () => {
    const model = await healthy(row)
    const [run, refresh] = await Promise.all([
      command('run', model.url, row.options),
      row.refresh === true ? command('baseline', model.url, row.options) : null,
    ])
    await model.close()
    assertInconclusive(run, row)
    if (refresh === null) return
    assert.equal(refresh.code, 2, refresh.stderr)
    assert.match(refresh.stderr, /baseline not refreshed: Infrastructure cost 10 of 10 trials/)
    assert.equal(await readFile(baselineFile, 'utf8'), standing, 'the file is as it was')
  })
}

test('connection refused: model_unavailable, inconclusive', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const ended = await command('run', `http://127.0.0.1:${port}/v1`)
  assertInconclusive(ended, { name: '', infra: 'model_unavailable', cause: /connection to the model service failed \(ECONNREFUSED\)/ })
})

test('a storm of 429 that passes costs nothing: the run is green, and the retries are not counted as calls', async () => {
  const model = await healthy({ faults: ['rate_limit:0-2', 'rate_limit:3-4'] })
  const ended = await command('run', model.url, { retries: '2', k: '3', 'max-trials': '3', concurrency: '1' })
  await model.close()
  assert.equal(ended.code, 0, ended.stderr)
  const { totals, trials } = JSON.parse(ended.stdout) as Results
  assert.deepEqual([totals.pass, totals.fail, totals.infra], [3, 0, 0])
  const calls = trials.reduce((sum, trial) => sum + trial.model_calls, 0)
  assert.equal(model.requests.length, calls + 3)
})

test('a service that fails midway: what was measured counts, the rest is missing, and the run is inconclusive, not red', async () => {
  const model = await healthy({ faults: ['server_error:1-'] })
  const ended = await command('run', model.url, { k: '3', 'max-trials': '3', concurrency: '1' })
  await model.close()
  assert.equal(ended.code, 3, ended.stderr)
  const { decision, totals } = JSON.parse(ended.stdout) as Results
  assert.equal(decision.verdict, 'inconclusive')
  assert.deepEqual([totals.pass, totals.fail, totals.infra], [1, 0, 2])
})
