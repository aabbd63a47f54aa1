import { setTimeout as delay } from 'node:timers/promises'
import type { AdaptiveLimit } from './adaptive-limit.ts'
import { type ApiKind, NO_TOKENS, type ReadAnswer, readPlainAnswer, readStreamedAnswer } from './answer.ts'
import { type AnswerMeaning, isRecord, meaningOfStatus } from './classify.ts'

/** Longest answer that is read, bytes. */
const MAX_ANSWER = 64 * 1024 * 1024

export interface UpstreamOptions {
  /** Base URL of the model service, ending in `/v1` or the like. */
  readonly upstream: string
  readonly apiKey: string | null
  /** Further tries after trouble that may pass. */
  readonly retries: number
  /** First pause before a retry, ms; doubles each time, with jitter, 30 s at most. A retry-after header goes first. */
  readonly backoffMs: number
  /** Longest pause that a retry-after header may ask for, ms; beyond it the call is given up. */
  readonly maxRetryAfterMs: number
  /** How long one try may take, ms. */
  readonly timeoutMs: number
  readonly limit: AdaptiveLimit
}

export interface UpstreamCall {
  readonly api: ApiKind
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export interface UpstreamResult {
  readonly answer: ReadAnswer
  readonly status: number | null
  readonly contentType: string
  readonly attempts: number
  /** Time the service took over all tries, without pauses, ms. */
  readonly ms: number
}

interface OneTry extends Omit<UpstreamResult, 'attempts'> {
  readonly retryAfterMs: number | null
}

/** Sends one model call, again after passing trouble, and reads the whole answer. Never rejects but when the signal aborts. */
export async function askUpstream(call: UpstreamCall, options: UpstreamOptions): Promise<UpstreamResult> {
  const streaming = call.body['stream'] === true
  let usageAsked = streaming && call.api === 'chat'
  let ms = 0
  for (let attempt = 1; ; attempt += 1) {
    const tried = await options.limit.run(async () => tryOnce(call, streaming, usageAsked, options))
    ms += tried.ms
    const { meaning } = tried.answer
    if (tried.status === 429) options.limit.rateLimited()
    else if (meaning.kind === 'answer') options.limit.answered()
    if (usageAsked && tried.status === 400 && /stream_options|include_usage/.test(tried.answer.forAgent)) {
      // An older service: it cannot count while streaming. Ask once more without.
      usageAsked = false
      continue
    }
    const pause = pauseBefore(attempt, tried, meaning, options)
    if (pause === null) return { ...tried, attempts: attempt, ms }
    await delay(pause, undefined, { signal: call.signal })
  }
}

/** Pause before the next try, ms; null when there is none. */
function pauseBefore(attempt: number, tried: OneTry, meaning: AnswerMeaning, options: UpstreamOptions): number | null {
  if (meaning.kind !== 'trouble' || !meaning.retry || attempt > options.retries) return null
  if (tried.retryAfterMs !== null)
    return tried.retryAfterMs <= options.maxRetryAfterMs ? tried.retryAfterMs + Math.random() * options.backoffMs : null
  const ceiling = Math.min(30_000, options.backoffMs * 2 ** (attempt - 1))
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

async function tryOnce(call: UpstreamCall, streaming: boolean, usageAsked: boolean, options: UpstreamOptions): Promise<OneTry> {
  const started = performance.now()
  const path = call.api === 'chat' ? 'chat/completions' : 'responses'
  const wantsUsage = isUsageWanted(call.body)
  const body = usageAsked ? { ...call.body, stream_options: { include_usage: true } } : call.body
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const end = (
    answer: ReadAnswer,
    status: number | null,
    contentType = 'application/json',
    retryAfterMs: number | null = null,
  ): OneTry => ({
    answer,
    status,
    contentType,
    retryAfterMs,
    ms: performance.now() - started,
  })
  try {
    const response = await fetch(`${options.upstream.replace(/\/+$/, '')}/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: streaming ? 'text/event-stream' : 'application/json',
        ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([call.signal, timeout]),
    })
    const text = await readText(response)
    const contentType = response.headers.get('content-type') ?? 'application/json'
    const retryAfterMs = retryAfter(response.headers)
    if (!response.ok)
      return end(
        { meaning: meaningOfStatus(response.status, text), tokens: NO_TOKENS, model: null, forAgent: text },
        response.status,
        contentType,
        retryAfterMs,
      )
    const streamed = contentType.includes('text/event-stream')
    const answer = streamed ? readStreamedAnswer(call.api, text, wantsUsage || !usageAsked) : readPlainAnswer(call.api, text)
    return end(answer, response.status, contentType, retryAfterMs)
  } catch (error) {
    if (call.signal.aborted) throw error
    return end(connectionTrouble(error, timeout.aborted, options.timeoutMs), null)
  }
}

function isUsageWanted(body: Readonly<Record<string, unknown>>): boolean {
  const options = body['stream_options']
  return isRecord(options) && options['include_usage'] === true
}

function connectionTrouble(error: unknown, timedOut: boolean, timeoutMs: number): ReadAnswer {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
  const detail = timedOut
    ? `The model service did not answer within ${Math.round(timeoutMs / 100) / 10} s.`
    : `The connection to the model service failed (${code}).`
  const meaning: AnswerMeaning = { kind: 'trouble', retry: true, trouble: { infra_class: 'model_unavailable', detail } }
  return { meaning, tokens: NO_TOKENS, model: null, forAgent: '' }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER) throw new Error(`answer larger than ${MAX_ANSWER} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Milliseconds that `retry-after-ms` or `retry-after` (seconds or an HTTP date) asks for. */
export function retryAfter(headers: Headers): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
