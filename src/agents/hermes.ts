import { join } from 'node:path'
import type { Agent, AgentRequest, AgentResult } from '../model/agent.ts'
import { InfraError } from '../model/errors.ts'
import { type Message, RENDER_TOOL, type ToolCall, type Transcript } from '../model/transcript.ts'
import { AgentFailure, completedResult, resultOfError, startTrialClock } from './agent-end.ts'
import { agentAsset } from './asset-path.ts'
import { type JsonChild, startJsonChild } from './child-process.ts'
import { earlierTurns } from './earlier-turns.ts'
import { hermesEnvironment, makeHermesHome } from './hermes-home.ts'
import { type HermesInstallation, openHermes } from './hermes-install.ts'
import { readHermesSource } from './hermes-source.ts'
import { type Fields, fieldsOf, textField } from './json-fields.ts'
import { BENCH_TOOLS } from './mock-tools.ts'
import { PluginError, readPluginManifest } from './plugin-manifest.ts'
import { answerBenchTool, parseArguments, pluginResultStatus } from './toolbox.ts'

/** Goes into the fingerprint: raise it when the driver, the config or the mock tools change what the model sees. */
const DRIVER_VERSION = '1'

export interface HermesAgentOptions {
  /** Interpreter that has Hermes Agent, or what a checkout of it needs; null = found or made. */
  readonly python: string | null
  /** A release on PyPI, the folder of a checkout, or an interpreter. */
  readonly version: string
  /** Hermes' own tool search stays on, and the plugin's skills are reachable only by their qualified name. */
  readonly asShipped: boolean
  /** Where the environment is kept; null or absent = `.genui-eval/` of this project. */
  readonly cacheFolder?: string | null
  readonly onProgress?: (line: string) => void
  /** Ends an installation. */
  readonly signal?: AbortSignal
}

/**
 * The real Hermes Agent, one child process a trial, with a fresh home.
 * @throws UserError when it is not there and cannot be installed
 */
export async function createHermesAgent(options: HermesAgentOptions): Promise<Agent> {
  const installation = await openHermes(await readHermesSource(options.version), {
    python: options.python,
    cacheFolder: options.cacheFolder ?? null,
    onProgress: options.onProgress ?? (() => undefined),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  return {
    kind: 'hermes',
    version: `${installation.version} driver ${DRIVER_VERSION}${options.asShipped ? ' as shipped' : ''}`,
    run: async (request, signal) => runTrial(request, signal, installation, options.asShipped),
    close: async () => undefined,
  }
}

/** What is known of a trial so far; grows with the driver's events. */
interface Progress {
  transcript: Transcript
  versions: Record<string, string>
  tools: readonly string[]
  answers: ToolCall[]
}

async function runTrial(
  request: AgentRequest,
  signal: AbortSignal,
  installation: HermesInstallation,
  asShipped: boolean,
): Promise<AgentResult> {
  using clock = startTrialClock(request, signal)
  const progress: Progress = {
    transcript: { messages: [{ role: 'user', content: request.user_prompt }], tool_calls: [], final_text: '', tools_offered: [] },
    versions: { agent: `hermes driver ${DRIVER_VERSION}`, 'hermes-agent': installation.version },
    tools: [],
    answers: [],
  }
  let child: JsonChild | null = null
  try {
    const manifest = await readPluginManifest(request.plugin_folder)
    progress.versions['plugin'] = `${manifest.name} ${manifest.version}`
    const home = join(request.scratch_folder, 'hermes')
    await makeHermesHome({
      folder: home,
      pluginFolder: request.plugin_folder,
      pluginName: manifest.name,
      model: request.model,
      baseUrl: request.base_url,
      asShipped,
    })
    child = await startJsonChild({
      program: installation.python,
      args: ['-I', '-B', '-u', '-X', 'utf8', agentAsset('hermes-driver.py')],
      scratchFolder: request.scratch_folder,
      env: hermesEnvironment(home),
    })
    child.send(driverRequest(request, { name: manifest.name, folder: join(home, 'plugins', manifest.name) }, installation, asShipped))
    await Promise.race([follow(child, request, progress), clock.expired])
    return completedResult(progress.transcript, progress.versions, contractBreach(progress.transcript))
  } catch (error) {
    return resultOfError(clock.signal.aborted ? clock.signal.reason : error, partial(progress), progress.versions)
  } finally {
    await child?.kill()
  }
}

function driverRequest(
  request: AgentRequest,
  plugin: { readonly name: string; readonly folder: string },
  { checkout }: HermesInstallation,
  asShipped: boolean,
): unknown {
  return {
    checkout,
    plugin,
    user_prompt: request.user_prompt,
    history: earlierTurns(request).map(wireMessage),
    bench_tools: BENCH_TOOLS,
    // As shipped, tool search may stand between the model and any tool.
    required_tools: asShipped ? [] : [RENDER_TOOL, ...BENCH_TOOLS.map((tool) => tool.name)],
    model: request.model,
    base_url: request.base_url,
    seed: request.seed,
    model_calls: request.limits.model_calls,
    session_id: request.trial_id,
    as_shipped: asShipped,
  }
}

/** Chat Completions form, which Hermes takes as conversation history. */
function wireMessage(message: Message): unknown {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message
  const calls = message.tool_calls.map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }))
  return { ...message, tool_calls: calls }
}

