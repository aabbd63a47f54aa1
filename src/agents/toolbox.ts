import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { AgentRequest } from '../model/agent.ts'
import type { ToolCall } from '../model/transcript.ts'
import { decodeJson, type Fields, fieldsOf, isFields } from './json-fields.ts'
import { answerMockTool, BENCH_TOOLS, isMockTool, WRITE_FILE } from './mock-tools.ts'
import type { PluginHost } from './plugin-host.ts'
import type { ToolAnswer, ToolSchema } from './tool-schema.ts'

/** The tools of one trial: the benchmark's, and the plugin's when it is hosted here. Keeps every call for the transcript. */
export interface Toolbox {
  readonly schemas: readonly ToolSchema[]
  readonly calls: readonly ToolCall[]
  /**
   * Runs one call as the model wrote it.
   * @throws PluginError when the plugin's process hung or ended
   */
  call(id: string, name: string, argumentsText: string): Promise<ToolCall>
  /** First thing that a plugin's handler did against its contract, in words; null when none did. */
  contractBreach(): string | null
}

export function createToolbox(request: AgentRequest, host: PluginHost | null): Toolbox {
  const calls: ToolCall[] = []
  let breach: string | null = null
  const pluginTools = host?.plugin.tools ?? []

  const answer = async (name: string, args: Fields): Promise<ToolAnswer> => {
    if (host !== null && pluginTools.some((tool) => tool.name === name)) {
      const given = await host.call(name, args)
      if (!given.ok) {
        breach ??= `${name} failed: ${given.text}`
        return { result: JSON.stringify({ error: `Tool execution failed: ${given.text}` }), status: 'error' }
      }
      const status = pluginResultStatus(given.text)
      if (status === 'not_json') breach ??= `${name} returned text that is not JSON: ${JSON.stringify(given.text.slice(0, 120))}`
      return { result: given.text, status: status === 'ok' ? 'ok' : 'error' }
    }
    return answerBenchTool(request, name, args)
  }

  return {
    schemas: [...BENCH_TOOLS.filter((tool) => !pluginTools.some((own) => own.name === tool.name)), ...pluginTools],
    calls,
    contractBreach: () => breach,
    call: async (id, name, argumentsText) => {
      const started = performance.now()
      const args = parseArguments(argumentsText)
      const { result, status } =
        typeof args === 'string'
          ? { result: JSON.stringify({ error: 'The arguments are not a valid JSON object.' }), status: 'error' as const }
          : await answer(name, args)
      const call: ToolCall = { id, name, args, result, status, ms: Math.round(performance.now() - started) }
      calls.push(call)
      return call
    },
  }
}

/** Decoded arguments object; the text itself when it is none. */
export function parseArguments(text: string): Fields | string {
  if (text.trim() === '') return {}
  const value = decodeJson(text)
  return isFields(value) ? value : text
}

/** A plugin's handler reports an error as JSON with `error`, or with `ok` or `success` false. */
export function pluginResultStatus(result: string): 'ok' | 'error' | 'not_json' {
  const value = decodeJson(result)
  if (value === undefined) return 'not_json'
  const fields = fieldsOf(value)
  const failed = (fields['error'] ?? null) !== null || fields['ok'] === false || fields['success'] === false
  return failed ? 'error' : 'ok'
}

/** Answers a benchmark tool: mocked context first, and files of the trial's own working folder. */
export async function answerBenchTool(request: AgentRequest, name: string, args: Fields): Promise<ToolAnswer> {
  const work = join(request.scratch_folder, 'work')
  if (name === WRITE_FILE.name) return writeScratchFile(work, args)
  if (!isMockTool(name)) return { result: JSON.stringify({ error: `Unknown tool: ${name}` }), status: 'error' }
  const answer = answerMockTool(request.mock_tool_context, name, args)
  if (!answer.matched && name === 'read_file' && typeof args['path'] === 'string') {
    const own = await readScratchFile(work, args['path'])
    if (own !== null) return { result: own === '' ? '[empty file]' : own, status: 'ok' }
  }
  return { result: answer.result, status: answer.status }
}

async function writeScratchFile(work: string, args: Fields): Promise<ToolAnswer> {
  const { path, content } = args
  if (typeof path !== 'string' || path.trim() === '' || typeof content !== 'string') {
    return { result: 'Error: write_file needs path and content.', status: 'error' }
  }
  const target = await insideWork(work, path)
  if (target === null) return { result: `Error: ${path} is outside the current directory.`, status: 'error' }
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  } catch (error) {
    return {
      result: `Error: ${path} could not be written (${error instanceof Error ? error.message : 'unknown reason'}).`,
      status: 'error',
    }
  }
  return { result: `Wrote ${Buffer.byteLength(content)} bytes to ${path}`, status: 'ok' }
}

async function readScratchFile(work: string, path: string): Promise<string | null> {
  const target = await insideWork(work, path)
  return target === null ? null : readFile(target, 'utf8').catch(() => null)
}

/** Absolute path inside the working folder, or null. A symbolic link on the way must not lead out of it. */
async function insideWork(work: string, path: string): Promise<string | null> {
  await mkdir(work, { recursive: true })
  const root = await realpath(work)
  const target = resolve(root, path.replace(/^~\//, ''))
  if (!target.startsWith(root + sep)) return null
  let current = root
  for (const part of relative(root, target).split(sep)) {
    current = join(current, part)
    const found = await lstat(current).catch(() => null)
    if (found === null) return target
    if (found.isSymbolicLink()) return null
  }
  return target
}
