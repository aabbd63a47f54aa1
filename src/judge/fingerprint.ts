import type { JudgeSettings } from '../model/judge.ts'
import { JUDGE_PROMPT_VERSION } from './prompt.ts'

/**
 * What must be equal for the verdicts of two judges to be comparable, as `name=value` joined by `;`. Settings left to the service are `default`.
 * The service's address is no part of it, nor which of the temperature, the seed and the schema of answers it declined: that lies in the model.
 */
export function judgeFingerprint({ model, votes, screenshots, token_budget, together }: JudgeSettings): string {
  const parts = {
    model: model.name,
    temperature: model.temperature,
    effort: model.effort,
    max_tokens: model.max_tokens,
    votes,
    screenshots,
    budget: token_budget,
    together,
    prompt: JUDGE_PROMPT_VERSION,
  }
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${value === null ? 'default' : String(value).replaceAll(/[;=%]/g, encodeURIComponent)}`)
    .join(';')
}
