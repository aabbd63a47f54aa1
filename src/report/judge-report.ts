/** What the judge of rubrics did and took, in figures and in words. */
import type { JudgeHealth } from '../model/judge-health.ts'
import type { RecordedJudging, TrialRecord } from '../model/record.ts'
import type { JudgeReport } from '../model/results.ts'
import { plural, quantity, usd } from './figures.ts'

/** Sums over the trials that the judge was asked about. */
export function judgeReport(records: readonly TrialRecord[], health: JudgeHealth | null): JudgeReport {
  const judged = records.flatMap(({ judge }) => judge ?? [])
  const sum = (read: (judging: RecordedJudging) => number): number => judged.reduce((total, judging) => total + read(judging), 0)
  const priced = judged.flatMap(({ cost_usd: cost }) => cost ?? [])
  return {
    trials: judged.length,
    unanswered: judged.filter(({ trouble }) => trouble !== null).length,
    calls: sum(({ calls }) => calls),
    cached_votes: sum(({ cached_votes: votes }) => votes),
    malformed_answers: sum(({ malformed_answers: malformed }) => malformed),
    tokens: sum(({ tokens }) => tokens),
    cost_usd: judged.length > 0 && priced.length === 0 ? null : priced.reduce((total, cost) => total + cost, 0),
    prompt_tokens: promptSizes(judged.map(({ prompt_tokens: tokens }) => tokens).filter((tokens) => tokens > 0)),
    health,
  }
}

function promptSizes(sizes: readonly number[]): JudgeReport['prompt_tokens'] {
  const sorted = [...sizes].sort((a, b) => a - b)
  const [median, most] = [sorted[(sorted.length - 1) >> 1], sorted.at(-1)]
  return median === undefined || most === undefined ? null : { median, most }
}

/** `judge 0.0120 USD (0.0004 USD a trial), 30 calls for 30 trials, …`. */
export function judgeSpendingText({
  trials,
  calls,
  cached_votes: cached,
  tokens,
  cost_usd: cost,
  prompt_tokens: sizes,
}: JudgeReport): string {
  if (trials === 0) return 'asked about no trial'
  const each = cost === null ? '' : ` (${usd(cost / trials)} a trial)`
  return [
    `${usd(cost)}${each}`,
    `${quantity(tokens)} tokens`,
    `${plural(calls, 'call')} for ${plural(trials, 'trial')}`,
    ...(cached === 0 ? [] : [`${plural(cached, 'vote')} from the cache`]),
    ...(sizes === null ? [] : [`prompts of about ${quantity(sizes.median)} tokens (most ${quantity(sizes.most)})`]),
  ].join(', ')
}

/** `references 20/20 passed, traps 38/40 failed …`; null when nothing is known of it. */
export function judgeHealthText({ health }: JudgeReport): string | null {
  if (health === null) return null
  const { references, traps, mutants, injections, labels, self_agreement: self } = health
  return [
    `references ${references.passed}/${references.total} passed`,
    `traps ${traps.failed}/${traps.total} failed`,
    ...(mutants === undefined ? [] : [`mutants ${mutants.failed}/${mutants.total} failed`]),
    ...(injections === undefined ? [] : [`injections ${injections.failed}/${injections.total} failed`]),
    ...(labels === undefined || labels.kappa === null ? [] : [`kappa ${labels.kappa.toFixed(2)} over ${plural(labels.total, 'label')}`]),
    ...(self === undefined || self === null ? [] : [`agrees with itself in ${Math.round(self * 100)}%`]),
  ].join(', ')
}
