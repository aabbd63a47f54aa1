import type { Command } from 'commander'
import { resolve } from 'node:path'
import { readPrices, type PriceTable } from '../model/config.ts'
import { readInputs, type RawInputs } from '../model/inputs.ts'
import { readJudgeChoice, type JudgeChoice } from '../model/judge-choice.ts'
import { textOption } from './text-option.ts'

/** Options that say who judges rubrics, named as the Action's inputs: `[name, placeholder, description]`. */
export const JUDGE_OPTIONS: readonly (readonly [string, string, string])[] = [
  ['judge', 'name', 'model that judges rubrics, or off (default off); its key is taken from GENUI_EVAL_JUDGE_API_KEY'],
  ['judge-base-url', 'url', 'OpenAI-compatible endpoint of the judge (default: base-url, then with the same key)'],
  ['judge-votes', 'number', 'votes a rubric: 1, 3 or 5 (default 1)'],
  ['judge-screenshots', 'flag', 'true shows screenshots to the judge (default false)'],
  ['judge-token-budget', 'number', 'tokens of one prompt at most (default 30000)'],
  ['judge-temperature', 'number', '0 to 2, or default where the model refuses it (default 0)'],
  ['judge-after-failure', 'flag', 'true judges trials that have failed already (default false)'],
  ['judge-max-calls', 'number', 'calls of the judge a run at most'],
  ['judge-cache', 'folder', 'verdicts that outlive the run (default: none)'],
  ['judge-health', 'file', 'what "validate --judge --write-health" measured; a judge that failed it may not gate'],
]

/** The judge's key, which is never an argument that others can see. */
export function judgeKeyIn(environment: NodeJS.ProcessEnv): RawInputs {
  return { 'judge-api-key': environment['GENUI_EVAL_JUDGE_API_KEY'] }
}

/** A judge of a command that makes no run, and what asking it needs. */
export interface JudgeOptions {
  readonly judge: JudgeChoice
  /** US dollars per million tokens by model; null = costs unknown. */
  readonly prices: PriceTable | null
  /** Further tries after trouble. */
  readonly retries: number
}

const MORE: typeof JUDGE_OPTIONS = [
  ['prices', 'json', 'US dollars per million tokens by model'],
  ['retries', 'number', 'further tries of the judge after trouble (default 2)'],
]

/** Adds the judge's options to a command that makes no run. */
export function addJudgeOptions(command: Command): Command {
  for (const [name, placeholder, description] of [...JUDGE_OPTIONS, ...MORE]) command.option(`--${name} <${placeholder}>`, description)
  return command
}

/** Without judge-base-url the judge is asked at OpenAI, with the key of GENUI_EVAL_API_KEY or OPENAI_API_KEY. Throws UserError with every bad option at once. */
export function readJudgeOptions(options: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv): JudgeOptions {
  const given = [...JUDGE_OPTIONS, ...MORE].map(([name]) => [name, textOption(options, name)] as const)
  const service = {
    base_url: 'https://api.openai.com/v1',
    api_key: environment['GENUI_EVAL_API_KEY'] ?? environment['OPENAI_API_KEY'] ?? null,
  }
  return readInputs({ ...Object.fromEntries(given), ...judgeKeyIn(environment) }, (read) => ({
    judge: readJudgeChoice(read, service, (path) => resolve(path)),
    prices: readPrices(read),
    retries: read.integer('retries', { min: 0, max: 10, fallback: 2 }),
  }))
}
