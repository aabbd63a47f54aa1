// The real package, built once for all test files: dist/ and tasks/ in a folder with no node_modules above, as a checkout of the Action holds it.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installAction, type InstalledAction } from '../github/runner.ts'
import { copyBuiltPackage } from './shared-build.ts'

const root = path.join(import.meta.dirname, '..', '..')

/** Few tasks of both kinds, so that a run takes seconds: two apps and a negative control. */
export const TASKS = ['hitl_reg_01', 'neg_reg_01', 'study_reg_04']
/** The negative controls: no app is rendered, so a trial takes a fraction of a second. */
export const QUICK_TASKS = ['neg_reg_01', 'neg_reg_02', 'neg_reg_03', 'neg_reg_04']
export const HEALTHY = path.join(root, 'examples', 'genui-plugin')
export const REGRESSED = path.join(root, 'examples', 'genui-plugin-regressed')
export const TASKS_FOLDER = path.join(root, 'tasks')

export interface BuiltAction extends AsyncDisposable {
  readonly action: InstalledAction
  /** Scratch folder of the test file. */
  readonly temp: string
}

export async function buildAction(): Promise<BuiltAction> {
  const temp = await mkdtemp(path.join(tmpdir(), 'genui-eval-e2e-'))
  await copyBuiltPackage(path.join(temp, 'dist'))
  const action = await installAction({
    'action.yml': path.join(root, 'action.yml'),
    dist: path.join(temp, 'dist'),
    tasks: TASKS_FOLDER,
  })
  return {
    action,
    temp,
    async [Symbol.asyncDispose]() {
      await action[Symbol.asyncDispose]()
      await rm(temp, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A baseline of the healthy build, made by the package's own command line. */
export async function makeBaseline(
  built: BuiltAction,
  modelUrl: string,
  apiKey: string,
  trials: number,
  tasks: readonly string[] = TASKS,
  over: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(built.temp, 'baseline-'))
  await cp(HEALTHY, path.join(folder, 'plugin'), { recursive: true })
  const options = {
    plugin: 'plugin',
    tasks: tasks.join(','),
    agent: 'builtin',
    model: 'scripted',
    'base-url': modelUrl,
    trials: String(trials),
    output: 'baseline.json',
    note: 'made by a test',
    ...over,
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const made = await run(process.execPath, [path.join(built.action.folder, 'dist', 'cli.js'), 'baseline', ...flags], folder, apiKey)
  if (made.code !== 0) throw new Error(`no baseline could be made: ${made.log}`)
  return readFile(path.join(folder, 'baseline.json'), 'utf8')
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  apiKey: string,
): Promise<{ readonly code: number | null; readonly log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, GENUI_EVAL_API_KEY: apiKey }, stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (log += chunk.toString('utf8')))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, log }))
  })
}
