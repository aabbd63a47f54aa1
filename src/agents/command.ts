import { createHash } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Agent, AgentRequest, AgentResult } from '../model/agent.ts'
import { InfraError } from '../model/errors.ts'
import type { Message, ToolCall } from '../model/transcript.ts'
import { AgentFailure, completedResult, resultOfError, startTrialClock } from './agent-end.ts'
import { type JsonChild, NotJson, startJsonChild } from './child-process.ts'
import { splitCommand } from './command-line.ts'
import { type AdapterMessage, adapterMessageSchema, COMMAND_PROTOCOL, type HarnessMessage } from './command-protocol.ts'
import { earlierTurns } from './earlier-turns.ts'
import { type PluginHost, startPluginHost } from './plugin-host.ts'
import { PluginError } from './plugin-manifest.ts'
import { findPython } from './python.ts'
import { createToolbox, parseArguments, type Toolbox } from './toolbox.ts'
import { TranscriptLog } from './transcript-log.ts'

export interface CommandAgentOptions {
  /** Program and arguments, split as a shell splits words; relative paths that exist are made absolute. */
  readonly command: string
  /** Interpreter for the plugin's tools; null or absent = `python3` on the PATH. */
  readonly python?: string | null
}

/**
 * Any program that speaks the protocol of `command-protocol.ts` over stdio, one process a trial. The harness runs the plugin's and the
 * benchmark's tools for it, unless it runs them itself and reports them.
 * @throws UserError when the command is empty
 */
export function createCommandAgent(options: CommandAgentOptions): Agent {
  // The child starts in the trial's scratch folder: what the user meant from here must be said absolutely.
  const words = splitCommand(options.command).map((word) =>
    !isAbsolute(word) && word.includes('/') && existsSync(word) ? resolve(word) : word,
  )
  const digest = createHash('sha256').update(options.command).digest('hex').slice(0, 12)
  const validate = new Ajv({ allErrors: false, strict: false }).compile<AdapterMessage>(adapterMessageSchema)
  return {
    kind: 'command',
    version: `${COMMAND_PROTOCOL} ${digest}`,
    run: async (request, signal) => runTrial(request, signal, words, options.python ?? null, validate),
    close: async () => undefined,
  }
}

async function runTrial(
  request: AgentRequest,
  signal: AbortSignal,
  [program = '', ...args]: readonly string[],
  pythonPath: string | null,
  validate: ValidateFunction<AdapterMessage>,
): Promise<AgentResult> {
  const python = await findPython(pythonPath)
  using clock = startTrialClock(request, signal)
  const log = new TranscriptLog()
  const versions: Record<string, string> = {}
  let child: JsonChild | null = null
  let host: PluginHost | null = null
  let toolbox: Toolbox | null = null
  const reported: ToolCall[] = []
  const calls = (): ToolCall[] => [...(toolbox?.calls ?? []), ...reported]
  try {
    host = await startPluginHost({ python: python.path, pluginFolder: request.plugin_folder, scratchFolder: request.scratch_folder })
    versions['plugin'] = `${host.plugin.name} ${host.plugin.version}`
    toolbox = createToolbox(request, host)
    log.offer(toolbox.schemas)
    child = await startJsonChild({ program, args, scratchFolder: request.scratch_folder })
    child.send(startMessage(request, host, toolbox))
    const trial: CommandTrial = { child, log, toolbox, reported, versions, validate }
    await Promise.race([follow(trial), clock.expired])
    return completedResult(log.snapshot(calls()), versions, toolbox.contractBreach())
  } catch (error) {
    return resultOfError(clock.signal.aborted ? clock.signal.reason : error, log.snapshot(calls()), versions)
  } finally {
    await Promise.all([child?.kill(), host?.close()])
  }
}