/** Follows the driver's events to their end. */
async function follow(child: JsonChild, request: AgentRequest, progress: Progress): Promise<void> {
  for (;;) {
    const message = await child.next()
    if (message === null) throw await endedEarly(child)
    const event = fieldsOf(message)
    switch (event['type']) {
      case 'plugin':
        // What was asked before the run knows the commit too.
        progress.versions = { ...fieldTexts(event['versions']), ...progress.versions }
        break
      case 'tools':
        progress.tools = strings(event['names'])
        break
      case 'bench_call':
        await answerCall(child, event, request, progress)
        break
      case 'failed':
        throw failureOf(event)
      case 'result':
        progress.transcript = transcriptOf(event, progress)
        throwIfUnfinished(event, request)
        return
    }
  }
}

async function answerCall(child: JsonChild, event: Fields, request: AgentRequest, progress: Progress): Promise<void> {
  const name = textField(event, 'name')
  const args = fieldsOf(event['args'])
  const started = performance.now()
  const { result, status } = await answerBenchTool(request, name, args)
  progress.answers.push({ id: `bench_${String(event['id'])}`, name, args, result, status, ms: Math.round(performance.now() - started) })
  child.send({ id: event['id'], result })
}

async function endedEarly(child: JsonChild): Promise<Error> {
  const end = await child.ended
  const words = child.stderrTail().split('\n').slice(-3).join(' / ').slice(0, 400)
  const how = end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`
  // The plugin runs in this process: nothing else in it ends it without a last event.
  return new PluginError(`The process of Hermes with the plugin ended by itself (${how})${words === '' ? '' : `: ${words}`}.`)
}

function failureOf(event: Fields): Error {
  const detail = `${textField(event, 'detail')}.`
  if (event['class'] === 'plugin_error') return new PluginError(detail)
  return event['class'] === 'agent_error' ? new AgentFailure(detail) : new InfraError('harness_error', detail)
}

function transcriptOf(event: Fields, progress: Progress): Transcript {
  const system = typeof event['system_prompt'] === 'string' && event['system_prompt'] !== '' ? event['system_prompt'] : null
  const messages = (Array.isArray(event['messages']) ? event['messages'] : []) as readonly Message[]
  return {
    messages: [...(system === null ? [] : [{ role: 'system' as const, content: system }]), ...messages],
    tool_calls: toolCallsIn(messages, progress.answers),
    final_text: textField(event, 'final_response'),
    tools_offered: progress.tools,
  }
}

/** Calls after the last user message, with the results that the model was given. */
function toolCallsIn(messages: readonly Message[], answers: readonly ToolCall[]): ToolCall[] {
  const prompt = messages.findLastIndex((message) => message.role === 'user' && !message.content.startsWith('['))
  const recent = messages.slice(prompt + 1)
  const left = [...answers]
  return recent.flatMap((message) => {
    if (message.role !== 'assistant') return []
    return (message.tool_calls ?? []).map((made): ToolCall => {
      const given = recent.find((other) => other.role === 'tool' && other.tool_call_id === made.id)
      const result = given?.content ?? ''
      const at = left.findIndex((answer) => answer.name === made.name)
      const bench = at < 0 ? undefined : left.splice(at, 1)[0]
      const status = bench?.status ?? statusOf(made.name, result)
      return { id: made.id, name: made.name, args: parseArguments(made.arguments), result, status, ms: bench?.ms ?? 0 }
    })
  })
}

function statusOf(name: string, result: string): 'ok' | 'error' {
  const status = pluginResultStatus(result)
  return status === 'ok' || (status === 'not_json' && name !== RENDER_TOOL) ? 'ok' : 'error'
}

/** Hermes turns an exception of a handler into an error result; text that is no JSON it passes on. */
function contractBreach(transcript: Transcript): string | null {
  for (const call of transcript.tool_calls) {
    if (call.name !== RENDER_TOOL || call.status === 'ok') continue
    if (pluginResultStatus(call.result) === 'not_json')
      return `${call.name} returned text that is not JSON: ${JSON.stringify(call.result.slice(0, 120))}`
    const raised = /Tool execution failed: ([^"]{1,300})/.exec(call.result)?.[1]
    if (raised !== undefined) return `${call.name} failed: ${raised}`
  }
  return null
}

function throwIfUnfinished(event: Fields, request: AgentRequest): void {
  const error = textField(event, 'error')
  if (event['failed'] === true) {
    // 400, 413 and 422 are the request's own fault; everything else about a model call is the service's.
    if (/\b(?:HTTP|code:?|status:?)\s*(?:400|413|422)\b/i.test(error))
      throw new AgentFailure(`The model service refused the request: ${error}`)
    throw new InfraError(
      'model_unavailable',
      `Hermes got no answer from the model: ${error === '' ? textField(event, 'exit_reason') : error}`,
    )
  }
  if (event['completed'] !== true && /max_iter|budget|iteration/i.test(textField(event, 'exit_reason'))) {
    throw new AgentFailure(`The agent did not finish within ${request.limits.model_calls} model calls.`)
  }
}

/** What can be said when the driver was cut off: the tool calls that it asked us to answer. */
function partial(progress: Progress): Transcript {
  const { transcript } = progress
  return transcript.tool_calls.length > 0 || transcript.final_text !== ''
    ? transcript
    : { ...transcript, tool_calls: progress.answers, tools_offered: progress.tools }
}

function fieldTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [name, String(field)]))
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
