import type { AgentRequest, AgentResult } from '../model/agent.ts'
import { RENDER_TOOL } from '../model/transcript.ts'
import { createCommandAgent } from './command.ts'
import { CONFORMANCE_ANSWER, type ConformanceModel, startConformanceModel } from './conformance-model.ts'
import { type Fields, fieldsOf } from './json-fields.ts'
import { openScratchFolder } from './left-behind.ts'
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
  return [...checksOfHealthyTrial(good, healthy), checkOfTrouble(bad, sick)]
}

async function runOnce(options: ConformanceOptions, model: ConformanceModel): Promise<AgentResult> {
  await using scratch = await openScratchFolder('genui-eval-conformance-')
  const request: AgentRequest = {
    trial_id: 'conformance-head-0',
    user_prompt: 'Read conformance.md and show me what it says.',
    mock_tool_context: [{ tool: 'read_file', args: { path: 'conformance.md' }, output: FILE_TEXT }],
    context_delivery: 'tools',
    plugin_folder: options.pluginFolder,
    model: { name: 'conformance-model', temperature: 0.25, max_tokens: 4321, effort: null },
    base_url: model.url,
    scratch_folder: scratch.path,
    seed: 11,
    limits: { wall_seconds: options.wallSeconds ?? 60, model_calls: 6 },
  }
  return await createCommandAgent({ command: options.command, python: options.python ?? null }).run(request, new AbortController().signal)
}

function checksOfHealthyTrial(result: AgentResult, { requests }: ConformanceModel): readonly ConformanceCheck[] {
  const { transcript } = result
  const sent = JSON.stringify(requests)
  const missing = [...BENCH_TOOLS.map((tool) => tool.name), RENDER_TOOL].filter((name) => !requests.every((each) => offers(each, name)))
  const made = transcript.tool_calls.map((call) => `${call.name} ${call.status}`).join(', ')
  const settings = [...new Set(requests.map(settingsOf))]
  const check = (name: string, ok: boolean, detail: string): ConformanceCheck => ({ name, ok, detail })
  return [
    check('comes to its end', result.status === 'completed', result.status === 'completed' ? 'done' : result.detail),
    check('asks the model at base_url', requests.length > 0, `${requests.length} model calls`),
    check(
      'sends the settings it was given, and no others',
      settings.length === 1 && settings[0] === 'model conformance-model, temperature 0.25, max_tokens 4321, no effort',
      settings.length === 0 ? 'nothing was sent' : settings.join('; then '),
    ),
    check(
      'offers every tool to the model, in every call',
      requests.length > 0 && missing.length === 0,
      missing.length === 0 ? `${requests.length} model calls` : `missing: ${missing.join(', ')}`,
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

function offers(request: Fields, name: string): boolean {
  return Array.isArray(request['tools']) && request['tools'].some((tool) => fieldsOf(fieldsOf(tool)['function'])['name'] === name)
}

function settingsOf(request: Fields): string {
  const { model, temperature, max_tokens: limit, max_completion_tokens: newerLimit, reasoning_effort: effort } = request
  const sentEffort = effort === undefined ? 'no effort' : `effort ${JSON.stringify(effort)}`
  return `model ${String(model)}, temperature ${String(temperature)}, max_tokens ${String(limit ?? newerLimit)}, ${sentEffort}`
}

/** An adapter that crashes says nothing of the service: only its own word, after it was told of the trouble, counts. */
function checkOfTrouble(result: AgentResult, { requests }: ConformanceModel): ConformanceCheck {
  const told = requests.length > 0
  const reported = result.status === 'infra' && result.infra_class === 'model_unavailable'
  const detail = !told
    ? 'it never asked the model'
    : reported
      ? result.detail
      : result.status === 'completed'
        ? 'it answered as if nothing had happened'
        : `${result.status === 'failed' ? result.failure_class : 'no cause model'}: ${result.detail}`
  return { name: "reports the model service's trouble as cause model", ok: told && reported, detail }
}
