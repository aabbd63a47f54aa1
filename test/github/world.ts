import { connect, type GitHub } from '../../src/github/client.ts'
import type { Log } from '../../src/github/log.ts'
import { startFakeGitHub, type FakeGitHub } from './fake-github.ts'
import { SHA } from './github-state.ts'

/** A fake GitHub with a client that does not really wait. */
export interface World extends AsyncDisposable {
  readonly fake: FakeGitHub
  readonly github: GitHub
  readonly log: RecordedLog
  /** Milliseconds that the client would have waited. */
  readonly waits: readonly number[]
}

export interface RecordedLog extends Log {
  readonly lines: string[]
  readonly warnings: string[]
}

export function recordedLog(): RecordedLog {
  const [lines, warnings]: [string[], string[]] = [[], []]
  return {
    lines,
    warnings,
    info: (line) => void lines.push(line),
    warning: (line) => void warnings.push(line),
    error: (line) => void warnings.push(line),
  }
}

export async function startWorld(options: { readonly timeout_ms?: number; readonly token?: string } = {}): Promise<World> {
  const fake = await startFakeGitHub()
  const log = recordedLog()
  const waits: number[] = []
  const github = await connect({
    token: options.token ?? 'ghs_test',
    api_url: fake.url,
    repo: { owner: 'octo', repo: 'plugin' },
    log,
    wait: async (ms) => void waits.push(ms),
    ...(options.timeout_ms === undefined ? {} : { timeout_ms: options.timeout_ms }),
  })
  return { fake, github, log, waits, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() }
}

/** Environment of a runner, for event facts. */
export const RUNNER_ENV = {
  GITHUB_REPOSITORY: 'octo/plugin',
  GITHUB_REPOSITORY_ID: '1',
  GITHUB_SHA: SHA.merge,
  GITHUB_RUN_ID: '555',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_JOB: 'evaluate',
  GITHUB_WORKFLOW: 'regression',
  GITHUB_ACTOR: 'ada',
  GITHUB_SERVER_URL: 'https://github.localhost',
  GITHUB_API_URL: 'https://api.github.localhost',
  GITHUB_EVENT_NAME: 'pull_request',
} as const

export const REPOSITORY = { id: 1, default_branch: 'main', full_name: 'octo/plugin' } as const

/** Payload of a pull_request event; `head_repo_id` null = the fork is deleted. */
export function pullPayload(head_repo_id: number | null = 1, head_sha: string = SHA.head) {
  const head = { sha: head_sha, ref: 'feature', repo: head_repo_id === null ? null : { id: head_repo_id } }
  return { number: 7, repository: REPOSITORY, pull_request: { number: 7, head, base: { sha: SHA.base, ref: 'main', repo: { id: 1 } } } }
}
