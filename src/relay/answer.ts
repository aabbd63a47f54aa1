import type { TokenCounts } from '../model/transcript.ts'
import { type AnswerMeaning, isRecord, meaningOfBody, unusable } from './classify.ts'

/** The two APIs that are relayed. */
export type ApiKind = 'chat' | 'responses'

export interface ReadAnswer {
  readonly meaning: AnswerMeaning
  readonly tokens: TokenCounts
  /** Model that the service says it used; null when it does not say. */
  readonly model: string | null
  /** Body for the agent. */
  readonly forAgent: string
}

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, cache_read: 0, reasoning: 0 }

/** Reads a plain JSON answer. */
export function readPlainAnswer(api: ApiKind, body: string): ReadAnswer {
  let value: unknown
  try {
    value = JSON.parse(body) as unknown
  } catch {
    return { meaning: unusable('it is not JSON'), tokens: NO_TOKENS, model: null, forAgent: body }
  }
  const fields = isRecord(value) ? value : {}
  return {
    meaning: meaningOfBody(value, contentOf(api, fields)),
    tokens: tokensOf(fields['usage']),
    model: textOf(fields['model']),
    forAgent: body,
  }
}

/**
 * Reads a whole event stream. It counts as an answer only when it came to its end; the usage chunk that the relay asked for is left out
 * when the agent did not ask for it.
 */
export function readStreamedAnswer(api: ApiKind, body: string, keepUsageChunk: boolean): ReadAnswer {
  const events = parseEvents(body)
  const broken = (why: string): ReadAnswer => ({ meaning: unusable(why), tokens: NO_TOKENS, model: null, forAgent: body })
  if (events.length === 0) return broken('the stream holds no event')
  const bad = events.find((event) => event.data !== '[DONE]' && event.value === undefined)
  if (bad !== undefined) return broken(`the stream holds an event that is not JSON (${JSON.stringify(bad.data.slice(0, 60))})`)
  const values = events.map((event) => event.value).filter(isRecord)
  const failed = values.find((value) => isRecord(value['error']) || typeof value['error'] === 'string')
  if (failed !== undefined) return { ...broken(''), meaning: meaningOfBody(failed, null) }
  return api === 'chat' ? readChatStream(events, values, body, keepUsageChunk) : readResponsesStream(values, body)
}

interface StreamEvent {
  readonly raw: string
  readonly data: string
  /** Decoded data; undefined when it is no JSON. */
  readonly value: unknown
}

function parseEvents(body: string): StreamEvent[] {
  return body
    .split(/\r?\n\r?\n/)
    .map((raw) => ({ raw, data: dataOf(raw) }))
    .filter((event) => event.data !== '')
    .map((event) => ({ ...event, value: decode(event.data) }))
}

function dataOf(block: string): string {
  const lines = block.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith(':'))
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''))
  // A block without any known field is garbage: keep it, so that it is noticed.
  return data.length > 0 || lines.every((line) => /^(?:event|id|retry):/.test(line)) ? data.join('\n') : lines.join('\n')
}

function decode(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}

function readChatStream(
  events: readonly StreamEvent[],
  values: readonly Readonly<Record<string, unknown>>[],
  body: string,
  keepUsageChunk: boolean,
): ReadAnswer {
  const choices = values.flatMap((value) => (Array.isArray(value['choices']) ? value['choices'] : [])).filter(isRecord)
  const finished = choices.some((choice) => typeof choice['finish_reason'] === 'string')
  const usage = values.findLast((value) => isRecord(value['usage']))?.['usage']
  const deltas = choices.map((choice) => choice['delta']).filter(isRecord)
  const calls = deltas.some((delta) => Array.isArray(delta['tool_calls']))
  const text = deltas.map((delta) => textOf(delta['content']) ?? '').join('')
  const meaning = !finished ? unusable('the stream broke off before its end') : meaningOfBody({}, calls ? '' : text)
  const kept = keepUsageChunk ? events : events.filter((event) => !isBareUsage(event.value))
  return {
    meaning,
    tokens: tokensOf(usage),
    model: textOf(values[0]?.['model']),
    forAgent: keepUsageChunk ? body : kept.map((event) => `${event.raw}\n\n`).join(''),
  }
}

const isBareUsage = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['usage']) && Array.isArray(value['choices']) && value['choices'].length === 0

function readResponsesStream(values: readonly Readonly<Record<string, unknown>>[], body: string): ReadAnswer {
  const end = values.findLast((value) => value['type'] === 'response.completed' || value['type'] === 'response.incomplete')
  const failed = values.find((value) => value['type'] === 'response.failed' || value['type'] === 'error')
  const response = isRecord(end?.['response']) ? end['response'] : null
  if (failed !== undefined) {
    const inner = isRecord(failed['response']) ? failed['response'] : failed
    return { meaning: meaningOfBody({ error: inner['error'] ?? inner }, null), tokens: NO_TOKENS, model: null, forAgent: body }
  }
  if (response === null) return { meaning: unusable('the stream broke off before its end'), tokens: NO_TOKENS, model: null, forAgent: body }
  return {
    meaning: meaningOfBody(response, contentOf('responses', response)),
    tokens: tokensOf(response['usage']),
    model: textOf(response['model']),
    forAgent: body,
  }
}

/** The model's text, '' when it only calls tools, null when the body is no completion. */
function contentOf(api: ApiKind, body: Readonly<Record<string, unknown>>): string | null {
  if (api === 'responses') return Array.isArray(body['output']) ? responseText(body['output']) : null
  const choice = Array.isArray(body['choices']) ? (body['choices'][0] as unknown) : null
  const message = isRecord(choice) ? choice['message'] : null
  if (!isRecord(message)) return null
  return Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0 ? '' : (textOf(message['content']) ?? '')
}

function responseText(output: readonly unknown[]): string {
  const items = output.filter(isRecord)
  if (items.some((item) => item['type'] === 'function_call')) return ''
  const parts = items.flatMap((item) => (Array.isArray(item['content']) ? item['content'] : [])).filter(isRecord)
  return parts.map((part) => textOf(part['text']) ?? '').join('')
}

/** Tokens by kind in either API's spelling. `input` includes cached tokens, `output` includes reasoning tokens. */
export function tokensOf(usage: unknown): TokenCounts {
  if (!isRecord(usage)) return NO_TOKENS
  const inputDetails = usage['prompt_tokens_details'] ?? usage['input_tokens_details']
  const outputDetails = usage['completion_tokens_details'] ?? usage['output_tokens_details']
  return {
    input: numberOf(usage['prompt_tokens'] ?? usage['input_tokens']),
    output: numberOf(usage['completion_tokens'] ?? usage['output_tokens']),
    cache_read: numberOf(isRecord(inputDetails) ? inputDetails['cached_tokens'] : 0),
    reasoning: numberOf(isRecord(outputDetails) ? outputDetails['reasoning_tokens'] : 0),
  }
}

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0)
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
