import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import OpenAI from 'openai'
import { nextMove } from '../../examples/scripted-model/behaviour.ts'
import type { Conversation, Move, OfferedTool, Turn } from '../../examples/scripted-model/conversation.ts'
import { type KnownTask, readKnownTasks } from '../../examples/scripted-model/known-tasks.ts'
import { type ScriptedModel, startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { BENCH_TOOLS } from '../../src/agents/mock-tools.ts'
import { APP_PROMPT, PROJECT, temporaryFolder, TEXT_PROMPT, writeTasks } from './fixtures.ts'

const skill = await readFile(join(PROJECT, 'examples/genui-plugin/SKILL.md'), 'utf8')
const shortened = await readFile(join(PROJECT, 'examples/genui-plugin-regressed/SKILL.md'), 'utf8')
const RENDER: OfferedTool = {
  name: 'render_micro_app',
  description: 'Show an app',
  parameters: { type: 'object', properties: { title: {}, html: {}, archetype: {} } },
}
const ALL_TOOLS: readonly OfferedTool[] = [...BENCH_TOOLS, RENDER]

const folder = await temporaryFolder()
after(async () => folder[Symbol.asyncDispose]())
await writeTasks(folder.path)
const known: readonly KnownTask[] = (await readKnownTasks(folder.path)).map((task) =>
  task.app
    ? task
    : { ...task, mistakes: [{ content: '<p>an app nobody needs</p>', app: true, fails: 'transcript.expected_tool_trigger' }] },
)

const FETCHED: readonly Turn[] = [
  { by: 'model', text: '', calls: [{ id: 'c1', name: 'execute_command', arguments: '{}' }] },
  { by: 'tool', call_id: 'c1', text: '1.4G ubuntu.iso' },
]

function talk(prompt: string, instructions: string, turns: readonly Turn[] = [], tools = ALL_TOOLS, seed = 1): Conversation {
  return { model: 'scripted', instructions: [instructions], turns: [{ by: 'user', text: prompt }, ...turns], tools, seed }
}
const move = (conversation: Conversation, slipRate = 0): Move => nextMove(conversation, { tasks: known, slipRate, seed: 0 })
const calls = (made: Move): readonly string[] => (made.kind === 'calls' ? made.calls.map((call) => call.name) : [])
const html = (made: Move): string => {
  const given = made.kind === 'calls' ? made.calls[0]?.args['html'] : null
  return typeof given === 'string' ? given : ''
}

test('it fetches what the prompt needs, then writes an app that calls the bridge it was told of', () => {
  assert.deepEqual(calls(move(talk(APP_PROMPT, skill))), ['execute_command'])
  const written = move(talk(APP_PROMPT, skill, FETCHED))
  assert.deepEqual(calls(written), ['render_micro_app'])
  assert.match(html(written), /window\.hermes\.sendAction/)
})

test('without the contract in its context it ends the app in some other way, which one depends on the seed', () => {
  const endings = new Set<string>()
  for (let seed = 0; seed < 30; seed += 1) {
    const written = html(move(talk(APP_PROMPT, shortened, FETCHED, ALL_TOOLS, seed)))
    assert.doesNotMatch(written, /sendAction|hermes/)
    endings.add(/localStorage|postMessage|console\.log|alert|Copy this/.exec(written)?.[0] ?? 'none')
  }
  assert.ok(endings.size >= 4 && !endings.has('none'), [...endings].join())
})

test('wherever the contract stands, it counts: tool schema, loaded skill, or the error of a handler', () => {
  const contract = 'Call window.hermes.sendAction(payload) when the user confirms.'
  const viaSchema = [...BENCH_TOOLS, { ...RENDER, description: contract }]
  assert.match(html(move(talk(APP_PROMPT, '', FETCHED, viaSchema))), /sendAction/)
  const refused: readonly Turn[] = [
    ...FETCHED,
    { by: 'model', text: '', calls: [{ id: 'c2', name: 'render_micro_app', arguments: '{}' }] },
    { by: 'tool', call_id: 'c2', text: JSON.stringify({ ok: false, error: 'the app never reports back', hint: contract }) },
  ]
  assert.match(html(move(talk(APP_PROMPT, '', refused))), /sendAction/)
})

test('a skill that is only listed is loaded first', () => {
  const index =
    '<available_skills>\n  general:\n    - notes: Take notes\n    - micro-apps: Answer with an interactive micro-app\n</available_skills>'
  const tools = [...ALL_TOOLS, { name: 'skill_view', description: 'Load a skill', parameters: {} }]
  const first = move(talk(APP_PROMPT, index, [], tools))
  assert.deepEqual(first, { kind: 'calls', calls: [{ name: 'skill_view', args: { name: 'micro-apps' } }] })
  assert.deepEqual(calls(move(talk(TEXT_PROMPT, index, [], tools))), ['write_file'], 'a simple action needs no skill')
})

test('it shows no fact that no tool gave it', () => {
  const nothing: readonly Turn[] = [FETCHED[0] as Turn, { by: 'tool', call_id: 'c1', text: "ls: cannot access '~/Downloads'" }]
  assert.doesNotMatch(html(move(talk(APP_PROMPT, skill, nothing))), /ubuntu\.iso/)
  assert.match(html(move(talk(APP_PROMPT, skill, FETCHED))), /ubuntu\.iso/)
})

test('a simple action gets no app while the skill says when not to render; without that sentence it sometimes does', () => {
  const eager = skill.replace(/## When not to render[\s\S]*?(?=## Callback)/, '')
  const rendered = (instructions: string): number =>
    Array.from({ length: 60 }, (_, seed) => move(talk(TEXT_PROMPT, instructions, [], ALL_TOOLS, seed))).filter((made) =>
      calls(made).includes('render_micro_app'),
    ).length
  assert.equal(rendered(skill), 0)
  assert.ok(rendered(eager) > 10 && rendered(eager) < 50, String(rendered(eager)))
})

test('slips come at the stated rate, seeded', () => {
  const slips = (rate: number): number =>
    Array.from({ length: 3000 }, (_, seed) => move(talk(TEXT_PROMPT, skill, [], ALL_TOOLS, seed), rate)).filter((made) =>
      calls(made).includes('render_micro_app'),
    ).length
  assert.ok(Math.abs(slips(0.02) - 60) < 28, `${slips(0.02)} of 3000`)
  assert.equal(slips(0.02), slips(0.02))
  assert.equal(slips(0), 0)
})

test('the apps it writes without the contract are still whole documents for every task of the benchmark', async () => {
  const tasks = await readKnownTasks(join(PROJECT, 'tasks'))
  for (const task of tasks.filter((candidate) => candidate.app && candidate.good !== '')) {
    const told = task.lookups.map((lookup) => lookup.output).join('\n')
    const conversation = talk(task.prompt, `${shortened}\n`, [{ by: 'user', text: task.prompt }], [RENDER])
    const written = html(
      nextMove(
        { ...conversation, turns: [{ by: 'tool', call_id: 'x', text: told }, ...conversation.turns] },
        { tasks, slipRate: 0, seed: 0 },
      ),
    )
    assert.match(written, /<\/html>/i, task.id)
    assert.doesNotMatch(written, /sendAction\(/, task.id)
    for (const fact of task.facts.filter((each) => task.good.includes(each))) assert.ok(written.includes(fact), `${task.id}: ${fact}`)
  }
})

describe('over the wire', () => {
  let model: ScriptedModel
  let client: OpenAI
  before(async () => {
    model = await startScriptedModel({ tasksFolder: folder.path, slipRate: 0 })
    client = new OpenAI({ baseURL: model.url, apiKey: 'any', maxRetries: 0 })
  })
  after(async () => model.close())

  const chat = {
    model: 'scripted',
    seed: 3,
    messages: [
      { role: 'system' as const, content: skill },
      { role: 'user' as const, content: APP_PROMPT },
      {
        role: 'assistant' as const,
        tool_calls: [{ id: 'c1', type: 'function' as const, function: { name: 'execute_command', arguments: '{}' } }],
      },
      { role: 'tool' as const, tool_call_id: 'c1', content: '1.4G ubuntu.iso' },
    ],
    tools: ALL_TOOLS.map((tool) => ({ type: 'function' as const, function: { ...tool, parameters: { ...tool.parameters } } })),
  }

  test('Chat Completions: plain and streamed answers are the same, and equal requests get equal answers', async () => {
    const plain = await client.chat.completions.create(chat)
    const again = await client.chat.completions.create(chat)
    assert.deepEqual(again.choices, plain.choices)
    const made = plain.choices[0]?.message.tool_calls?.[0]
    assert.ok(made?.type === 'function')
    let name = ''
    let args = ''
    let usage = 0
    for await (const chunk of await client.chat.completions.create({ ...chat, stream: true, stream_options: { include_usage: true } })) {
      const delta = chunk.choices[0]?.delta.tool_calls?.[0]
      name += delta?.function?.name ?? ''
      args += delta?.function?.arguments ?? ''
      usage += chunk.usage?.prompt_tokens ?? 0
    }
    assert.deepEqual([name, args], [made.function.name, made.function.arguments])
    assert.ok(usage > 0)
  })

  test('Responses: plain and streamed answers are the same', async () => {
    const request = {
      model: 'scripted',
      instructions: skill,
      input: [
        { role: 'user' as const, content: APP_PROMPT },
        { type: 'function_call' as const, call_id: 'c1', name: 'execute_command', arguments: '{}' },
        { type: 'function_call_output' as const, call_id: 'c1', output: '1.4G ubuntu.iso' },
      ],
      tools: ALL_TOOLS.map((tool) => ({ type: 'function' as const, strict: false, ...tool, parameters: { ...tool.parameters } })),
    }
    const plain = await client.responses.create(request)
    const made = plain.output[0]
    assert.ok(made?.type === 'function_call' && made.name === 'render_micro_app')
    let args = ''
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (event.type === 'response.function_call_arguments.delta') args += event.delta
    }
    assert.equal(args, made.arguments)
  })

  test('other addresses are not found', async () => {
    assert.equal((await fetch(`${model.url}/embeddings`, { method: 'POST', body: '{}' })).status, 404)
    assert.equal((await client.models.list()).data[0]?.id, 'scripted')
  })
})
