import type { InfraClass } from '../model/errors.ts'

/** What one answer of the model service means. */
export type AnswerMeaning =
  /** Usable; goes to the agent. */
  | { readonly kind: 'answer' }
  /** The service refused this very request (bad schema, context too long): the agent's business, passed on. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly retry: boolean }

export interface Trouble {
  readonly infra_class: InfraClass
  readonly detail: string
}

/** Paid-up or contractual limits: waiting does not help. */
const QUOTA =
  /insufficient_quota|exceeded your (?:current|monthly) (?:quota|spend)|billing[_ ](?:hard[_ ])?limit|credit balance|out of credits|payment required|quota (?:exceeded|exhausted)|exhausted your quota/i
/** Settings of the run that the service does not know; the plugin cannot be blamed. */
const SETTINGS =
  /temperature|top_p|max_(?:completion_)?tokens|reasoning[_.]effort|\bseed\b|stream_options|unsupported (?:parameter|value)|unknown (?:parameter|field)/i
const UNKNOWN_MODEL =
  /model[^.]{0,80}(?:not found|does not exist|not exist|not available|unknown|no access)|(?:unknown|invalid|no such|unrecognized) model|model_not_found/i
/** A proxy's error put where the model's words should be: short, starts like an error, speaks of the service. */
const ERROR_PROSE =
  /^\s*[[({]?\s*(?:(?:api|internal|server|upstream|proxy|gateway|request|llm|model)\s+)*(?:error|exception|failure)\b.{0,400}(?:rate.?limit|too many requests|quota|overloaded|unavailable|insufficient|timed? ?out|bad gateway|internal server|invalid api key|unauthori[sz]ed|upstream|\b(?:429|401|403|500|502|503|504|529)\b)/is

/** Meaning of a status other than 2xx, with the body's words. */
export function meaningOfStatus(status: number, body: string): AnswerMeaning {
  const words = errorWords(body)
  const said = words === '' ? '' : `: ${words}`
  const trouble = (infraClass: InfraClass, detail: string, retry: boolean): AnswerMeaning => ({
    kind: 'trouble',
    retry,
    trouble: { infra_class: infraClass, detail: `${detail} (HTTP ${status})${said}` },
  })
  if (status === 402 || ((status === 429 || status === 403 || status === 400) && QUOTA.test(body)))
    return trouble('quota', 'The quota of the model service is used up', false)
  if (status === 401 || status === 403) return trouble('model_unavailable', 'The model service refused the API key', false)
  if (status === 404) return trouble('model_unavailable', 'The model service does not know the model or the address', false)
  if (status === 429) return trouble('model_unavailable', 'The model service limits the rate of requests', true)
  if (status === 408 || status === 409 || status === 425 || status >= 500)
    return trouble('model_unavailable', 'The model service failed', true)
  if (status >= 300 && status < 400) return trouble('model_unavailable', 'The model service answered with a redirect', false)
  if (status === 400 || status === 422) return meaningOfRefusal(words, trouble)
  return { kind: 'refused' }
}

function meaningOfRefusal(
  words: string,
  trouble: (infraClass: InfraClass, detail: string, retry: boolean) => AnswerMeaning,
): AnswerMeaning {
  if (UNKNOWN_MODEL.test(words)) return trouble('model_unavailable', 'The model service does not know the model', false)
  // A complaint about a tool is the plugin's doing even when it names a parameter.
  if (!/\btools?\b|function/i.test(words) && SETTINGS.test(words))
    return trouble('harness_error', 'The model service does not take a setting of this run', false)
  return { kind: 'refused' }
}

/** Meaning of a decoded 200 body. `content` is the model's text when the body has the form of an answer. */
export function meaningOfBody(body: unknown, content: string | null): AnswerMeaning {
  const fields = isRecord(body) ? body : null
  if (fields !== null && isError(fields['error'])) return errorInside(JSON.stringify(fields['error']))
  if (content === null) return unusable('the answer has not the form of a completion')
  if (content.length <= 600 && ERROR_PROSE.test(content)) return errorInside(content)
  return { kind: 'answer' }
}

const isError = (value: unknown): boolean => (typeof value === 'string' && value !== '') || isRecord(value)

export function errorInside(text: string): AnswerMeaning {
  const quota = QUOTA.test(text)
  return {
    kind: 'trouble',
    retry: !quota,
    trouble: {
      infra_class: quota ? 'quota' : 'model_unavailable',
      detail: `The model service sent an error inside a 200: ${errorWords(text)}`,
    },
  }
}

export function unusable(why: string): AnswerMeaning {
  return {
    kind: 'trouble',
    retry: true,
    trouble: { infra_class: 'model_unavailable', detail: `The model service's answer cannot be used: ${why}.` },
  }
}

/** The message inside an error body, or the start of the body. */
function errorWords(body: string): string {
  try {
    const value = JSON.parse(body) as unknown
    const error = isRecord(value) ? (value['error'] ?? value) : value
    const message = isRecord(error) ? (error['message'] ?? error['detail'] ?? error['code']) : error
    if (typeof message === 'string') return message.slice(0, 300)
  } catch {
    // Plain text or HTML.
  }
  return body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
