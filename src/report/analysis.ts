/** Recorded trials → how good, how steady, how dear and how fast the agent was. */
import type { TrialRecord } from '../model/record.ts'
import type { Interval } from '../model/verdict.ts'

/** Estimators of the statistics part, handed in since reports see the model alone. */
export interface Estimators {
  /** Unbiased pass^k from c passes in n trials; null when n < k. */
  readonly passAllK: (n: number, c: number, k: number) => number | null
  /** Unbiased pass@k; null when n < k. */
  readonly passAtK: (n: number, c: number, k: number) => number | null
  /** Exact 95 % interval of a pass rate. */
  readonly rateInterval: (n: number, c: number) => Interval
  /** 95 % interval of a mean over tasks, by resampling tasks; null of nothing. */
  readonly meanInterval: (values: readonly number[]) => Interval | null
}

/** What a task is like, for the groups. */
export interface TaskTraits {
  readonly category: string
  readonly explicitness: string
}

/** Medians and tails over trials, in the unit of what was measured; null of nothing. Linear interpolation between order statistics. */
export interface Quantiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly max: number | null
}

/** Figures over the trials of some tasks. Infrastructure trials are counted in `trials.infra` and nowhere else. */
export interface GroupAnalysis {
  readonly tasks: number
  readonly trials: { readonly pass: number; readonly fail: number; readonly infra: number }
  /** Share of counted trials that passed, 0..1, with the exact interval of as many trials that are all alike. */
  readonly success: { readonly rate: number | null; readonly interval: Interval | null }
  /** Means over tasks with at least k counted trials: the chance that k trials in a row all pass, that one of k passes. */
  readonly consistency: { readonly pass_k: number | null; readonly pass_at_k: number | null; readonly tasks: number }
  /** US dollars; null when prices are unknown. `per_success` = all counted trials' cost by the number of passes. */
  readonly cost_usd: { readonly total: number | null; readonly per_trial: number | null; readonly per_success: number | null }
  /** Means a counted trial. */
  readonly tokens: {
    readonly input: number | null
    readonly output: number | null
    readonly cache_read: number | null
    readonly reasoning: number | null
  }
  /** Medians a counted trial: tool calls and model calls of the agent, steps in the micro-app until its end. */
  readonly steps: { readonly tool_calls: number | null; readonly model_calls: number | null; readonly app_steps: number | null }
  /** Milliseconds a counted trial: whole trial, and answer times of the model service. */
  readonly latency_ms: { readonly wall: Quantiles; readonly model: Quantiles }
}

export interface FailureShare {
  readonly failure_class: string
  readonly trials: number
  /** Share of the failed (or unmeasured) trials, 0..1. */
  readonly share: number
  readonly tasks: readonly string[]
}

export interface RunAnalysis {
  readonly k: number
  readonly overall: GroupAnalysis
  readonly by_category: Readonly<Record<string, GroupAnalysis>>
  readonly by_explicitness: Readonly<Record<string, GroupAnalysis>>
  readonly by_task: Readonly<Record<string, GroupAnalysis>>
  /** Commonest first. */
  readonly failures: readonly FailureShare[]
  /** Trials that could not be measured, by cause; commonest first. */
  readonly unmeasured: readonly FailureShare[]
}

/**
 * Analyses the trials of a run.
 * @param traits by task id; a task without them counts as `unknown`
 */
export function analyseTrials(
  records: readonly TrialRecord[],
  k: number,
  traits: ReadonlyMap<string, TaskTraits>,
  estimate: Estimators,
): RunAnalysis {
  const grouped = (key: (record: TrialRecord) => string): Record<string, GroupAnalysis> => {
    const groups = [...Map.groupBy(records, key)].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(groups.map(([name, group]) => [name, analyseGroup(group, k, estimate)]))
  }
  return {
    k,
    overall: analyseGroup(records, k, estimate),
    by_category: grouped((record) => traits.get(record.task_id)?.category ?? 'unknown'),
    by_explicitness: grouped((record) => traits.get(record.task_id)?.explicitness ?? 'unknown'),
    by_task: grouped((record) => record.task_id),
    failures: shares(records.filter((record) => record.verdict === 'fail')),
    unmeasured: shares(records.filter((record) => record.verdict === 'infra')),
  }
}

function analyseGroup(records: readonly TrialRecord[], k: number, estimate: Estimators): GroupAnalysis {
  const counted = records.filter((record) => record.verdict !== 'infra')
  const passes = counted.filter((record) => record.verdict === 'pass').length
  const byTask = [...Map.groupBy(counted, (record) => record.task_id).values()].map((trials) => ({
    n: trials.length,
    c: trials.filter((trial) => trial.verdict === 'pass').length,
  }))
  const passAllK = byTask.map(({ n, c }) => estimate.passAllK(n, c, k)).filter((value) => value !== null)
  const passAtK = byTask.map(({ n, c }) => estimate.passAtK(n, c, k)).filter((value) => value !== null)
  const costs = counted.map((record) => record.cost_usd).filter((cost) => cost !== null)
  const total = costs.length === 0 ? null : sum(costs)
  // A trial without a price would make a success look cheaper than it was.
  const wholeTotal = costs.length === counted.length ? total : null
  const quantilesOf = (read: (record: TrialRecord) => number): Quantiles => quantiles(counted.map(read))
  return {
    tasks: new Set(records.map((record) => record.task_id)).size,
    trials: { pass: passes, fail: counted.length - passes, infra: records.length - counted.length },
    success:
      counted.length === 0
        ? { rate: null, interval: null }
        : { rate: passes / counted.length, interval: estimate.rateInterval(counted.length, passes) },
    consistency: { pass_k: mean(passAllK), pass_at_k: mean(passAtK), tasks: passAllK.length },
    cost_usd: { total, per_trial: mean(costs), per_success: wholeTotal === null || passes === 0 ? null : wholeTotal / passes },
    tokens: {
      input: mean(counted.map((record) => record.tokens.input)),
      output: mean(counted.map((record) => record.tokens.output)),
      cache_read: mean(counted.map((record) => record.tokens.cache_read)),
      reasoning: mean(counted.map((record) => record.tokens.reasoning)),
    },
    steps: {
      tool_calls: quantilesOf((record) => record.tool_calls).p50,
      model_calls: quantilesOf((record) => record.model_calls).p50,
      app_steps: quantilesOf((record) => record.steps.filter((step) => step.by !== 'variation').length).p50,
    },
    latency_ms: { wall: quantilesOf((record) => record.wall_ms), model: quantilesOf((record) => record.model_ms) },
  }
}

function shares(records: readonly TrialRecord[]): FailureShare[] {
  return [...Map.groupBy(records, (record) => record.failure_class ?? record.infra_class ?? 'unknown')]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([failureClass, trials]) => ({
      failure_class: failureClass,
      trials: trials.length,
      share: trials.length / records.length,
      tasks: [...new Set(trials.map((trial) => trial.task_id))].sort(),
    }))
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? null }
}

/** Hyndman & Fan's type 7: linear between order statistics, the ends are the extremes. */
function quantile(sorted: readonly number[], p: number): number | null {
  const place = (sorted.length - 1) * p
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place))
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
