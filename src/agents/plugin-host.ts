import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RENDER_TOOL } from '../model/transcript.ts'
import { agentAsset } from './asset-path.ts'
import { type JsonChild, startJsonChild } from './child-process.ts'
import { type Fields, fieldsOf, isFields, textField } from './json-fields.ts'
import { PluginError, readPluginManifest } from './plugin-manifest.ts'
import type { ToolSchema } from './tool-schema.ts'

/** How long loading the plugin or one handler may take, seconds. */
export const PLUGIN_CALL_SECONDS = 30

export interface PluginSkill {
  readonly name: string
  readonly text: string
}

/** What a plugin build offers once `register(ctx)` has run. */
export interface PluginBuild {
  readonly name: string
  readonly version: string
  readonly tools: readonly ToolSchema[]
  readonly skills: readonly PluginSkill[]
  /** What was registered but has no effect, or is hidden, in words. */
  readonly notes: readonly string[]
}

export interface PluginHost {
  readonly plugin: PluginBuild
  /**
   * Runs a handler of the plugin. `ok: false` when it raised or broke the handler contract (the plugin lives on).
   * @throws PluginError when it hangs or its process ended.
   */
  call(tool: string, args: Fields): Promise<{ readonly ok: boolean; readonly text: string }>
  /** What the plugin's `pre_llm_call` hooks add to the user's message; usually empty. */
  turnContext(userMessage: string): Promise<string>
  close(): Promise<void>
}

export interface PluginHostOptions {
  /** Interpreter path. */
  readonly python: string
  readonly pluginFolder: string
  readonly scratchFolder: string
  readonly callSeconds?: number
}

/**
 * Starts the plugin's Python in a child process and loads it as Hermes does.
 * @throws PluginError when the build is incomplete, does not import, `register` raises, or it offers no `render_micro_app`.
 */
export async function startPluginHost(options: PluginHostOptions): Promise<PluginHost> {
  const manifest = await readPluginManifest(options.pluginFolder)
  const child = await startJsonChild({
    program: options.python,
    args: ['-u', agentAsset('plugin-host.py')],
    scratchFolder: options.scratchFolder,
    env: { PYTHONNOUSERSITE: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
  })
  try {
    const exchange = requester(child, options.callSeconds ?? PLUGIN_CALL_SECONDS)
    const loaded = await exchange({ op: 'load', folder: options.pluginFolder, name: manifest.name }, 'loading the plugin')
    if (!loaded.ok) throw new PluginError(`The plugin does not load: ${loaded.error}.`)
    const plugin = await describe(manifest, loaded.reply, options.pluginFolder)
    return {
      plugin,
      call: async (tool, args) => {
        const reply = await exchange({ op: 'call', tool, args }, tool)
        return reply.ok ? { ok: true, text: textField(reply.reply, 'result') } : { ok: false, text: reply.error }
      },
      turnContext: async (userMessage) => {
        const reply = await exchange({ op: 'turn', user_message: userMessage }, 'pre_llm_call')
        return reply.ok ? textField(reply.reply, 'context') : ''
      },
      close: async () => child.kill(),
    }
  } catch (error) {
    await child.kill()
    throw error
  }
}

type Reply = { readonly ok: true; readonly reply: Fields } | { readonly ok: false; readonly error: string }

/** Requests are answered one at a time, in order. */
function requester(child: JsonChild, seconds: number): (request: Fields, what: string) => Promise<Reply> {
  let lastId = 0
  return async (request, what) => {
    lastId += 1
    const id = lastId
    child.send({ id, ...request })
    const timer = new AbortController()
    const late = delay(seconds * 1000, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
    try {
      for (;;) {
        const message = await Promise.race([child.next(), late])
        if (message === 'late') throw new PluginError(`${sentenceStart(what)} did not return within ${seconds} s.`)
        if (message === null) throw new PluginError(`${sentenceStart(what)} ended the plugin's process: ${await endOf(child)}.`)
        if (isReply(message, id)) return readReply(message)
      }
    } finally {
      timer.abort()
    }
  }
}

const sentenceStart = (what: string): string => (what === 'loading the plugin' ? 'Loading the plugin' : `The plugin's ${what}`)

async function endOf(child: JsonChild): Promise<string> {
  const end = await Promise.race([child.ended, delay(1000, null)])
  const how = end === null ? 'it closed its output' : end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`
  const said = child.stderrTail().split('\n').at(-1) ?? ''
  return said === '' ? how : `${how}, last words: ${said.slice(0, 300)}`
}

function isReply(message: unknown, id: number): message is Fields {
  return isFields(message) && message['id'] === id
}

function readReply(message: Fields): Reply {
  if (message['ok'] === true) return { ok: true, reply: message }
  const where = textField(message, 'where')
  return { ok: false, error: `${textField(message, 'error')}${where === '' ? '' : ` (${where})`}` }
}

async function describe(
  manifest: { readonly name: string; readonly version: string },
  reply: Fields,
  folder: string,
): Promise<PluginBuild> {
  const tools = records(reply['tools']).map((tool) => ({
    name: textField(tool, 'name'),
    description: textField(tool, 'description'),
    parameters: fieldsOf(tool['parameters']),
  }))
  const notes = Array.isArray(reply['notes']) ? reply['notes'].map(String) : []
  if (!tools.some((tool) => tool.name === RENDER_TOOL)) {
    const offered = tools.length === 0 ? 'no tool' : `only ${tools.map((tool) => tool.name).join(', ')}`
    throw new PluginError([`The plugin registers ${offered}, not ${RENDER_TOOL}.`, ...notes.map((note) => `Note: ${note}.`)].join(' '))
  }
  const registered = records(reply['skills']).map((skill) => ({ name: textField(skill, 'name'), text: textField(skill, 'text') }))
  return { ...manifest, tools, notes, skills: registered.length > 0 ? registered : await rootSkill(manifest.name, folder) }
}

/** A SKILL.md that lies in the plugin's root without being registered still belongs to the build. */
async function rootSkill(name: string, folder: string): Promise<readonly PluginSkill[]> {
  const text = await readFile(join(folder, 'SKILL.md'), 'utf8').catch(() => null)
  return text === null ? [] : [{ name, text }]
}

function records(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
