import type { ModelSettings, ModelUsage } from './agent.ts'
import type { InfraClass } from './errors.ts'
import type { ObservedState, PerformedStep } from './outcome.ts'
import type { MockToolCall, Task } from './task.ts'

/** What the rubric judge is asked, given and says. */

export const RUBRIC_VERDICTS = ['PASS', 'FAIL'] as const
export type RubricVerdict = (typeof RUBRIC_VERDICTS)[number]
export type Rubric = Task['model_grader_rubrics'][number]

export const JUDGE_VOTES = [1, 3, 5] as const
export type JudgeVotes = (typeof JUDGE_VOTES)[number]

export interface JudgeSettings {
  readonly model: ModelSettings
  /** Votes asked for a rubric at most; asking stops when the majority is certain. */
  readonly votes: JudgeVotes
  /** Whether screenshots are shown to the judge (a multimodal model). */
  readonly screenshots: boolean
  /** Most tokens of one prompt, estimated by the stated rule; what does not fit is cut by that rule and said to be cut. */
  readonly token_budget: number
  /** All rubrics of a trial in one call. */
  readonly together: boolean
}

/** Everything under judgement. It is data: nothing in it may instruct the judge. */
export interface JudgeMaterial {
  readonly user_prompt: string
  readonly tool_context: readonly MockToolCall[]
  /** The document as served; null when the agent rendered nothing. */
  readonly source: string | null
  /** The agent's last words to the user. */
  readonly final_text: string
  /** Names of the tools that the agent called, in order. */
  readonly tool_calls: readonly string[]
  readonly states: readonly ObservedState[]
  readonly steps: readonly PerformedStep[]
  /** Payloads of `window.hermes.sendAction`, in order. */
  readonly payloads: readonly unknown[]
  readonly screenshots: readonly { readonly name: string; readonly png: Uint8Array }[]
}

export interface JudgeRequest {
  /** Names the account that the calls are counted on; unique within a run. */
  readonly account: string
  readonly rubrics: readonly Rubric[]
  readonly material: JudgeMaterial
}

/** One rubric, decided by a majority of exact verdicts whose quotation was found in the material. */
export interface RubricAnswer {
  readonly rubric_id: string
  readonly verdict: RubricVerdict
  /** Reason and quotation of the first vote that is of the majority. */
  readonly reason: string
  readonly evidence: string
  readonly votes: { readonly pass: number; readonly fail: number }
  /** Every vote came out of the cache. */
  readonly cached: boolean
}

/** What judging one trial took. */
export interface JudgeUsage extends Omit<ModelUsage, 'trouble'> {
  /** Votes taken from the cache. */
  readonly cached_votes: number
  /** Answers that were no verdict by their form; the first of a vote is asked for once more, a second makes the vote unusable. */
  readonly malformed_answers: number
  /** Estimated tokens of the largest prompt; 0 when nothing was asked. */
  readonly prompt_tokens: number
}

export type JudgeResult =
  | { readonly status: 'judged'; readonly answers: readonly RubricAnswer[]; readonly usage: JudgeUsage }
  /** No verdict: neither a pass nor a fail. `answers` are those decided before the trouble. */
  | {
      readonly status: 'infra'
      readonly infra_class: Extract<InfraClass, 'judge_error' | 'model_unavailable' | 'quota' | 'budget'>
      readonly detail: string
      readonly answers: readonly RubricAnswer[]
      readonly usage: JudgeUsage
    }

export interface Judge {
  /** Part of the run's fingerprint: model, parameters, votes, what it is shown, prompt version. */
  readonly fingerprint: string
  judge(request: JudgeRequest, signal: AbortSignal): Promise<JudgeResult>
}
