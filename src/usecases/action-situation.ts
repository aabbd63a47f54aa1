import { readFile } from 'node:fs/promises'
import { connect, type GitHub } from '../github/client.ts'
import { readEvent, type EventFacts } from '../github/event.ts'
import type { Log } from '../github/log.ts'
import { parseRunConfig, type RunConfig } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import type { RawInputs } from '../model/inputs.ts'
import type { Problem } from '../model/schema.ts'
import { inWorkspace, readActionInputs, type ActionInputs, type Environment } from './action-inputs.ts'

/** What the Action's door hands in. */
export interface ActionIo {
  readonly env: Environment
  readonly write: (text: string) => void
  /** Tasks that come with the Action. */
  readonly ownTasks: string
  readonly signal: AbortSignal
}

/** Where this step runs, for whom, and with what inputs: the same for all modes. */
export interface Situation {
  readonly raw: RawInputs
  readonly inputs: ActionInputs
  readonly event: EventFacts
  /** Null without a token. */
  readonly github: GitHub | null
  readonly log: Log
  readonly redact: (text: string) => string
  readonly io: ActionIo
}

/** Reads inputs and event. Throws UserError with what is wrong. */
export async function openSituation(raw: RawInputs, io: ActionIo, log: Log, redact: (text: string) => string): Promise<Situation> {
  const inputs = readInputsForReporting(raw, io)
  const event = readEvent(io.env, await readPayload(io.env))
  const token = inputs.github_token
  const github = token === null ? null : await connect({ token, api_url: event.urls.api, repo: event.repo, log })
  return { raw, inputs, event, github, log, redact, io }
}

/** When one of these inputs is bad nothing can be reported on GitHub, so what is wrong with the run's own inputs is told with it. */
function readInputsForReporting(raw: RawInputs, io: ActionIo): ActionInputs {
  try {
    return readActionInputs(raw)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const makesTrials = ['', 'run', 'baseline'].includes(raw['mode'] ?? '')
    const others = problemsOf(() => (makesTrials ? runConfig({ raw, io }) : judgingConfig({ raw, io })))
    const told = new Set(error.problems.map(({ where }) => where))
    throw new UserError([...error.problems, ...others.filter(({ where }) => !told.has(where))])
  }
}

function problemsOf(read: () => unknown): readonly Problem[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
}

/** Config of a run of trials. */
export function runConfig({ raw, io }: Pick<Situation, 'raw' | 'io'>): RunConfig {
  return parseRunConfig({ ...raw, 'tasks-folder': raw['tasks-folder'] || io.ownTasks }, inWorkspace(io.env))
}

/** Config of a mode that makes no trials: agent, plugin and model stand for nothing there, and need not be given. */
export function judgingConfig({ raw, io }: Pick<Situation, 'raw' | 'io'>): RunConfig {
  const idle = { agent: 'builtin', plugin: raw['plugin'] || '.', model: raw['model'] || 'recorded' }
  return parseRunConfig({ ...raw, ...idle, 'tasks-folder': raw['tasks-folder'] || io.ownTasks }, inWorkspace(io.env))
}

/** The connection, where a mode cannot do without. */
export function requireGitHub({ github, inputs }: Situation): GitHub {
  if (github !== null) return github
  throw new UserError([{ where: 'input "github-token"', at: '', message: `is needed by mode ${inputs.mode}` }])
}

async function readPayload(env: Environment): Promise<unknown> {
  const file = env['GITHUB_EVENT_PATH']
  if (file === undefined || file === '') return {}
  return JSON.parse(await readFile(file, 'utf8'))
}
