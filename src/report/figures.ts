/** How numbers are written everywhere: comment, summary, terminal, report. */
import type { Interval, TaskEstimate } from '../model/verdict.ts'
import type { Results, SpendingComparison } from '../model/results.ts'

export const NO_FIGURE = '–'

/** A probability 0..1 as a percentage. Never rounds up to certainty or down to impossibility. */
export function percent(rate: number | null): string {
  if (rate === null || !Number.isFinite(rate)) return NO_FIGURE
  const rounded = Math.round(rate * 100)
  if (rounded >= 100 && rate < 1) return '>99%'
  if (rounded <= 0 && rate > 0) return '<1%'
  return `${rounded}%`
}

/** `12 to 88%`. */
export function intervalText(interval: Interval | null): string {
  return interval === null ? NO_FIGURE : `${percent(interval.low).replace('%', '')} to ${percent(interval.high)}`
}

/** `2/6`, with what could not be measured beside it. */
export function countsText(estimate: TaskEstimate | null): string {
  if (estimate === null) return NO_FIGURE
  const infra = estimate.infra > 0 ? ` (+${estimate.infra} unmeasured)` : ''
  return `${estimate.c}/${estimate.n}${infra}`
}

/** US dollars. Four decimals below a cent, since a trial may cost less. The currency stands behind: a `$` can open a formula on GitHub. */
export function usd(amount: number | null): string {
  if (amount === null || !Number.isFinite(amount)) return NO_FIGURE
  if (amount === 0) return '0 USD'
  return `${amount < 0.1 ? amount.toFixed(4) : amount.toFixed(2)} USD`
}

export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return NO_FIGURE
  if (ms < 950) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `950`, `12.3k`, `4.5M`. */
export function quantity(count: number | null): string {
  if (count === null || !Number.isFinite(count)) return NO_FIGURE
  if (Math.abs(count) < 1000) return Number.isInteger(count) ? `${count}` : count.toFixed(1)
  if (Math.abs(count) < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** What a run took, without what is unknown: `0.42 USD`, `51.0k tokens`, `2 min 10 s`. Never empty. */
export function spentParts({ cost_usd: cost, tokens, wall_ms: ms }: Omit<Results['spending'], 'comparison'>): readonly string[] {
  return [...(cost === null ? [] : [usd(cost)]), ...(tokens === 0 ? [] : [`${quantity(tokens)} tokens`]), duration(ms)]
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

const METRIC = {
  cost_usd: { name: 'Cost a trial', write: usd },
  tokens: { name: 'Tokens a trial', write: quantity },
  wall_ms: { name: 'Time a trial', write: duration },
  tool_calls: { name: 'Tool calls a trial', write: quantity },
} as const

export interface SpendingRow {
  readonly name: string
  readonly baseline: string
  readonly head: string
  /** `+17%`; empty when there is nothing to compare. */
  readonly change: string
  /** head / baseline − 1; null when there is nothing to compare. */
  readonly ratio: number | null
}

export function spendingRow(comparison: SpendingComparison): SpendingRow {
  const { name, write } = METRIC[comparison.metric]
  const { head, baseline } = comparison
  const ratio = head !== null && baseline !== null && baseline > 0 ? head / baseline - 1 : null
  return { name, baseline: write(baseline), head: write(head), change: ratio === null ? '' : changeText(ratio), ratio }
}

function changeText(ratio: number): string {
  const points = Math.round(ratio * 100)
  if (points === 0) return '±0%'
  return points > 0 ? `+${points}%` : `−${Math.abs(points)}%`
}
