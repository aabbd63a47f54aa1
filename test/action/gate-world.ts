// One pull request, one loopback GitHub, one artifact service, one scripted model: what a run of the Action needs.
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startScriptedModel, type ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { unzipInto } from '../../src/github/unzip.ts'
import { startArtifactEmulator, type ArtifactEmulator } from '../github/artifact-emulator.ts'
import { startFakeGitHub, type FakeGitHub } from '../github/fake-github.ts'
import { runStep, type StepOptions, type StepResult } from '../github/runner.ts'
import { RUNNER_ENV } from '../github/world.ts'
import { HEALTHY, makeBaseline, TASKS, TASKS_FOLDER, type BuiltAction } from './built-action.ts'
import { announce, openPullRequest, type PullRequest, type PullRequestPlan } from './pull-request.ts'

export const API_KEY = 'sk-e2e-0123456789abcdefghij'
export const TOKEN = 'ghs_e2e0123456789abcdefghij'

export interface GateWorld extends AsyncDisposable {
  readonly built: BuiltAction
  readonly fake: FakeGitHub
  readonly store: ArtifactEmulator
  readonly model: Pick<ScriptedModel, 'url'>
  readonly baseline: string
  /** A pull request that the loopback GitHub knows. */
  open(plan?: Partial<PullRequestPlan>, fork?: boolean): Promise<PullRequest>
  /** Runs the Action on it as a runner does. */
  run(pull: PullRequest, over?: Partial<StepOptions>): Promise<StepResult>
}

/** A model that slips never, so that what a test sees follows from the builds. */
export function startModel(): Promise<ScriptedModel> {
  return startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0, requiredKey: API_KEY })
}

/** A baseline of three real trials a task whose counts are then raised to thirty, as if it had been refreshed often. */
export async function baselineOfHealthyBuild(built: BuiltAction, model: ScriptedModel, tasks?: readonly string[]): Promise<string> {
  const made = await makeBaseline(built, model.url, API_KEY, 3, tasks)
  return made.replaceAll('"n": 3, "c": 3', '"n": 30, "c": 30')
}

export async function startWorld(built: BuiltAction, model: Pick<ScriptedModel, 'url'>, baseline: string): Promise<GateWorld> {
  const [fake, store] = [await startFakeGitHub(), await startArtifactEmulator()]
  return {
    built,
    fake,
    store,
    model,
    baseline,
    async open(plan = {}, fork = false) {
      const folder = await mkdtemp(path.join(built.temp, 'pull-request-'))
      const pull = await openPullRequest({ folder, baseline, base_plugin: HEALTHY, head_plugin: HEALTHY, ...plan })
      announce(fake, pull, fork)
      return pull
    },
    run(pull, over = {}) {
      const { inputs = {}, env = {}, ...others } = over
      return runStep(built.action, {
        event: 'pull_request',
        payload: pull.payload(),
        workspace: pull.workspace,
        token: TOKEN,
        inputs: { ...runInputs(model.url), ...inputs },
        env: {
          ...RUNNER_ENV,
          ...store.env,
          GITHUB_API_URL: fake.url,
          GITHUB_SHA: pull.merge,
          GITHUB_EVENT_NAME: others.event ?? 'pull_request',
          ...env,
        },
        ...others,
      })
    },
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

export function runInputs(modelUrl: string): Readonly<Record<string, string>> {
  return {
    plugin: 'plugin',
    tasks: TASKS.join(','),
    agent: 'builtin',
    model: 'scripted',
    'base-url': modelUrl,
    'api-key': API_KEY,
    'scripted-model': 'true',
    concurrency: '3',
  }
}

/** A plugin that raises when it is loaded: every trial fails at once, and no browser is needed. */
export async function brokenPlugin(built: BuiltAction): Promise<string> {
  const folder = await mkdtemp(path.join(built.temp, 'broken-'))
  await writeFile(path.join(folder, 'plugin.yaml'), 'name: genui\nversion: 1.4.1\ndescription: A build that does not load.\n')
  await writeFile(path.join(folder, '__init__.py'), 'raise RuntimeError("half a refactoring")\n')
  return folder
}

/** Unpacked files of an uploaded zip, by name. */
export async function unpack(built: BuiltAction, zip: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(path.join(built.temp, 'unpacked-'))
  const archive = `${folder}.zip`
  await writeFile(archive, zip)
  const files = await unzipInto(archive, folder, { archive_bytes: 2 ** 28, files: 10_000, file_bytes: 2 ** 28, bytes: 2 ** 30 })
  return new Map(await Promise.all(files.map(async (name) => [name, await readFile(path.join(folder, name))] as const)))
}

/** Files below a folder that hold one of the texts. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const bytes = await readFile(path.join(entry.parentPath, entry.name))
    if (texts.some((text) => bytes.includes(text))) found.push(path.join(entry.parentPath, entry.name))
  }
  return found
}

export function errorLines({ log }: { readonly log: string }): readonly string[] {
  return log.split('\n').filter((line) => line.startsWith('::error::'))
}
export function warningLines({ log }: { readonly log: string }): readonly string[] {
  return log.split('\n').filter((line) => line.startsWith('::warning::'))
}
