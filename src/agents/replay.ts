import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { AGENT_KINDS, type Agent, type AgentRequest, type AgentResult, EMPTY_TRANSCRIPT } from '../model/agent.ts'
import { UserError } from '../model/errors.ts'
import { RENDER_TOOL, type ToolCall } from '../model/transcript.ts'
import { decodeJson, fieldsOf, isFields } from './json-fields.ts'

export interface ReplayAgentOptions {
  /** Folder of a recorded run: `records.jsonl` and what it names. */
  readonly runFolder: string
}

/** The parts of a record that replay needs. */
interface RecordedTrial {
  readonly trial_id: string
  readonly transcript_file: string
  readonly app_file: string | null
}

/**
 * Gives back recorded trials: no model, no key. A trial is found by its id (an attempt number at the end is ignored), else by task and
 * number in the other arm.
 * @throws UserError when the folder holds no recorded trial
 */
export async function createReplayAgent(options: ReplayAgentOptions): Promise<Agent> {
  const trials = await readTrials(options.runFolder)
  return {
    kind: 'replay',
    version: await recordedAgent(options.runFolder),
    run: async (request) => replayTrial(request, trials, options.runFolder),
    close: async () => undefined,
  }
}

async function readTrials(runFolder: string): Promise<ReadonlyMap<string, RecordedTrial>> {
  const file = join(runFolder, 'records.jsonl')
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) throw new UserError(`There is no recorded run in ${runFolder}: ${file} cannot be read.`)
  const trials = new Map<string, RecordedTrial>()
  for (const line of text.split('\n')) {
    const trial = readTrial(line)
    if (trial !== null) trials.set(trial.trial_id, trial)
  }
  if (trials.size === 0) throw new UserError(`The run in ${runFolder} holds no trial with a transcript.`)
  return trials
}

/** Null for a line that was cut (the run was killed) or a trial without a transcript. */
function readTrial(line: string): RecordedTrial | null {
  const fields = fieldsOf(decodeJson(line))
  const { trial_id: id, transcript_file: transcript, app_file: app } = fields
  if (typeof id !== 'string' || typeof transcript !== 'string') return null
  return { trial_id: id, transcript_file: transcript, app_file: typeof app === 'string' ? app : null }
}

/** The agent that was recorded, as its fingerprint says: a replay is comparable with what it replays. */
async function recordedAgent(runFolder: string): Promise<string> {
  const text = await readFile(join(runFolder, 'records.jsonl'), 'utf8')
  const agent = /"agent":"([^"]{1,200})"/.exec(text)?.[1]
  return agent ?? `of an unknown agent (${AGENT_KINDS.join(', ')})`
}

function findTrial(trialId: string, trials: ReadonlyMap<string, RecordedTrial>): RecordedTrial | null {
  const withoutAttempt = trialId.replace(/-\d+$/, '')
  for (const id of [trialId, withoutAttempt]) {
    const exact = trials.get(id)
    if (exact !== undefined) return exact
  }
  for (const id of [withoutAttempt, trialId]) {
    const other = trials.get(
      id.replace(/-(head|base)-(\d+)$/, (_all, arm: string, index: string) => `-${arm === 'head' ? 'base' : 'head'}-${index}`),
    )
    if (other !== undefined) return other
  }
  return null
}

async function replayTrial(request: AgentRequest, trials: ReadonlyMap<string, RecordedTrial>, runFolder: string): Promise<AgentResult> {
  const missing = (detail: string): AgentResult => ({
    status: 'infra',
    infra_class: 'harness_error',
    detail,
    transcript: EMPTY_TRANSCRIPT,
    versions: {},
  })
  const trial = findTrial(request.trial_id, trials)
  if (trial === null) return missing(`The recorded run has no trial ${request.trial_id}.`)
  const result = await readResult(runFolder, trial.transcript_file)
  if (result === null) return missing(`The transcript ${trial.transcript_file} of the recorded run cannot be read.`)
  return trial.app_file === null ? result : withApp(result, trial.app_file, runFolder, request.scratch_folder)
}

/** A run folder may come from elsewhere (an artifact): its paths must not lead out of it. */
async function readInside(runFolder: string, relative: string): Promise<string | null> {
  try {
    const root = await realpath(runFolder)
    const file = await realpath(join(root, relative))
    return file.startsWith(root + sep) ? await readFile(file, 'utf8') : null
  } catch {
    return null
  }
}

async function readResult(runFolder: string, file: string): Promise<AgentResult | null> {
  const value = decodeJson((await readInside(runFolder, file)) ?? '')
  return isAgentResult(value) ? value : null
}

/** Looks at what replay and the graders lean on; the folder may be a fork's artifact. */
function isAgentResult(value: unknown): value is AgentResult {
  const { status, transcript } = fieldsOf(value)
  const { messages, tool_calls: calls, final_text: text, tools_offered: tools } = fieldsOf(transcript)
  const known = status === 'completed' || status === 'failed' || status === 'infra'
  return (
    known && Array.isArray(messages) && Array.isArray(tools) && typeof text === 'string' && Array.isArray(calls) && calls.every(isToolCall)
  )
}

function isToolCall(value: unknown): boolean {
  const { id, name, result, status, args } = fieldsOf(value)
  const texts = [id, name, result].every((field) => typeof field === 'string')
  return texts && (status === 'ok' || status === 'error') && (typeof args === 'string' || isFields(args))
}

/** Puts the recorded app into this trial's scratch folder and lets the render result name it there: the recorded path is gone. */
async function withApp(result: AgentResult, appFile: string, runFolder: string, scratchFolder: string): Promise<AgentResult> {
  const html = await readInside(runFolder, appFile)
  const at = result.transcript.tool_calls.findLastIndex((call) => call.name === RENDER_TOOL && call.status === 'ok')
  const call = result.transcript.tool_calls[at]
  if (html === null || call === undefined) return result
  const folder = join(scratchFolder, 'work')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'app.html')
  await writeFile(path, html)
  const calls = result.transcript.tool_calls.with(at, rebased(call, path))
  return { ...result, transcript: { ...result.transcript, tool_calls: calls } }
}

function rebased(call: ToolCall, path: string): ToolCall {
  const value = decodeJson(call.result)
  if (!isFields(value)) return call
  const fields = Object.entries(value).map(([key, field]) => [key, typeof field === 'string' && /\.html?$/i.test(field) ? path : field])
  return { ...call, result: JSON.stringify(Object.fromEntries(fields)) }
}
