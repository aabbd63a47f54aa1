import type { ModelUsage } from '../model/agent.ts'

/** The relay as the judge sees it. */
export interface JudgeDoor {
  /** Opens the account, or a fresh one in its place, and returns its loopback URL, ending in `/v1`. */
  baseUrlFor(account: string): string
  usageOf(account: string): ModelUsage
}

type Counts = Omit<ModelUsage, 'trouble'>

const NOTHING: Counts = { model_calls: 0, tokens: { input: 0, output: 0, cache_read: 0, reasoning: 0 }, cost_usd: 0, model_ms: 0 }

/** What one trial's judging costs: an account with the relay, opened when the first call is made. */
export class CallAccount {
  readonly #name: string
  readonly #door: JudgeDoor
  #baseUrl: string | null = null
  #closed: Counts = NOTHING

  constructor(name: string, door: JudgeDoor) {
    this.#name = name
    this.#door = door
  }

  get baseUrl(): string {
    this.#baseUrl ??= this.#door.baseUrlFor(this.#name)
    return this.#baseUrl
  }

  get trouble(): ModelUsage['trouble'] {
    return this.#baseUrl === null ? null : this.#door.usageOf(this.#name).trouble
  }

  /** Leaves a trouble behind that we have an answer to; what was counted stays counted. */
  startAfresh(): void {
    this.#closed = this.counts()
    this.#baseUrl = null
  }

  counts(): Counts {
    if (this.#baseUrl === null) return this.#closed
    const { model_calls, tokens, cost_usd, model_ms } = this.#door.usageOf(this.#name)
    const before = this.#closed
    return {
      model_calls: before.model_calls + model_calls,
      tokens: {
        input: before.tokens.input + tokens.input,
        output: before.tokens.output + tokens.output,
        cache_read: before.tokens.cache_read + tokens.cache_read,
        reasoning: before.tokens.reasoning + tokens.reasoning,
      },
      cost_usd: before.cost_usd === null || cost_usd === null ? null : before.cost_usd + cost_usd,
      model_ms: before.model_ms + model_ms,
    }
  }
}