function startMessage(request: AgentRequest, host: PluginHost, toolbox: Toolbox): HarnessMessage {
  return {
    type: 'start',
    protocol: COMMAND_PROTOCOL,
    user_prompt: request.user_prompt,
    history: earlierTurns(request).map(historyEntry),
    tools: toolbox.schemas.map((tool) => ({ ...tool, parameters: { ...tool.parameters } })),
    skills: host.plugin.skills.map((skill) => ({ ...skill })),
    plugin_folder: request.plugin_folder,
    model: { ...request.model },
    base_url: request.base_url,
    seed: request.seed,
    limits: { ...request.limits },
  }
}

function historyEntry(message: Message): Record<string, unknown> {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return { ...message }
  const calls = message.tool_calls.map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }))
  return { ...message, tool_calls: calls }
}

interface CommandTrial {
  readonly child: JsonChild
  readonly log: TranscriptLog
  readonly toolbox: Toolbox
  readonly reported: ToolCall[]
  readonly versions: Record<string, string>
  readonly validate: ValidateFunction<AdapterMessage>
}

async function follow(trial: CommandTrial): Promise<void> {
  let greeted = false
  for (;;) {
    const message = await nextMessage(trial)
    if (!greeted && message.type !== 'hello') throw protocolFailure(`the first message must be hello, it was ${message.type}`)
    switch (message.type) {
      case 'hello':
        greeted = true
        trial.versions['agent'] = `${message.name} ${message.version}`
        break
      case 'tool_call': {
        const call = await trial.toolbox.call(message.id, message.name, message.arguments)
        trial.log.add({ role: 'tool', tool_call_id: call.id, name: call.name, content: call.result })
        trial.child.send({ type: 'tool_result', id: call.id, result: call.result, status: call.status } satisfies HarnessMessage)
        break
      }
      case 'tool_report':
        trial.reported.push({
          id: message.id,
          name: message.name,
          args: parseArguments(message.arguments),
          result: message.result,
          status: message.status,
          ms: message.ms ?? 0,
        })
        trial.log.add({ role: 'tool', tool_call_id: message.id, name: message.name, content: message.result })
        break
      case 'message':
        trial.log.add(transcriptMessage(message))
        break
      case 'done':
        Object.assign(trial.versions, message.versions)
        trial.log.finish(message.final_text)
        return
      case 'error':
        throw adapterError(message)
    }
  }
}

function transcriptMessage(message: Extract<AdapterMessage, { type: 'message' }>): Message {
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const calls = message.tool_calls ?? []
  return calls.length === 0
    ? { role: 'assistant', content: message.content }
    : { role: 'assistant', content: message.content, tool_calls: calls }
}

async function nextMessage({ child, validate }: CommandTrial): Promise<AdapterMessage> {
  const message = await child.next()
  if (message === null) {
    const end = await child.ended
    const how = end.signal === null ? `exit code ${end.code ?? 'none: it could not be started'}` : `signal ${end.signal}`
    const words = child.stderrTail().split('\n').at(-1) ?? ''
    throw protocolFailure(`it ended (${how}) before done${words === '' ? '' : `, last words: ${words.slice(0, 300)}`}`)
  }
  if (message instanceof NotJson) throw protocolFailure(`it wrote a line that is not JSON: ${JSON.stringify(message.line.slice(0, 120))}`)
  if (!validate(message))
    throw protocolFailure(`it sent a message that the protocol does not know: ${JSON.stringify(message).slice(0, 200)}`)
  return message
}

const protocolFailure = (what: string): InfraError =>
  new InfraError('harness_error', `The agent command broke the protocol ${COMMAND_PROTOCOL}: ${what}.`)

function adapterError({ cause, detail }: Extract<AdapterMessage, { type: 'error' }>): Error {
  switch (cause) {
    case 'agent':
      return new AgentFailure(detail)
    case 'plugin':
      return new PluginError(detail)
    case 'model':
      return new InfraError('model_unavailable', detail)
    case 'setup':
      return new InfraError('harness_error', detail)
  }
}
