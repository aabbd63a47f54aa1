import type { JudgeResult, JudgeSettings } from '../model/judge.ts'
import { wireSchema } from './answer-schema.ts'
import type { CallAccount } from './call-account.ts'
import { callModel, modelParameters } from './call-model.ts'
import { base64 } from './digest.ts'
import type { JudgePrompt } from './prompt.ts'

export interface JudgeTrouble {
  readonly infra_class: Extract<JudgeResult, { status: 'infra' }>['infra_class']
  readonly detail: string
}

export type AskResult =
  | { readonly kind: 'text'; readonly text: string }
  /** No answer to read; the vote is lost. */
  | { readonly kind: 'unusable'; readonly detail: string }
  /** The service is not there for us: no further call is made. */
  | { readonly kind: 'trouble'; readonly trouble: JudgeTrouble }

export interface Question {
  readonly messages: readonly unknown[]
  /** Rubric ids when one answer holds them all; null for one verdict. */
  readonly ids: readonly string[] | null
  /** Number of the vote, from 1. */
  readonly vote: number
}

/** Parameters that are sent where a service takes them, and how its refusal names them. */
const DISPENSABLE = [
  { name: 'response_format', named: /response_?format|json_?schema|structured[ _-]?output|json mode/i },
  { name: 'seed', named: /\bseed\b/i },
  { name: 'temperature', named: /\btemperature\b/i },
] as const
type Dispensable = (typeof DISPENSABLE)[number]['name']

/** The messages of a prompt as the API spells them. Plain text where no picture is shown: many services take nothing else. */
export function promptMessages({ system, material, images, rubrics }: JudgePrompt): unknown[] {
  const text = (words: string): unknown => ({ type: 'text', text: words })
  const pictures = images.flatMap(({ label, png }) => [
    text(label),
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(png)}` } },
  ])
  const content = pictures.length === 0 ? `${material}\n\n${rubrics}` : [text(material), ...pictures, text(rubrics)]
  return [
    { role: 'system', content: system },
    { role: 'user', content },
  ]
}

/** Asks a service, and remembers which parameters it declines: it is asked without them from then on. */
export class Asker {
  readonly #settings: JudgeSettings
  readonly #declined = new Set<Dispensable>()

  constructor(settings: JudgeSettings) {
    this.#settings = settings
  }

  /** @throws the signal's reason when it aborts */
  async ask(question: Question, account: CallAccount, signal: AbortSignal): Promise<AskResult> {
    for (;;) {
      const sent = DISPENSABLE.map(({ name }) => name).filter((name) => !this.#declined.has(name))
      const reply = await callModel({ baseUrl: account.baseUrl, body: this.#body(question, sent), signal })
      const { trouble } = account
      const declined = declinedParameter(sent, reply.kind === 'failed' ? reply : null, trouble)
      if (declined !== null) {
        this.#declined.add(declined)
        // The relay may have taken the refusal for a broken setting; its account is then closed to further calls.
        if (trouble !== null) account.startAfresh()
        continue
      }
      if (trouble !== null) return { kind: 'trouble', trouble: asJudgeTrouble(trouble) }
      if (reply.kind === 'text') return reply
      if (reply.kind === 'unusable') return { kind: 'unusable', detail: `The judge's answer cannot be used: ${reply.why}.` }
      const status = reply.status === null ? '' : ` (HTTP ${reply.status})`
      return { kind: 'unusable', detail: `The call of the judge failed${status}: ${reply.words}` }
    }
  }

  #body({ messages, ids, vote }: Question, parameters: readonly Dispensable[]): Record<string, unknown> {
    const { model } = this.#settings
    return {
      ...modelParameters(parameters.includes('temperature') ? model : { ...model, temperature: null }),
      messages,
      ...(parameters.includes('seed') ? { seed: vote } : {}),
      ...(parameters.includes('response_format')
        ? { response_format: { type: 'json_schema', json_schema: { name: 'verdict', strict: true, schema: wireSchema(ids) } } }
        : {}),
    }
  }
}

/** The dispensable parameter that a 400 or 422 names, in the service's own words or in those that the relay repeats. */
function declinedParameter(
  sent: readonly Dispensable[],
  failure: { readonly status: number | null; readonly words: string } | null,
  trouble: { readonly detail: string } | null,
): Dispensable | null {
  const refused = failure !== null && (failure.status === 400 || failure.status === 422)
  const relayed = trouble !== null && /\(HTTP 4(?:00|22)\)/.test(trouble.detail)
  const words = relayed ? trouble.detail : refused && trouble === null ? failure.words : ''
  return DISPENSABLE.find(({ name, named }) => sent.includes(name) && named.test(words))?.name ?? null
}

/** A class that tells of the service stays; anything else that kept the judge from a verdict is the judge's error. */
function asJudgeTrouble({ infra_class, detail }: NonNullable<CallAccount['trouble']>): JudgeTrouble {
  const known = infra_class === 'model_unavailable' || infra_class === 'quota' || infra_class === 'budget'
  return { infra_class: known ? infra_class : 'judge_error', detail: `The judge: ${detail}` }
}
