import { SPENDING_METRICS, type GateSettings, type SpendingMetric, type SpendingVerdict, type TaskSpending } from '../model/verdict.ts'
import { holm } from '../statistics/holm.ts'
import { median } from '../statistics/resample.ts'
import { signedRankP } from '../statistics/signed-rank.ts'

const NAMES: Readonly<Record<SpendingMetric, string>> = { cost_usd: 'Cost', tokens: 'Tokens', wall_ms: 'Time', tool_calls: 'Tool calls' }

/** One metric over the tasks that have a figure on both sides. */
interface Measured {
  readonly metric: SpendingMetric
  readonly limit: number
  readonly tasks: number
  /** Head ÷ baseline of the middle task; null without tasks. */
  readonly typical_ratio: number | null
  readonly p_value: number
}

/**
 * Holds every limited metric against its limit. Two things make it `exceeded`: the middle task's increase lies above the limit, and the tasks
 * together rule out chance (exact signed-rank test on log ratios, Holm over the limited metrics at `alpha`). The first keeps trifles out that
 * are merely certain, the second large figures that are merely luck. `strict` asks for the first alone.
 */
export function judgeSpending(spending: readonly TaskSpending[], settings: GateSettings): SpendingVerdict[] {
  const measured = SPENDING_METRICS.flatMap((metric) => {
    const limit = settings.max_increase?.[metric]
    return limit === undefined ? [] : [measure(metric, limit, spending)]
  })
  const decisions = holm(
    measured.map(({ p_value: p }) => p),
    settings.alpha,
  )
  return measured.map((entry, i) => {
    const { level, rejected } = decisions[i] ?? { level: settings.alpha, rejected: false }
    const outcome = outcomeOf(entry, rejected, settings, settings.alpha / measured.length)
    const increase = entry.typical_ratio === null || entry.typical_ratio === Infinity ? null : (entry.typical_ratio - 1) * 100
    return {
      metric: entry.metric,
      outcome,
      limit_percent: entry.limit,
      typical_increase_percent: increase,
      tasks: entry.tasks,
      p_value: entry.tasks === 0 ? null : entry.p_value,
      level: entry.tasks === 0 ? null : level,
      reason: reasonOf(entry, outcome),
    }
  })
}

function measure(metric: SpendingMetric, limit: number, spending: readonly TaskSpending[]): Measured {
  const ratios = spending.flatMap(({ head, baseline }) => {
    const now = head[metric] ?? null
    const before = baseline[metric] ?? null
    return now === null || before === null ? [] : [ratioOf(now, before)]
  })
  return { metric, limit, tasks: ratios.length, typical_ratio: median(ratios), p_value: signedRankP(ratios.map(Math.log)) }
}

/** Nothing on both sides is no change. */
function ratioOf(now: number, before: number): number {
  return now === before ? 1 : now / before
}

function outcomeOf(
  { typical_ratio: ratio, limit, tasks }: Measured,
  beyondChance: boolean,
  { mode }: GateSettings,
  firstLevel: number,
): SpendingVerdict['outcome'] {
  if (ratio === null) return 'undecidable'
  // A hair of slack: an increase of exactly the limit is within it, whatever the last bit says.
  if (ratio <= (1 + limit / 100) * (1 + 1e-9)) return 'within'
  if (beyondChance || mode === 'strict') return 'exceeded'
  return 2 ** -tasks > firstLevel ? 'undecidable' : 'suspect'
}

function reasonOf({ metric, limit, tasks, typical_ratio: ratio }: Measured, outcome: SpendingVerdict['outcome']): string {
  const name = NAMES[metric]
  if (ratio === null) return `${name}: a limit is set, but no task has a figure on both sides.`
  const over = `over ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`
  const change = `${name}: the typical task ${changeOf(ratio)} against the baseline ${over}`
  switch (outcome) {
    case 'within':
      return `${change}, within the limit of ${shown(limit)}%.`
    case 'exceeded':
      return `${change}, above the limit of ${shown(limit)}% and beyond chance.`
    case 'suspect':
      return `${change}, above the limit of ${shown(limit)}%, but chance is not ruled out.`
    case 'undecidable':
      return `${change}, above the limit of ${shown(limit)}%, but so few tasks cannot rule out chance.`
  }
}

function changeOf(ratio: number): string {
  if (ratio === Infinity) return 'rose from nothing'
  const percent = (ratio - 1) * 100
  if (Math.abs(percent) < 0.05) return 'did not change'
  return `${percent > 0 ? 'rose' : 'fell'} by ${shown(Math.abs(percent))}%`
}

function shown(percent: number): string {
  return percent >= 10 ? String(Math.round(percent)) : String(Number(percent.toFixed(1)))
}
