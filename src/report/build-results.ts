import type { JudgeHealth } from '../model/judge-health.ts'
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import {
  RESULTS_SCHEMA_VERSION,
  type BaselineOrigin,
  type Results,
  type SpendingComparison,
  type TaskFacts,
  type TrialTotals,
} from '../model/results.ts'
import type { Suite, Task } from '../model/task.ts'
import type { GateDecision } from '../model/verdict.ts'
import { judgeReport } from './judge-report.ts'

export interface ResultsInput {
  readonly run: {
    readonly id: string
    readonly started_at: string
    readonly finished_at: string
    readonly suite: Suite
    readonly k: number
    readonly plugin: { readonly path: string; readonly name: string; readonly version: string }
    readonly head_commit: string | null
    readonly fingerprint: Fingerprint
    readonly scripted_model: boolean
    readonly repeat_command: string
  }
  readonly decision: GateDecision
  readonly baseline_origin: BaselineOrigin
  readonly fingerprint_differences: readonly string[]
  readonly notices: readonly string[]
  /** Wall time of the whole run, ms. */
  readonly wall_ms: number
  /** Trials that the plan asked for in the head arm. */
  readonly planned: number
  readonly tasks: readonly Task[]
  readonly records: readonly TrialRecord[]
  /** What is known of the judge's reliability; absent = nothing. */
  readonly judge_health?: JudgeHealth | null
  /** Medians a trial of the baseline, by task and metric; empty when unknown. */
  readonly baseline_medians: Readonly<Record<string, Readonly<Partial<Record<SpendingComparison['metric'], number | null>>>>>
}

/** Joins decision and records into the document that every report is a function of. */
export function buildResults(input: ResultsInput): Results {
  const head = input.records.filter((record) => record.arm === 'head')
  return {
    schema: RESULTS_SCHEMA_VERSION,
    run: input.run,
    decision: input.decision,
    baseline_origin: input.baseline_origin,
    fingerprint_differences: input.fingerprint_differences,
    notices: input.notices,
    totals: countTotals(input.planned, head),
    spending: {
      cost_usd: sumCosts(input.records),
      tokens: sum(input.records.map(totalTokens)),
      wall_ms: input.wall_ms,
      comparison: compareSpending(head, input.baseline_medians),
    },
    ...(input.run.fingerprint.judge === 'off' ? {} : { judge: judgeReport(input.records, input.judge_health ?? null) }),
    tasks: input.tasks.map((task) => taskFacts(task, head)),
    trials: input.records,
  }
}

function countTotals(planned: number, head: readonly TrialRecord[]): TrialTotals {
  const by = (verdict: TrialRecord['verdict']) => head.filter((record) => record.verdict === verdict).length
  return { planned, pass: by('pass'), fail: by('fail'), infra: by('infra'), missing: Math.max(0, planned - head.length) }
}

function sumCosts(records: readonly TrialRecord[]): number | null {
  const known = records.map((record) => record.cost_usd).filter((cost) => cost !== null)
  return known.length === 0 ? null : sum(known)
}

function taskFacts(task: Task, head: readonly TrialRecord[]): TaskFacts {
  const failed = head.filter((record) => record.task_id === task.task_id && record.verdict === 'fail')
  return {
    task_id: task.task_id,
    category: task.category,
    explicitness: task.prompt_explicitness,
    user_prompt: task.user_prompt,
    cause: commonestCause(failed),
  }
}

function commonestCause(failed: readonly TrialRecord[]): TaskFacts['cause'] {
  const byClass = Map.groupBy(failed, (record) => record.failure_class ?? 'unknown')
  const [top] = [...byClass].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  if (top === undefined) return null
  const [failureClass, records] = top
  return { failure_class: failureClass, trials: records.length, example: records[0]?.detail ?? '' }
}

/** Sums over tasks of the medians a trial, over tasks that both arms know; the pairing keeps a changed mix of tasks out of it. */
function compareSpending(head: readonly TrialRecord[], baseline: ResultsInput['baseline_medians']): SpendingComparison[] {
  const measured = head.filter((record) => record.verdict !== 'infra')
  const byTask = Map.groupBy(measured, (record) => record.task_id)
  const metrics: readonly (readonly [SpendingComparison['metric'], (record: TrialRecord) => number | null])[] = [
    ['cost_usd', (record) => record.cost_usd],
    ['tokens', totalTokens],
    ['wall_ms', (record) => record.wall_ms],
    ['tool_calls', (record) => record.tool_calls],
  ]
  return metrics.map(([metric, read]) => {
    const pairs = [...byTask].flatMap(([taskId, records]) => {
      const now = median(records.map(read).filter((value) => value !== null))
      const before = baseline[taskId]?.[metric] ?? null
      return now === null ? [] : [{ now, before }]
    })
    const paired = pairs.filter((pair) => pair.before !== null)
    if (paired.length > 0) {
      return { metric, head: mean(paired.map((pair) => pair.now)), baseline: mean(paired.map((pair) => pair.before ?? 0)) }
    }
    return { metric, head: pairs.length === 0 ? null : mean(pairs.map((pair) => pair.now)), baseline: null }
  })
}

/** Input and output tokens of a trial. */
export function totalTokens(record: TrialRecord): number {
  return record.tokens.input + record.tokens.output
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
