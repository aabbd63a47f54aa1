import type { JudgeHealth } from './judge-health.ts'
import type { TrialRecord, Fingerprint } from './record.ts'
import type { GateDecision } from './verdict.ts'
import type { Suite } from './task.ts'

export const RESULTS_SCHEMA_VERSION = 'genui-eval/results@1'

/** Expected-set accounting: planned = pass + fail + infra + missing. */
export interface TrialTotals {
  readonly planned: number
  readonly pass: number
  readonly fail: number
  readonly infra: number
  readonly missing: number
}

/** Where the baseline came from. */
export type BaselineOrigin =
  | { readonly kind: 'base_commit'; readonly commit: string; readonly path: string }
  | { readonly kind: 'stand_in'; readonly commit: string; readonly path: string; readonly why: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'paired' }
  | { readonly kind: 'none'; readonly why: string }

/** Cost, tokens, time and tool calls: medians a trial, over tasks measured in both arms. */
export interface SpendingComparison {
  readonly metric: 'cost_usd' | 'tokens' | 'wall_ms' | 'tool_calls'
  readonly head: number | null
  readonly baseline: number | null
}

/** What a reader needs to know of a task besides its verdict. */
export interface TaskFacts {
  readonly task_id: string
  readonly category: string
  readonly explicitness: string
  readonly user_prompt: string
  /** Commonest failure class among head's failed trials with one example sentence; null when none failed. */
  readonly cause: { readonly failure_class: string; readonly trials: number; readonly example: string } | null
}

/** What the judge of rubrics did in a run and took for it, both arms. Not part of `spending`, which is the agents'. */
export interface JudgeReport {
  /** Trials that it was asked about. */
  readonly trials: number
  /** Of those, trials that got no verdict of it. */
  readonly unanswered: number
  readonly calls: number
  /** Votes taken from the cache. */
  readonly cached_votes: number
  /** Answers that were no verdict by their form. */
  readonly malformed_answers: number
  readonly tokens: number
  /** US dollars; null when the judge's model has no price. */
  readonly cost_usd: number | null
  /** Estimated tokens of a prompt: median and largest over trials for which anything was asked; null when nothing was. */
  readonly prompt_tokens: { readonly median: number; readonly most: number } | null
  /** What is known of its reliability; null = not measured, or not by the run that wrote this. */
  readonly health: JudgeHealth | null
}

/** Everything that comment, check run, summary, HTML report and JUnit are functions of. `results.json`. */
export interface Results {
  readonly schema: typeof RESULTS_SCHEMA_VERSION
  readonly run: {
    readonly id: string
    readonly started_at: string
    readonly finished_at: string
    readonly suite: Suite
    readonly k: number
    readonly plugin: { readonly path: string; readonly name: string; readonly version: string }
    /** Full commit SHA, or null outside of git. */
    readonly head_commit: string | null
    readonly fingerprint: Fingerprint
    /** True when the model is the scripted stand-in. */
    readonly scripted_model: boolean
    /** One command that repeats the run locally. */
    readonly repeat_command: string
  }
  readonly decision: GateDecision
  readonly baseline_origin: BaselineOrigin
  /** Fingerprint parts that differ from the baseline's: `part: baseline → head`. */
  readonly fingerprint_differences: readonly string[]
  /** Sentences that the reader must not miss: exam edited by the PR, stand-in baseline, partial run … */
  readonly notices: readonly string[]
  readonly totals: TrialTotals
  readonly spending: {
    readonly cost_usd: number | null
    readonly tokens: number
    readonly wall_ms: number
    readonly comparison: readonly SpendingComparison[]
  }
  /** Absent when the judge was off. */
  readonly judge?: JudgeReport
  readonly tasks: readonly TaskFacts[]
  /** All records of the run, in plan order. */
  readonly trials: readonly TrialRecord[]
}
