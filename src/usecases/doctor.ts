import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkCommandConformance } from '../agents/command-conformance.ts'
import { findHermes } from '../agents/hermes-install.ts'
import { readHermesSource } from '../agents/hermes-source.ts'
import { inspectPlugin } from '../agents/inspect-plugin.ts'
import { findPython } from '../agents/python.ts'
import type { JudgeChoice } from '../model/judge-choice.ts'
import { checkBrowser } from './doctor-browser.ts'
import { AGENT_SERVICE, checkEndpoint, checkJudgeService } from './doctor-endpoint.ts'
import { checkWritable } from './doctor-folders.ts'
import { attempted, type Finding } from './finding.ts'
import { localRepository } from './local-repository.ts'

const execute = promisify(execFile)

export interface DoctorOptions {
  /** Folder that a run would be started in. */
  readonly working_folder: string
  readonly plugin_folder: string | null
  /** A plugin build that works, for the conformance test when no plugin is given; null when there is none. */
  readonly example_plugin: string | null
  readonly agent_command: string | null
  readonly python: string | null
  readonly hermes_version: string
  readonly base_url: string | null
  readonly model: string | null
  readonly api_key: string | null
  readonly judge: JudgeChoice
  readonly browser_path: string | null
  readonly output_folder: string
  /** Told of each finding as soon as it is there. */
  readonly onFinding: (finding: Finding) => void
}

const NODE_MAJOR = 24

/** Looks at everything that a run needs, one after another, and never throws for what it finds. */
export async function examine(options: DoctorOptions): Promise<readonly Finding[]> {
  const examinations: readonly (() => Promise<readonly Finding[]>)[] = [
    async () => [checkNode()],
    async () => [await checkGit(options.working_folder)],
    async () => [await checkPython(options.python)],
    async () => checkWritable(options.output_folder),
    () => checkBrowser(options.browser_path),
    async () => [await checkHermes(options)],
    async () => [await checkPlugin(options)],
    async () => [await checkEndpoint(options, AGENT_SERVICE)],
    () => checkJudgeService(options.judge),
    () => checkAgentCommand(options),
  ]
  const findings: Finding[] = []
  for (const look of examinations) {
    for (const finding of await look()) {
      findings.push(finding)
      options.onFinding(finding)
    }
  }
  return findings
}

function checkNode(): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major >= NODE_MAJOR) return { name: 'Node', status: 'ok', detail: process.versions.node, advice: null }
  const advice = `install Node ${NODE_MAJOR} or newer (in a checkout "npm ci" brings one: node_modules/.bin/node)`
  return { name: 'Node', status: 'failed', detail: `${process.versions.node} is too old`, advice }
}

async function checkGit(folder: string): Promise<Finding> {
  const version = await execute('git', ['--version']).then(
    ({ stdout }) => stdout.trim().replace(/^git version /, ''),
    () => null,
  )
  if (version === null) {
    return {
      name: 'git',
      status: 'failed',
      detail: 'was not found',
      advice: 'install git: the baseline is read from the base commit by it',
    }
  }
  const { repo_folder: repository } = await localRepository(folder)
  if (repository !== null) return { name: 'git', status: 'ok', detail: version, advice: null }
  const advice = 'run inside a checkout, or name a baseline with --baseline-file'
  return { name: 'git', status: 'warning', detail: `${version}, but ${folder} is no repository`, advice }
}

function checkPython(asked: string | null): Promise<Finding> {
  return attempted('Python', 'install Python 3.9 or newer, or give its path with --python', async () => {
    const { path, version } = await findPython(asked)
    return { status: 'ok', detail: `${version}, ${path}`, advice: null }
  })
}

function checkHermes({ python, hermes_version: version }: DoctorOptions): Promise<Finding> {
  const advice = 'name a release, a checkout or an interpreter with --hermes-version; an environment whose folder is removed is made again'
  return attempted('Hermes Agent', advice, async () => {
    const source = await readHermesSource(version)
    const found = await findHermes(source, python).catch(async (error: unknown) => {
      // --python may be meant for the plugin alone
      const own = python === null ? null : await findHermes(source, null)
      if (own === null) throw error
      return own
    })
    if (found !== null) return { status: 'ok', detail: `${found.version}, ${found.checkout ?? found.python}`, advice: null }
    const nothing = `nothing to do: the first "run --agent hermes" installs ${version} (needs Python 3.11 to 3.13 and the network)`
    return { status: 'warning', detail: 'is not installed yet', advice: nothing }
  })
}

function checkPlugin({ plugin_folder: folder, python }: DoctorOptions): Promise<Finding> {
  const name = 'plugin'
  if (folder === null) {
    return Promise.resolve({ name, status: 'skipped', detail: 'not looked at', advice: 'give its folder with --plugin' })
  }
  return attempted(name, 'make Python available first', async () => {
    const inspected = await inspectPlugin(folder, python)
    if (inspected.status === 'broken') {
      return {
        status: 'failed',
        detail: `does not load: ${inspected.problem}`,
        advice: 'mend it: every trial would fail with plugin_error',
      }
    }
    const { plugin } = inspected
    const tools = plugin.tools.map((tool) => tool.name).join(', ')
    const detail = `${plugin.name} ${plugin.version} loads and registers ${tools === '' ? 'no tool' : tools}`
    return plugin.notes.length === 0
      ? { status: 'ok', detail, advice: null }
      : { status: 'warning', detail, advice: plugin.notes.join(' ') }
  })
}

async function checkAgentCommand(options: DoctorOptions): Promise<readonly Finding[]> {
  const { agent_command: command, python } = options
  const pluginFolder = options.plugin_folder ?? options.example_plugin
  if (command === null) return []
  const name = 'agent command'
  if (pluginFolder === null) {
    return [{ name, status: 'failed', detail: 'the conformance test needs a plugin build', advice: 'give one with --plugin' }]
  }
  try {
    const checks = await checkCommandConformance({ command, pluginFolder, python })
    const firstFailed = checks.find(({ ok }) => !ok)
    return checks.map((check) => ({
      name,
      status: check.ok ? 'ok' : 'failed',
      detail: `${check.name}: ${check.detail}`,
      // one failed check tends to bring the others
      advice: check === firstFailed ? 'mend this first; docs/agent-protocol.md says what an adapter must do' : null,
    }))
  } catch (error) {
    return [await attempted(name, 'see docs/agent-protocol.md', () => Promise.reject(error))]
  }
}
