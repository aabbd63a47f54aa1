import type { ModelUsage } from '../model/agent.ts'
import type { PriceTable } from '../model/config.ts'
import type { TokenCounts } from '../model/transcript.ts'
import { NO_TOKENS } from './answer.ts'
import type { Trouble } from './classify.ts'

/** Upper limits; null = none. `tokens` counts input and output, `cost_usd` US dollars. */
export interface Caps {
  readonly calls: number | null
  readonly tokens: number | null
  readonly cost_usd: number | null
}

export const NO_CAPS: Caps = { calls: null, tokens: null, cost_usd: null }

/** US dollars of some tokens by the price table (dollars per million tokens); null when the model has no price. */
export function costOf(tokens: TokenCounts, model: string, prices: PriceTable | null): number | null {
  const price = prices !== null && Object.hasOwn(prices, model) ? prices[model] : undefined
  if (price === undefined) return null
  const fresh = Math.max(0, tokens.input - tokens.cache_read)
  return (fresh * price.input + tokens.cache_read * (price.cache_read ?? price.input) + tokens.output * price.output) / 1e6
}

/** Counts what one trial, or the whole run, has used. */
export class Ledger {
  #calls = 0
  #tokens: TokenCounts = NO_TOKENS
  #cost = 0
  #priced = true
  #modelMs = 0
  #trouble: Trouble | null = null

  get trouble(): Trouble | null {
    return this.#trouble
  }

  /** Counts a call when it begins, so that calls at the same time cannot pass a cap together. */
  beginCall(): void {
    this.#calls += 1
  }

  endCall(tokens: TokenCounts, cost: number | null, ms: number): void {
    this.#tokens = {
      input: this.#tokens.input + tokens.input,
      output: this.#tokens.output + tokens.output,
      cache_read: this.#tokens.cache_read + tokens.cache_read,
      reasoning: this.#tokens.reasoning + tokens.reasoning,
    }
    if (cost === null) this.#priced = false
    else this.#cost += cost
    this.#modelMs += ms
  }

  /** Only the first trouble is kept. */
  report(trouble: Trouble): void {
    this.#trouble ??= trouble
  }

  /** The sentence that says which cap is reached, or null. */
  reached(caps: Caps, whose: string): string | null {
    if (caps.calls !== null && this.#calls >= caps.calls) return `${whose} used its ${caps.calls} model calls.`
    const tokens = this.#tokens.input + this.#tokens.output
    if (caps.tokens !== null && tokens >= caps.tokens) return `${whose} used ${tokens} tokens, the cap is ${caps.tokens}.`
    if (caps.cost_usd !== null && this.#cost >= caps.cost_usd)
      return `${whose} cost $${this.#cost.toFixed(4)}, the cap is $${caps.cost_usd}.`
    return null
  }

  usage(): ModelUsage {
    return {
      model_calls: this.#calls,
      tokens: this.#tokens,
      cost_usd: this.#priced ? this.#cost : null,
      model_ms: Math.round(this.#modelMs),
      trouble: this.#trouble,
    }
  }
}
