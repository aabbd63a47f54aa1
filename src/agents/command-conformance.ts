import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentRequest, AgentResult } from '../model/agent.ts'
import { RENDER_TOOL } from '../model/transcript.ts'
import { createCommandAgent } from './command.ts'
import { CONFORMANCE_ANSWER, type ConformanceModel, startConformanceModel } from './conformance-model.ts'
import { type Fields, fieldsOf } from './json-fields.ts'
import { BENCH_TOOLS } from './mock-tools.ts'

/** One thing that an adapter must do. */
export interface ConformanceCheck {
  readonly name: string
  readonly ok: boolean
  /** What was seen, for the author of the adapter. */
  readonly detail: string
}

export interface ConformanceOptions {
  /** The command under test. */
  readonly command: string
  /** A plugin build that works. */
  readonly pluginFolder: string
  readonly python?: string | null
  /** Longest that one of the two trials may take, seconds. */
  readonly wallSeconds?: number
}

const FILE_TEXT = 'The conformance file says 4812.'

/**
 * Runs an adapter twice against a scripted model service, once in health and once in trouble, and says what it does of what it must.
 * Needs no key and no network.
 * @throws UserError when the command is empty or there is no Python for the plugin
 */
export async function checkCommandConformance(options: ConformanceOptions): Promise<readonly ConformanceCheck[]> {
  await using healthy = await startConformanceModel('answers')
  const good = await runOnce(options, healthy)
  await using sick = await startConformanceModel('trouble')
  const bad = await runOnce(options, sick)
  return [...checksOfHealthyTrial(good, healthy), checkOfTrouble(bad)]
}

async function runOnce(options: ConformanceOptions, model: ConformanceModel): Promise<AgentResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'genui-eval-conformance-'))
  const request: AgentRequest = {
    trial_id: 'conformance-head-0',
    user_prompt: 'Read conformance.md and show me what it says.',
    mock_tool_context: [{ tool: 'read_file', args: { path: 'conformance.md' }, output: FILE_TEXT }],
    context_delivery: 'tools',
    plugin_folder: options.pluginFolder,
    model: { name: 'conformance-model', temperature: 0.25, max_tokens: 4321, effort: null },
    base_url: model.url,
    scratch_folder: scratch,
    seed: 11,
    limits: { wall_seconds: options.wallSeconds ?? 60, model_calls: 6 },
  }
  try {
    return await createCommandAgent({ command: options.command, python: options.python ?? null }).run(request, new AbortController().signal)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function checksOfHealthyTrial(result: AgentResult, model: ConformanceModel): readonly ConformanceCheck[] {
  const { transcript } = result
  const first: Fields = model.requests[0] ?? {}
  const sent = JSON.stringify(model.requests)
  const offered = (Array.isArray(first['tools']) ? first['tools'] : []).map((tool) => fieldsOf(fieldsOf(tool)['function'])['name'])
  const missing = [...BENCH_TOOLS.map((tool) => tool.name), RENDER_TOOL].filter((name) => !offered.includes(name))
  const made = transcript.tool_calls.map((call) => `${call.name} ${call.status}`).join(', ')
  const settings = `model ${String(first['model'])}, temperature ${String(first['temperature'])}, max_tokens ${String(first['max_tokens'] ?? first['max_completion_tokens'])}`
  const check = (name: string, ok: boolean, detail: string): ConformanceCheck => ({ name, ok, detail })
  return [
    check('comes to its end', result.status === 'completed', result.status === 'completed' ? 'done' : result.detail),
    check('asks the model at base_url', model.requests.length > 0, `${model.requests.length} model calls`),
    check('sends the settings it was given', settings === 'model conformance-model, temperature 0.25, max_tokens 4321', settings),
    check(
      'offers every tool to the model',
      missing.length === 0,
      missing.length === 0 ? `${offered.length} tools` : `missing: ${missing.join(', ')}`,
    ),
    check('has its tools run', made === `read_file ok, ${RENDER_TOOL} ok`, made === '' ? 'no tool call' : made),
    check(
      'gives tool results back to the model',
      sent.includes(FILE_TEXT),
      sent.includes(FILE_TEXT) ? 'seen' : 'the file content never reached the model',
    ),
    check('reports the final text', transcript.final_text === CONFORMANCE_ANSWER, JSON.stringify(transcript.final_text.slice(0, 100))),
    check(
      'keeps a transcript',
      transcript.messages.some((message) => message.role === 'assistant'),
      `${transcript.messages.length} messages`,
    ),
  ]
}

function checkOfTrouble(result: AgentResult): ConformanceCheck {
  const detail = result.status === 'completed' ? 'it answered as if nothing had happened' : `${result.status}: ${result.detail}`
  return { name: "reports the model service's trouble as cause model", ok: result.status === 'infra', detail }
}
