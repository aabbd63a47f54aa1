// What was asked of the model service is what was sent, or every reader is told: whole runs of the command line.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ScriptedModel, startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { TrialRecord } from '../../src/model/record.ts'
import type { Results } from '../../src/model/results.ts'
import { auditWire } from '../../src/usecases/wire-audit.ts'
import { GOOD_PLUGIN, PROJECT, temporaryFolder } from '../agents/fixtures.ts'
import { flags, genuiEval } from '../commands/command-line.ts'

const TASKS_FOLDER = join(PROJECT, 'tasks')
const ADAPTER = join(PROJECT, 'examples/adapters/node/adapter.mjs')
const folder = await temporaryFolder()
let model: ScriptedModel
let runs = 0

before(async () => {
  model = await startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0 })
})
after(async () => {
  await model.close()
  await folder[Symbol.asyncDispose]()
})

interface Run {
  readonly results: Results
  readonly records: readonly TrialRecord[]
  readonly printed: string
  readonly comment: string
  readonly report: string
}

async function run(more: Readonly<Record<string, string>>): Promise<Run> {
  runs += 1
  const output = join(folder.path, `run-${runs}`)
  const options = {
    plugin: GOOD_PLUGIN,
    tasks: 'neg_reg_03',
    'tasks-folder': TASKS_FOLDER,
    model: 'scripted',
    'base-url': model.url,
    temperature: '0.25',
    gate: 'report-only',
    k: '1',
    'max-trials': '1',
    retries: '0',
    'output-folder': output,
    ...more,
  }
  const ended = await genuiEval(['run', ...flags(options)], { cwd: folder.path, env: { GENUI_EVAL_API_KEY: 'key-of-the-audit' } })
  assert.equal(ended.code, 0, ended.stderr)
  const text = (name: string): Promise<string> => readFile(join(output, name), 'utf8')
  return {
    results: JSON.parse(await text('results.json')) as Results,
    records: (await text('records.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TrialRecord),
    printed: ended.stdout,
    comment: await text('comment.md'),
    report: await text('report.html'),
  }
}

const command = (file: string): Readonly<Record<string, string>> => ({ agent: 'command', 'agent-command': `"${process.execPath}" ${file}` })

/** The example adapter with one line changed. */
async function changedAdapter(from: string, to: string): Promise<string> {
  const good = await readFile(ADAPTER, 'utf8')
  assert.ok(good.includes(from))
  const file = join(folder.path, `adapter-${runs}.mjs`)
  await writeFile(
    file,
    good.replace(from, () => to),
  )
  return file
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The scripted model under another name. */
async function modelThatSays(name: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${model.url}${(request.url ?? '').replace(/^\/v1/, '')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await bodyOf(request),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end((await answer.text()).replaceAll('"model":"scripted"', `"model":${JSON.stringify(name)}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

function assertTold({ results, printed, comment, report }: Run, told: RegExp): void {
  assert.equal(results.notices.filter((notice) => told.test(notice)).length, 1, results.notices.join('\n'))
  for (const [place, text] of Object.entries({ printed, comment, report }))
    assert.match(text.replaceAll(/\s+/g, ' '), told, `${place} says it`)
}

const AUDIT = /went to the model service is not what was asked for/

test('all equal: the record holds what was asked, sent and answered, agrees, and nobody is told anything', async () => {
  const { records, results } = await run({ ...command(ADAPTER), k: '2', 'max-trials': '2' })
  const [record, second] = records
  const asked = { model: 'scripted', temperature: 0.25, max_tokens: null, effort: null }
  assert.deepEqual(record?.wire, {
    asked,
    sent: [{ ...asked, calls: record?.model_calls }],
    answered_by: ['scripted'],
    agrees: true,
    differs: [],
  })
  assert.ok((record?.model_calls ?? 0) >= 2)
  assert.deepEqual(
    results.notices.filter((notice) => AUDIT.test(notice)),
    [],
  )

  // What else a record says of its making.
  const hello = "print('Hello Hermes!')\n"
  assert.equal(record?.final_state?.agent, 'completed')
  assert.match(record?.final_state?.final_text ?? '', /hello\.py/)
  assert.equal(record?.final_state?.app, null)
  assert.deepEqual(record?.final_state?.files, [
    { path: 'hello.py', bytes: hello.length, sha256: createHash('sha256').update(hello).digest('hex') },
  ])
  assert.match(record?.settings_hash ?? '', /^[0-9a-f]{64}$/)
  assert.equal(second?.settings_hash, record?.settings_hash, 'the same settings')
  const longer = await run({ ...command(ADAPTER), 'model-calls': '7' })
  assert.notEqual(longer.records[0]?.settings_hash, record?.settings_hash, 'another limit')
})

test('an adapter that changes the temperature, from its second call on', async () => {
  const file = await changedAdapter('{ temperature: model.temperature }', '{ temperature: messages.length > 2 ? 1 : model.temperature }')
  const told = await run(command(file))
  const [record] = told.records
  assert.equal(record?.verdict, 'pass', 'the trial is graded all the same')
  assert.deepEqual([record?.wire?.agrees, record?.wire?.differs], [false, ['temperature 0.25 was asked for, the agent sent 1']])
  assert.deepEqual(
    record?.wire?.sent.map(({ temperature }) => temperature),
    [0.25, 1],
  )
  assertTold(told, /in 1 of 1 trials: temperature 0\.25 was asked for, the agent sent 1\. The figures belong to what was sent/)
})

test('an adapter that asks another model, with an effort that nobody asked for', async () => {
  const file = await changedAdapter('model: model.name,', "model: 'scripted-mini', reasoning_effort: 'high',")
  const told = await run(command(file))
  assertTold(told, /model scripted was asked for, the agent sent scripted-mini; effort none was asked for, the agent sent high/)
})

test('a service that answers as another model', async () => {
  await using other = await modelThatSays('scripted-mini')
  const told = await run({ agent: 'builtin', 'base-url': other.url })
  assert.deepEqual(told.records[0]?.wire?.answered_by, ['scripted-mini'])
  assertTold(told, /model scripted was asked for, scripted-mini answered/)
})

test('what counts as the model that was asked for', () => {
  const answered = (asked: string, by: string): boolean => {
    const settings = { temperature: null, max_tokens: null, effort: null }
    return auditWire({ name: asked, ...settings }, [{ model: asked, ...settings, answered_by: by, calls: 1 }]).agrees
  }
  for (const [asked, by] of [
    ['gpt-4o', 'gpt-4o-2024-08-06'],
    ['gpt-4', 'gpt-4-0613'],
    ['vendor/Model-X', 'model-x'],
    ['model-x-latest', 'model-x-20241022'],
    ['gemini-1.5-pro', 'models/gemini-1.5-pro-002'],
  ] as const)
    assert.ok(answered(asked, by), `${by} is ${asked}`)
  for (const [asked, by] of [
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-4o', 'gpt-4o-mini-2024-07-18'],
    ['gpt-5', 'gpt-5.1'],
    ['gpt-4o-mini', 'gpt-4o'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-08-06'],
    ['llama-3-8b', 'llama-3-70b'],
  ] as const)
    assert.ok(!answered(asked, by), `${by} is not ${asked}`)
})
