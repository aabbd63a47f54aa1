import type { ModelSettings } from '../model/agent.ts'
import { visibleLine } from './visible-characters.ts'

/** What came back from one call, not yet read as an answer. */
export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  /** A completion that is no answer: refused, cut off, empty, a tool call. Asking again is not worth it. */
  | { readonly kind: 'unusable'; readonly why: string }
  /** The call itself failed. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly words: string }

export interface ModelCall {
  readonly baseUrl: string
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/** The relay bounds each try and its own retries; this only ends a call that the relay forgot. */
const CALL_TIMEOUT_MS = 20 * 60_000

/**
 * One chat completion, without retries of its own.
 * @throws the signal's reason when it aborts
 */
export async function callModel({ baseUrl, body, signal }: ModelCall): Promise<ModelReply> {
  const { default: OpenAI, APIError } = await import('openai')
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'the-relay-holds-the-key', maxRetries: 0, timeout: CALL_TIMEOUT_MS })
  try {
    // The typed method would promise more about the answer than anyone can.
    const reply: unknown = await client.post<unknown>('/chat/completions', { body, signal })
    signal.throwIfAborted()
    return readCompletion(reply)
  } catch (error) {
    signal.throwIfAborted()
    const status: unknown = error instanceof APIError ? error.status : null
    const words = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', status: typeof status === 'number' ? status : null, words: brief(words) }
  }
}

function readCompletion(reply: unknown): ModelReply {
  const unusable = (why: string): ModelReply => ({ kind: 'unusable', why })
  if (!isRecord(reply)) return unusable('it is no JSON object')
  const error = reply['error']
  if (error !== undefined && error !== null) return unusable(`it holds an error: ${brief(JSON.stringify(error))}`)
  const choices = reply['choices']
  if (!Array.isArray(choices) || choices.length !== 1) return unusable('it has not exactly one choice')
  const choice: unknown = choices[0]
  const message = isRecord(choice) ? choice['message'] : null
  if (!isRecord(choice) || !isRecord(message)) return unusable('its choice holds no message')
  if (isSomething(message['refusal'])) return unusable('the model refused')
  if (isSomething(message['tool_calls']) || isSomething(message['function_call'])) return unusable('the model called a tool')
  const finish = choice['finish_reason'] ?? 'stop'
  if (finish !== 'stop') return unusable(`it did not come to its end (finish_reason ${brief(JSON.stringify(finish))})`)
  const content = message['content']
  if (typeof content !== 'string') return unusable('its content is no text')
  return { kind: 'text', text: content }
}

const isSomething = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const brief = (text: string): string => visibleLine(text.slice(0, 300))

/** Reasoning models name the token limit differently. */
const REASONING_MODEL = /^(?:o\d|gpt-5)/

/** The settings as the API spells them; what is null is left to the service. */
export function modelParameters({ name, temperature, max_tokens, effort }: ModelSettings): Record<string, unknown> {
  return {
    model: name,
    ...(temperature === null ? {} : { temperature }),
    ...(max_tokens === null ? {} : { [REASONING_MODEL.test(name) ? 'max_completion_tokens' : 'max_tokens']: max_tokens }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
  }
}
