import { object, text } from './payload.ts'

/** What went wrong with a request, as far as callers act on it. */
export interface Trouble {
  /** HTTP status; null when no answer came. */
  readonly status: number | null
  /** GitHub's message, one line, at most 300 characters. */
  readonly message: string
  /** Seconds that GitHub asks to wait; null when it did not say. */
  readonly retry_after: number | null
  readonly rate_limited: boolean
}

/** Reads an error thrown by octokit (or anything else). */
export function readTrouble(error: unknown): Trouble {
  const seen = object(error)
  const response = object(seen['response'])
  const headers = object(response['headers'])
  // octokit reports a connection that broke as status 500 without a response
  const status = typeof seen['status'] === 'number' && seen['response'] !== undefined ? seen['status'] : null
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
  const exhausted = headerOf(headers, 'x-ratelimit-remaining') === '0'
  const asked = headerOf(headers, 'retry-after')
  const rate_limited =
    status === 429 ||
    (status === 403 && (asked !== null || exhausted || /secondary rate limit|abuse detection|rate limit exceeded/i.test(message)))
  return {
    status,
    message,
    retry_after: waitOf(asked, exhausted ? headerOf(headers, 'x-ratelimit-reset') : null, headerOf(headers, 'date')),
    rate_limited,
  }
}

function headerOf(headers: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'number' ? String(value) : text(value)
}

function waitOf(asked: string | null, reset: string | null, date: string | null): number | null {
  if (asked !== null && Number.isFinite(Number(asked))) return Math.max(0, Number(asked))
  if (reset === null || date === null) return null
  // both by GitHub's clock, so that ours need not be right
  const seconds = Number(reset) - Date.parse(date) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

/** What a job must be allowed to do for a kind of publishing. */
export const PERMISSION_OF = {
  comment: 'pull-requests: write',
  'check run': 'checks: write',
  'commit status': 'statuses: write',
  'artifact download': 'actions: read',
  'pull request look-up': 'pull-requests: read',
  'baseline file': 'contents: write',
  'picture branch': 'contents: write',
  'baseline pull request': 'pull-requests: write',
} as const
export type PublishingKind = keyof typeof PERMISSION_OF

/** One sentence for the log: what could not be done, why, and what to change. `read_only_why`: why this run's token is known to be read-only, or null. */
export function explainTrouble(kind: PublishingKind, error: unknown, read_only_why: string | null): string {
  const { status, message, rate_limited } = readTrouble(error)
  const lead = `The ${kind} was not published:`
  const permission = PERMISSION_OF[kind]
  if (rate_limited) return `${lead} GitHub's rate limit did not end in time (${message}).`
  if (status === 403 && /resource not accessible/i.test(message)) {
    const cure =
      read_only_why === null
        ? `give the job "permissions: ${permission}"`
        : `${read_only_why}; publish from a second workflow on: workflow_run with mode: publish`
    return `${lead} the token lacks "${permission}": ${cure}.`
  }
  if (status === 403) return `${lead} GitHub refused it (403, ${message}); the conversation may be locked or the repository archived.`
  if (status === 404)
    return `${lead} GitHub does not find it or the token may not see it (404); the job may need "permissions: ${permission}".`
  if (status === null) return `${lead} GitHub could not be reached (${message}).`
  return `${lead} GitHub answered ${status} (${message}).`
}
