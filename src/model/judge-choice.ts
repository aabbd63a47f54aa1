import type { InputReader } from './inputs.ts'
import type { JudgeSettings, JudgeVotes } from './judge.ts'

/** Whether rubrics are judged, by whom, and what that may take; paths are absolute. */
export type JudgeChoice =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'model'
      readonly settings: JudgeSettings
      readonly base_url: string
      /** Held by the judge's own relay; null = the service is asked without one. */
      readonly api_key: string | null
      /** Judges trials too that other graders have failed already. */
      readonly after_failure: boolean
      /** Most calls of a run; null = no limit. */
      readonly max_calls: number | null
      /** Folder of verdicts that outlives the run; null = none is kept. */
      readonly cache_folder: string | null
      /** What `validate --judge --write-health` wrote about this judge; null = it has not been measured. */
      readonly health_file: string | null
    }
export type ChosenJudge = Extract<JudgeChoice, { readonly kind: 'model' }>

/** The agent's model service, which the judge shares unless another address is given. */
export interface AgentService {
  readonly base_url: string
  readonly api_key: string | null
}

/** Inputs `judge` and `judge-…`. All are read, so that a bad one is told whether the judge is on or off. */
export function readJudgeChoice(read: InputReader, service: AgentService, absolute: (path: string) => string): JudgeChoice {
  const name = read.text('judge', 'off')
  const given = read.optional('judge-base-url') === null ? null : read.url('judge-base-url', service.base_url)
  const baseUrl = given ?? service.base_url
  const ownKey = read.optional('judge-api-key')
  const choice: ChosenJudge = {
    kind: 'model',
    settings: {
      model: { name, temperature: readTemperature(read), max_tokens: null, effort: null },
      votes: VOTES[read.choice('judge-votes', ['1', '3', '5'] as const, '1')],
      screenshots: read.flag('judge-screenshots', false),
      token_budget: read.integer('judge-token-budget', { min: 4000, max: 2_000_000, fallback: 30_000 }),
      together: true,
    },
    base_url: baseUrl,
    // a key goes to no other address than its own
    api_key: ownKey ?? (sameAddress(baseUrl, service.base_url) ? service.api_key : null),
    after_failure: read.flag('judge-after-failure', false),
    max_calls: read.optionalInteger('judge-max-calls', { min: 1, max: 1_000_000 }),
    cache_folder: pathOf(read.optional('judge-cache'), absolute),
    health_file: pathOf(read.optional('judge-health'), absolute),
  }
  return name === 'off' ? { kind: 'off' } : choice
}

const VOTES: Readonly<Record<'1' | '3' | '5', JudgeVotes>> = { '1': 1, '3': 3, '5': 5 }

function readTemperature(read: InputReader): number | null {
  const text = read.text('judge-temperature', '0')
  if (text === 'default') return null
  const number = Number(text)
  if (Number.isFinite(number) && number >= 0 && number <= 2) return number
  read.problem('judge-temperature', `must be a number from 0 to 2, or "default" to leave it to the service; it is "${text}"`)
  return null
}

function sameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

function pathOf(value: string | null, absolute: (path: string) => string): string | null {
  return value === null ? null : absolute(value)
}
