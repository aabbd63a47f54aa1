import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../examples/scripted-model/scripted-model.ts'

const ROOT = join(import.meta.dirname, '../..')
export const HEALTHY_PLUGIN = join(ROOT, 'examples/genui-plugin')
const CLI = join(ROOT, 'src/cli.ts')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A place outside of any repository, with a scripted model that never slips, where the real command line evaluates a build. */
export interface Evaluation extends AsyncDisposable {
  readonly folder: string
  readonly model: ScriptedModel
  /** Arguments of `genui-eval run`; `folder` is the working directory. */
  arguments(...more: string[]): string[]
  run(...more: string[]): Promise<Ended>
  /** Starts a run and leaves it running. */
  start(...more: string[]): ChildProcess
  runFile(name: string): Promise<string>
}

export async function openEvaluation(options: Partial<ScriptedModelOptions> = {}): Promise<Evaluation> {
  const folder = await mkdtemp(join(tmpdir(), 'genui-evaluation-'))
  const model = await startScriptedModel({ tasksFolder: join(ROOT, 'tasks'), slipRate: 0, ...options })
  const service = ['--agent', 'builtin', '--model', 'scripted', '--scripted-model', 'true', '--base-url', model.url]
  const folders = ['--output-folder', join(folder, 'run'), '--tasks-folder', join(ROOT, 'tasks')]
  const settings = { cwd: folder, env: { ...process.env, NO_COLOR: '1' } }
  const evaluation: Evaluation = {
    folder,
    model,
    arguments: (...more) => [CLI, 'run', ...service, ...folders, ...more],
    run: (...more) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          evaluation.arguments(...more),
          { ...settings, maxBuffer: 1e8 },
          (_error, stdout, stderr) => {
            resolve({ code: child.exitCode, stdout, stderr })
          },
        )
      }),
    start: (...more) => spawn(process.execPath, evaluation.arguments(...more), { ...settings, stdio: 'ignore' }),
    runFile: (name) => readFile(join(folder, 'run', name), 'utf8'),
    async [Symbol.asyncDispose]() {
      await model.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return evaluation
}
