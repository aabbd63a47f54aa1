import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
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

test('an adapter that does not do its work is told what is missing', async () => {
  await using folder = await temporaryFolder()
  const lazy = join(folder.path, 'lazy.mjs')
  await writeFile(
    lazy,
    `console.log(JSON.stringify({ type: 'hello', protocol: 'genui-eval/agent@1', name: 'lazy', version: '1' })); console.log(JSON.stringify({ type: 'done', final_text: 'hi' }))`,
  )
  const checks = await checkCommandConformance({ command: `${NODE} ${lazy}`, pluginFolder: GOOD_PLUGIN })
  assert.deepEqual(
    checks.filter((check) => check.ok).map((check) => check.name),
    ['comes to its end'],
  )
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
