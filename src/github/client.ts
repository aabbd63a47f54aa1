import type { getOctokit } from '@actions/github'
import type { RepoName } from './event.ts'
import type { Log } from './log.ts'
import { object, text } from './payload.ts'
import { readTrouble } from './trouble.ts'

export type Octokit = ReturnType<typeof getOctokit>

/** An open connection to one repository. */
export interface GitHub {
  readonly octokit: Octokit
  readonly repo: RepoName
  /** Login that this token's comments carry, e.g. `github-actions[bot]`. Asked once. */
  login(): Promise<string>
  /** Milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  readonly log: Log
}

export interface ClientOptions {
  readonly token: string
  readonly api_url: string
  readonly repo: RepoName
  readonly log: Log
  /** Replaceable so that tests do not wait; milliseconds. */
  readonly wait?: (ms: number) => Promise<void>
  /** A request is given up after this; milliseconds. */
  readonly timeout_ms?: number
  /** A request and its repetitions end within about this while GitHub asks us to wait; milliseconds. */
  readonly patience_ms?: number
}

const DEFAULT_TIMEOUT_MS = 20_000
const DEFAULT_PATIENCE_MS = 150_000
/** Patience with a GitHub that does not answer: a publisher must not hold up a verdict for long. */
const SILENCE_PATIENCE_MS = 45_000
const TRIES = 5

/** Opens a client whose requests wait out rate limits and repeat what is safe to repeat. */
export async function connect(options: ClientOptions): Promise<GitHub> {
  const { getOctokit } = await import('@actions/github')
  const { log, repo } = options
  const wait = options.wait ?? sleep
  const quiet = () => undefined
  const octokit = getOctokit(options.token, {
    baseUrl: options.api_url,
    userAgent: 'genui-eval-action',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  octokit.hook.wrap('request', async (request, asked) => {
    const patience = options.patience_ms ?? DEFAULT_PATIENCE_MS
    const started = performance.now()
    let waited = 0
    for (let attempt = 1; ; attempt++) {
      try {
        const signal = AbortSignal.timeout(options.timeout_ms ?? DEFAULT_TIMEOUT_MS)
        // octokit hands the first options to every inner hook, so they must be changed in place
        Object.assign(asked, { request: { ...asked.request, signal } })
        return await request(asked)
      } catch (error) {
        const delay = attempt < TRIES ? retryDelay(error, asked.method, attempt) : null
        const limit = readTrouble(error).rate_limited ? patience : Math.min(patience, SILENCE_PATIENCE_MS)
        // waits are counted apart from the clock, so that the rule holds for a replaced wait too
        const spent = Math.max(waited, performance.now() - started)
        if (delay === null || spent + delay > limit) throw error
        waited += delay
        log.info(`GitHub: ${readTrouble(error).message}; trying again in ${Math.ceil(delay / 1000)} s`)
        await wait(delay)
      }
    }
  })
  let login: Promise<string> | null = null
  return { octokit, repo, wait, log, login: () => (login ??= askLogin(octokit)) }
}

/**
 * Milliseconds to wait before the next try, or null when trying again is useless or could do a thing twice.
 * A refusal for a rate limit had no effect, so anything may be repeated; after a 5xx or a broken connection only what is idempotent.
 */
export function retryDelay(error: unknown, method: string, attempt: number): number | null {
  const { status, rate_limited, retry_after } = readTrouble(error)
  const backoff = 1000 * 2 ** (attempt - 1)
  // GitHub's rule for a secondary limit without retry-after: a minute at least, then longer
  if (rate_limited) return retry_after === null ? 60_000 * 2 ** (attempt - 1) : (retry_after + 1) * 1000
  const failedUnderway = status === null || status >= 500
  return failedUnderway && ['GET', 'PATCH', 'DELETE'].includes(method) ? backoff : null
}

async function askLogin(octokit: Octokit): Promise<string> {
  try {
    const answer: unknown = await octokit.graphql('query { viewer { login } }')
    return text(object(object(answer)['viewer'])['login']) ?? DEFAULT_LOGIN
  } catch {
    // GraphQL can be closed to a token that may comment; the Actions bot is by far the likeliest owner
    return DEFAULT_LOGIN
  }
}

export const DEFAULT_LOGIN = 'github-actions[bot]'

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * Makes a thing exactly once though an answer may be lost: before a repeated `create`, `find` looks whether the lost one arrived.
 * Only for what GitHub offers no idempotency key for.
 */
export async function createOnce<T>(github: GitHub, create: () => Promise<T>, find: () => Promise<T | null>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create()
    } catch (error) {
      const { status } = readTrouble(error)
      if (attempt === 3 || (status !== null && status < 500)) throw error
      await github.wait(1000 * 2 ** attempt)
      const arrived = await find()
      if (arrived !== null) return arrived
    }
  }
}
