import { createJudge } from '../judge/create-judge.ts'
import type { PriceTable } from '../model/config.ts'
import type { JudgeRequest, JudgeResult, JudgeUsage } from '../model/judge.ts'
import type { ChosenJudge } from '../model/judge-choice.ts'
import { startRelay } from '../relay/relay.ts'
import { refuseWithoutKey } from './judge-key.ts'

export interface JudgeSurroundings {
  /** US dollars per million tokens by model; null = costs unknown. */
  readonly prices: PriceTable | null
  /** Further tries after trouble, of one call and of one judging. */
  readonly retries: number
  /** Further tries of one judging that gave no verdict; absent = `retries`. */
  readonly judging_retries?: number
  /** Calls at once. */
  readonly concurrency: number
  /** Most US dollars of all calls; null = no limit. */
  readonly max_cost_usd: number | null
  /** Folder for what went over the wire, redacted; null = not kept. */
  readonly wire_log_folder: string | null
}

/** What was asked, with all tries of it. */
export interface Judging {
  readonly result: JudgeResult
  /** 1 when the first try was answered. */
  readonly attempts: number
  /** Of all tries together. */
  readonly usage: JudgeUsage
}

/** The judge behind a relay of its own, which alone holds its key. */
export interface OpenJudge {
  /** Part of the run's fingerprint. */
  readonly fingerprint: string
  /** Asks, and asks again after trouble that may pass. Rejects only with the signal's reason. */
  ask(request: JudgeRequest, signal: AbortSignal): Promise<Judging>
  /** US dollars so far; null when the judge's model has no price. */
  spent(): number | null
  /** Why asking on is hopeless; null while it is not. */
  hopeless(): string | null
  close(): Promise<void>
}

/**
 * Judgings in a row that came to nothing, tries included, before asking on is hopeless: more than two rounds of those at once, so that no short
 * outage ends a run.
 */
const hopelessAfter = (concurrency: number): number => 2 * concurrency + 1

/** Opens the judge and its relay. Throws UserError when its service needs a key that is not there. */
export async function openJudge(choice: ChosenJudge, surroundings: JudgeSurroundings): Promise<OpenJudge> {
  refuseWithoutKey(choice)
  const { prices, retries, concurrency, max_cost_usd: maxCost, wire_log_folder: wireLogFolder } = surroundings
  const relay = await startRelay({
    upstream: choice.base_url,
    apiKey: choice.api_key,
    prices,
    retries,
    maxConcurrency: concurrency,
    caps: { run: { calls: choice.max_calls, cost_usd: maxCost } },
    wireLogFolder,
  })
  const judge = createJudge({
    settings: choice.settings,
    baseUrlFor: (account) => relay.baseUrlFor(account),
    usageOf: (account) => relay.usage(account),
    cacheFolder: choice.cache_folder,
  })
  const most = hopelessAfter(concurrency)
  let unanswered = 0
  let lastTrouble: string | null = null
  return {
    fingerprint: judge.fingerprint,
    ask: async (request, signal) => {
      const judging = await askPatiently(judge.judge.bind(judge), request, signal, surroundings.judging_retries ?? retries)
      const { result } = judging
      if (result.status === 'judged') [unanswered, lastTrouble] = [0, null]
      else if (result.infra_class !== 'judge_error') {
        unanswered = result.infra_class === 'model_unavailable' ? unanswered + 1 : most
        lastTrouble = result.detail.replace(/^The judge: /, '')
      }
      return judging
    },
    spent: () => relay.runUsage().cost_usd,
    hopeless: () => (unanswered >= most && lastTrouble !== null ? lastTrouble : null),
    close: () => relay.close(),
  }
}

type Ask = (request: JudgeRequest, signal: AbortSignal) => Promise<JudgeResult>

async function askPatiently(ask: Ask, request: JudgeRequest, signal: AbortSignal, retries: number): Promise<Judging> {
  let usage: JudgeUsage | null = null
  for (let attempt = 1; ; attempt += 1) {
    const result = await ask({ ...request, account: `${request.account}-${attempt}` }, signal)
    usage = usage === null ? result.usage : together(usage, result.usage)
    const settled = result.status === 'judged' || result.infra_class === 'quota' || result.infra_class === 'budget'
    if (settled || attempt > retries || signal.aborted) return { result, attempts: attempt, usage }
  }
}

function together(a: JudgeUsage, b: JudgeUsage): JudgeUsage {
  return {
    model_calls: a.model_calls + b.model_calls,
    tokens: {
      input: a.tokens.input + b.tokens.input,
      output: a.tokens.output + b.tokens.output,
      cache_read: a.tokens.cache_read + b.tokens.cache_read,
      reasoning: a.tokens.reasoning + b.tokens.reasoning,
    },
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
    model_ms: a.model_ms + b.model_ms,
    cached_votes: a.cached_votes + b.cached_votes,
    malformed_answers: a.malformed_answers + b.malformed_answers,
    prompt_tokens: Math.max(a.prompt_tokens, b.prompt_tokens),
  }
}
