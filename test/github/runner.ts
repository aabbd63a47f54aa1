// Runs a packaged JavaScript action as a GitHub runner does: a bare copy of what a checkout holds (no node_modules anywhere above), Node 24,
// INPUT_* from action.yml's defaults, an event payload, command files, another working directory; then the post step with the saved state.
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'

/** A clone of the action in a folder of its own. */
export interface InstalledAction extends AsyncDisposable {
  readonly folder: string
}

export interface StepOptions {
  readonly event: string
  readonly payload: unknown
  /** Inputs that the workflow gives; the others take action.yml's defaults. */
  readonly inputs: Readonly<Record<string, string>>
  /** Added to what the runner sets, e.g. GITHUB_API_URL and the artifact service. */
  readonly env: Readonly<Record<string, string>>
  /** Value of `${{ github.token }}`. */
  readonly token: string
  /** Cancels the step as a runner does: SIGINT, after 7.5 s SIGTERM, after 2.5 s more SIGKILL; shortened here. `signal` resolves when to begin. */
  readonly cancel?: Promise<void>
  /** `GITHUB_WORKSPACE`; an empty folder when not given. */
  readonly workspace?: string
}

export interface StepResult {
  /** Null when a signal ended it. */
  readonly exit_code: number | null
  readonly outputs: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
  readonly summary: string
  /** All that went to stdout and stderr, in order of arrival. */
  readonly log: string
  readonly post: { readonly exit_code: number | null; readonly log: string } | null
}

interface Manifest {
  readonly inputs?: Readonly<Record<string, { readonly default?: string | number | boolean }>>
  readonly runs: { readonly using: string; readonly main: string; readonly post?: string }
}

/** Copies exactly what the action may rely on; `dist` can come from elsewhere (a fresh build). */
export async function installAction(files: Readonly<Record<string, string>>): Promise<InstalledAction> {
  const folder = await mkdtemp(path.join(tmpdir(), 'genui eval action-'))
  for (const [name, source] of Object.entries(files)) await cp(source, path.join(folder, name), { recursive: true })
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs main and then post. */
export async function runStep(action: InstalledAction, options: StepOptions): Promise<StepResult> {
  const manifest: Manifest = parse(await readFile(path.join(action.folder, 'action.yml'), 'utf8'))
  if (manifest.runs.using !== 'node24') throw new Error(`the action does not run on node24 but on ${manifest.runs.using}`)
  const machine = await mkdtemp(path.join(tmpdir(), 'genui-eval-machine-'))
  try {
    const files = await commandFiles(machine)
    const env = await environment(action, manifest, options, machine, files)
    const main = await start(path.join(action.folder, manifest.runs.main), env, machine, options.cancel ?? null)
    const [outputs, state, summary] = await Promise.all([
      readCommandFile(files.GITHUB_OUTPUT),
      readCommandFile(files.GITHUB_STATE),
      readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    ])
    const saved = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]))
    const post =
      manifest.runs.post === undefined
        ? null
        : await start(path.join(action.folder, manifest.runs.post), { ...env, ...saved }, machine, null)
    return { exit_code: main.exit_code, outputs, state, summary, log: main.log, post }
  } finally {
    await rm(machine, { recursive: true, force: true })
  }
}

const COMMAND_FILES = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY', 'GITHUB_ENV', 'GITHUB_PATH'] as const
type CommandFiles = Readonly<Record<(typeof COMMAND_FILES)[number], string>>

async function commandFiles(machine: string): Promise<CommandFiles> {
  const file = (name: string) => path.join(machine, name.toLowerCase())
  for (const name of COMMAND_FILES) await writeFile(file(name), '')
  return {
    GITHUB_OUTPUT: file('GITHUB_OUTPUT'),
    GITHUB_STATE: file('GITHUB_STATE'),
    GITHUB_STEP_SUMMARY: file('GITHUB_STEP_SUMMARY'),
    GITHUB_ENV: file('GITHUB_ENV'),
    GITHUB_PATH: file('GITHUB_PATH'),
  }
}

async function environment(action: InstalledAction, manifest: Manifest, options: StepOptions, machine: string, files: CommandFiles) {
  const payloadFile = path.join(machine, 'event.json')
  await writeFile(payloadFile, JSON.stringify(options.payload))
  const [temp, home, workspace] = [
    path.join(machine, 'temp'),
    path.join(machine, 'home'),
    options.workspace ?? path.join(machine, 'workspace'),
  ]
  for (const folder of [temp, home, workspace]) await mkdir(folder, { recursive: true })
  const unknown = Object.keys(options.inputs).filter((name) => manifest.inputs?.[name] === undefined)
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`)
  const inputs: Record<string, string> = {}
  for (const [name, input] of Object.entries(manifest.inputs ?? {})) {
    const value = options.inputs[name] ?? String(input.default ?? '')
    // the runner replaces blanks and upper-cases, and keeps dashes
    inputs[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] = value.replace(/\$\{\{\s*github\.token\s*\}\}/, options.token)
  }
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: options.event,
    GITHUB_EVENT_PATH: payloadFile,
    GITHUB_ACTION_PATH: action.folder,
    GITHUB_WORKSPACE: workspace,
    GITHUB_RETENTION_DAYS: '90',
    RUNNER_TEMP: temp,
    RUNNER_OS: 'Linux',
    ...files,
    ...inputs,
    ...options.env,
  }
}

function start(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  cancel: Promise<void> | null,
): Promise<{ readonly exit_code: number | null; readonly log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let log = ''
    const collect = (chunk: Buffer) => void (log += chunk.toString('utf8'))
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', reject)
    child.on('close', (exit_code) => resolve({ exit_code, log }))
    void cancel?.then(async () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
        child.kill(signal)
        await new Promise((next) => setTimeout(next, 300))
      }
    })
  })
}

/** `name=value` and `name<<delimiter … delimiter`, as the runner reads them. */
async function readCommandFile(file: string): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {}
  const lines = (await readFile(file, 'utf8')).split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const heredoc = /^([^=<]+)<<(.+)$/.exec(line)
    if (heredoc?.[1] !== undefined && heredoc[2] !== undefined) {
      const end = lines.indexOf(heredoc[2], i + 1)
      if (end < 0) throw new Error(`${file}: delimiter ${heredoc[2]} is missing`)
      values[heredoc[1]] = lines.slice(i + 1, end).join('\n')
      i = end
    } else if (line !== '') {
      const at = line.indexOf('=')
      values[line.slice(0, at)] = line.slice(at + 1)
    }
  }
  return values
}
