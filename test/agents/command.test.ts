import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCommandAgent } from '../../src/agents/command.ts'
import { checkCommandConformance } from '../../src/agents/command-conformance.ts'
import { splitCommand } from '../../src/agents/command-line.ts'
import { UserError } from '../../src/model/errors.ts'
import { agentRequest, GOOD_PLUGIN, PROJECT, temporaryFolder } from './fixtures.ts'

const NODE = `"${process.execPath}"`

for (const command of [
  `${NODE} ${join(PROJECT, 'examples/adapters/node/adapter.mjs')}`,
  `python3 ${join(PROJECT, 'examples/adapters/python/adapter.py')}`,
]) {
  test(`the example adapter conforms: ${command.split('/').at(-1)}`, async () => {
    const checks = await checkCommandConformance({ command, pluginFolder: GOOD_PLUGIN })
    assert.deepEqual(
      checks.filter((check) => !check.ok),
      [],
    )
    assert.equal(checks.length, 9)
  })
}

const END = 'comes to its end'
const ASKS = 'asks the model at base_url'
const SETTINGS = 'sends the settings it was given, and no others'
const OFFERS = 'offers every tool to the model, in every call'
const RUNS = 'has its tools run'
const RESULTS = 'gives tool results back to the model'
const TEXT = 'reports the final text'
const TRANSCRIPT = 'keeps a transcript'
const TROUBLE = "reports the model service's trouble as cause model"

const ALL_CHECKS = [END, ASKS, SETTINGS, OFFERS, RUNS, RESULTS, TEXT, TRANSCRIPT, TROUBLE]

/** The example adapter with one thing wrong, and the checks that must see it. */
const BAD_ADAPTERS: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['leaves without done', "send({ type: 'done', final_text: await converse(start) })", 'await converse(start)', [END, TEXT]],
  [
    'answers by itself',
    'await converse(start) })',
    "'The app is on your screen.' })",
    [ASKS, SETTINGS, OFFERS, RUNS, RESULTS, TRANSCRIPT, TROUBLE],
  ],
  ['asks another model', 'model: model.name', "model: 'another'", [SETTINGS]],
  ['changes the temperature', '{ temperature: model.temperature }', '{ temperature: 1 }', [SETTINGS]],
  [
    'changes the temperature from the second call on',
    '{ temperature: model.temperature }',
    '{ temperature: messages.length > 2 ? 1 : model.temperature }',
    [SETTINGS],
  ],
  ['leaves out the token limit', '{ max_tokens: model.max_tokens }', '{}', [SETTINGS]],
  [
    'sends an effort that nobody asked for',
    'model.effort === null ? {}',
    "model.effort === null ? { reasoning_effort: 'high' }",
    [SETTINGS],
  ],
  ['hides a tool', 'tools: tools.map', "tools: tools.filter((tool) => tool.name !== 'memory_read').map", [OFFERS]],
  [
    'invents the results of tools',
    "send({ type: 'tool_call', ...made })\n      const { result } = await receive()",
    "const result = 'ok'",
    [RUNS, RESULTS],
  ],
  ['keeps the results from the model', 'tool_call_id: made.id, content: result', "tool_call_id: made.id, content: 'ok'", [RESULTS]],
  ['says nothing at the end', "return reply.content ?? ''", "return ''", [TEXT]],
  ['keeps no transcript', "send({ type: 'message', role: 'assistant'", "void ({ type: 'message', role: 'assistant'", [TRANSCRIPT]],
  ['crashes in trouble', "cause: 'model' })\n", 'cause: process.exit(7) })\n', [TROUBLE]],
  ['takes the trouble for its own', "error.cause === 'model' ? 'model' : 'agent'", "'agent'", [TROUBLE]],
  ['takes the trouble for a broken set-up', "error.cause === 'model' ? 'model' : 'agent'", "'setup'", [TROUBLE]],
  [
    'answers as if nothing had happened',
    "send({ type: 'error', cause: error.cause === 'model' ? 'model' : 'agent', detail: error.message })",
    "send({ type: 'done', final_text: 'Sorry.' })",
    [TROUBLE],
  ],
]

test('every conformance check can fail: adapters with one thing wrong are told that thing', async () => {
  await using folder = await temporaryFolder()
  const good = await readFile(join(PROJECT, 'examples/adapters/node/adapter.mjs'), 'utf8')
  const failedSomewhere = new Set<string>()
  for (const [name, from, to, expected] of BAD_ADAPTERS) {
    assert.ok(good.includes(from), `${name}: the example adapter still says ${from}`)
    const file = join(folder.path, 'adapter.mjs')
    await writeFile(
      file,
      good.replace(from, () => to),
    )
    const checks = await checkCommandConformance({ command: `${NODE} ${file}`, pluginFolder: GOOD_PLUGIN })
    const failed = checks.filter((check) => !check.ok).map((check) => check.name)
    assert.deepEqual(failed, expected, `${name}: ${JSON.stringify(checks)}`)
    for (const check of failed) failedSomewhere.add(check)
    assert.deepEqual(checks.map((check) => check.name).sort(), [...ALL_CHECKS].sort())
  }
  assert.deepEqual([...failedSomewhere].sort(), [...ALL_CHECKS].sort())
})

test('an adapter that breaks the protocol is infrastructure trouble, never a grade', async () => {
  await using folder = await temporaryFolder()
  const cases: [string, RegExp][] = [
    ['console.log("Starting up…")', /line that is not JSON: "Starting up/],
    ['console.log(JSON.stringify({ type: "done", final_text: "" }))', /first message must be hello/],
    ['console.log(JSON.stringify({ type: "hello", protocol: "genui-eval/agent@0", name: "x", version: "1" }))', /does not know/],
    ['console.error("no such module"); process.exit(4)', /exit code 4.*no such module/],
  ]
  for (const [index, [code, expected]] of cases.entries()) {
    const file = join(folder.path, `bad-${index}.mjs`)
    await writeFile(file, code)
    const agent = createCommandAgent({ command: `${NODE} ${file}` })
    const result = await agent.run(
      agentRequest({ base_url: 'http://127.0.0.1:9/v1', scratch_folder: join(folder.path, `s${index}`) }),
      new AbortController().signal,
    )
    assert.ok(result.status === 'infra', JSON.stringify(result))
    assert.match(result.detail, expected)
  }
})

test('a command that does not exist, or a run that is cancelled, is infrastructure trouble', async () => {
  await using folder = await temporaryFolder()
  const request = agentRequest({ base_url: 'http://127.0.0.1:9/v1', scratch_folder: join(folder.path, 's') })
  const absent = await createCommandAgent({ command: '/no/such/program' }).run(request, new AbortController().signal)
  assert.ok(absent.status === 'infra' && /could not be started/.test(absent.detail), JSON.stringify(absent))
  const cancelled = await createCommandAgent({ command: 'sleep 60' }).run(request, AbortSignal.timeout(500))
  assert.ok(cancelled.status === 'infra' && /cancelled/.test(cancelled.detail), JSON.stringify(cancelled))
})

test('a command is split as a shell splits words', () => {
  assert.deepEqual(splitCommand(`node  "my agent.js" --name 'a "b"' c\\ d ""`), ['node', 'my agent.js', '--name', 'a "b"', 'c d', ''])
  assert.throws(() => splitCommand('  '), UserError)
  assert.throws(() => splitCommand('node "open'), UserError)
})
