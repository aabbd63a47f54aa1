import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Agent, AgentRequest, AgentResult } from '../model/agent.ts'
import { InfraError, UserError } from '../model/errors.ts'
import type { Message } from '../model/transcript.ts'
import { AgentFailure, completedResult, errorOfModelCall, resultOfError, startTrialClock, type TrialClock } from './agent-end.ts'
import { earlierTurns } from './earlier-turns.ts'
import { type PluginBuild, type PluginHost, startPluginHost } from './plugin-host.ts'
import { findPython } from './python.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'
import { TranscriptLog } from './transcript-log.ts'
import type { ToolSchema } from './tool-schema.ts'

/** Goes into the fingerprint: raise it when the loop, the identity text or the mock tools change what the model sees. */
const BUILTIN_VERSION = '1'

const IDENTITY =
  'You are a helpful assistant with tools. Use a tool when it helps, then answer the user. ' +
  'Do what was asked yourself where you can; be brief. When a tool returns nothing useful, say so instead of guessing.'

export interface BuiltinAgentOptions {
  /** Interpreter for the plugin; null = `python3` on the PATH. */
  readonly python: string | null
}

/** Our own small tool loop on the `openai` package; runs the real plugin code in a Python child. */
export function createBuiltinAgent(options: BuiltinAgentOptions): Agent {
  return {
    kind: 'builtin',
    version: BUILTIN_VERSION,
    run: async (request, signal) => runTrial(request, signal, options),
    close: async () => undefined,
  }
}

async function runTrial(request: AgentRequest, signal: AbortSignal, options: BuiltinAgentOptions): Promise<AgentResult> {
  const python = await findPython(options.python)
  using clock = startTrialClock(request, signal)
  const log = new TranscriptLog()
  const versions: Record<string, string> = { agent: `builtin ${BUILTIN_VERSION}`, python: python.version }
  let host: PluginHost | null = null
  let toolbox: Toolbox | null = null
  try {
    host = await startPluginHost({
      python: python.path,
      pluginFolder: request.plugin_folder,
      scratchFolder: request.scratch_folder,
      callSeconds: Math.min(30, request.limits.wall_seconds),
    })
    versions['plugin'] = `${host.plugin.name} ${host.plugin.version}`
    toolbox = createToolbox(request, host)
    log.offer(toolbox.schemas)
    await openConversation(log, request, host)
    await Promise.race([converse(request, log, toolbox, clock), clock.expired])
    return completedResult(log.snapshot(toolbox.calls), versions, toolbox.contractBreach())
  } catch (error) {
    return resultOfError(clock.signal.aborted ? clock.signal.reason : error, log.snapshot(toolbox?.calls ?? []), versions)
  } finally {
    await host?.close()
  }
}

async function openConversation(log: TranscriptLog, request: AgentRequest, host: PluginHost): Promise<void> {
  log.add({ role: 'system', content: systemPrompt(host.plugin) })
  for (const message of earlierTurns(request)) log.add(message)
  const added = await host.turnContext(request.user_prompt)
  log.add({ role: 'user', content: added === '' ? request.user_prompt : `${request.user_prompt}\n\n${added}` })
}

function systemPrompt(plugin: PluginBuild): string {
  const skills = plugin.skills.map((skill) => `<skill name="${plugin.name}:${skill.name}">\n${skill.text.trim()}\n</skill>`)
  return [IDENTITY, ...(skills.length === 0 ? [] : ['These skills tell you how to use some of your tools:', ...skills])].join('\n\n')
}

/** Asks the model, runs the tools that it calls, and asks again, until it answers in text. */
async function converse(request: AgentRequest, log: TranscriptLog, toolbox: Toolbox, clock: TrialClock): Promise<void> {
  const { default: OpenAI } = await import('openai')
  const client = new OpenAI({ baseURL: request.base_url, apiKey: 'dummy-key-the-relay-holds-the-real-one', maxRetries: 0 })
  for (let call = 0; call < request.limits.model_calls; call += 1) {
    const history = log.snapshot([]).messages
    const reply = await client.chat.completions
      .create(chatRequest(request, history, toolbox.schemas), { signal: clock.signal })
      .catch((error: unknown) => {
        throw errorOfModelCall(error)
      })
    const message = reply.choices?.[0]?.message
    if (message === undefined) throw new InfraError('model_unavailable', 'The model service answered without a choice.')
    const text = message.content ?? ''
    const calls = (message.tool_calls ?? []).filter((made) => made.type === 'function')
    if (calls.length === 0) {
      log.add({ role: 'assistant', content: text })
      log.finish(text)
      return
    }
    log.add({
      role: 'assistant',
      content: text,
      tool_calls: calls.map((made) => ({ id: made.id, name: made.function.name, arguments: made.function.arguments })),
    })
    for (const made of calls) {
      const done = await toolbox.call(made.id, made.function.name, made.function.arguments)
      log.add({ role: 'tool', tool_call_id: made.id, name: made.function.name, content: done.result })
    }
  }
  throw new AgentFailure(`The agent did not finish within ${request.limits.model_calls} model calls.`)
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** @throws UserError for an effort that the API does not know */
function knownEffort(effort: string | null): (typeof EFFORTS)[number] | null {
  if (effort === null) return null
  const known = EFFORTS.find((candidate) => candidate === effort)
  if (known === undefined) throw new UserError(`effort must be one of ${EFFORTS.join(', ')}; it is ${JSON.stringify(effort)}.`)
  return known
}

/** Reasoning models name the token limit differently. */
const REASONING_MODEL = /^(?:o\d|gpt-5)/

function chatRequest({ model, seed }: AgentRequest, history: readonly Message[], tools: readonly ToolSchema[]) {
  const effort = knownEffort(model.effort)
  const limit =
    model.max_tokens === null
      ? {}
      : REASONING_MODEL.test(model.name)
        ? { max_completion_tokens: model.max_tokens }
        : { max_tokens: model.max_tokens }
  return {
    model: model.name,
    messages: history.map(wireMessage),
    tools: tools.map(wireTool),
    seed,
    ...limit,
    ...(model.temperature === null ? {} : { temperature: model.temperature }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
  }
}

function wireTool({ name, description, parameters }: ToolSchema): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } }
}

function wireMessage(message: Message): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content }
  if (message.role !== 'assistant' || message.tool_calls === undefined) return { role: message.role, content: message.content }
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.tool_calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: text },
    })),
  }
}
