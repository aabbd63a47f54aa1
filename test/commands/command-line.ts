// The command line as a user starts it: a child process.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'

export const PROJECT = path.join(import.meta.dirname, '..', '..')
export const HEALTHY = path.join(PROJECT, 'examples/genui-plugin')
export const REGRESSED = path.join(PROJECT, 'examples/genui-plugin-regressed')
export const TASKS_FOLDER = path.join(PROJECT, 'tasks')
/** Two apps and a negative control, so that a run takes seconds. */
export const TASKS = ['hitl_reg_01', 'neg_reg_01', 'study_reg_04'] as const

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs `genui-eval` with these arguments; keys of the tester's own environment are kept from it. */
export function genuiEval(args: readonly string[], { cwd = PROJECT, env = {} }: Surroundings = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(PROJECT, 'src/cli.ts'), ...args], {
      cwd,
      env: { ...process.env, GENUI_EVAL_API_KEY: undefined, OPENAI_API_KEY: undefined, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** `{ plugin: 'x' }` → `--plugin x`. */
export function flags(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
}

export async function scratchFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'genui-eval-commands-'))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/** A real run of a plugin build: builtin agent, scripted model, one trial a task, nothing gated. */
export async function makeRun(plugin: string, folder: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const model = await startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0 })
  const options = {
    plugin,
    'tasks-folder': TASKS_FOLDER,
    tasks: TASKS.join(','),
    agent: 'builtin',
    model: 'scripted',
    'base-url': model.url,
    'scripted-model': 'true',
    gate: 'report-only',
    k: '1',
    'max-trials': '1',
    'output-folder': folder,
    ...more,
  }
  const ended = await genuiEval(['run', ...flags(options)]).finally(() => model.close())
  if (ended.code !== 0) throw new Error(`the run ended with ${ended.code}: ${ended.stderr}`)
}
