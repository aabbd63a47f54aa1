import { UserError } from '../model/errors.ts'
import type { Judge, JudgeMaterial, JudgeRequest, JudgeResult, JudgeSettings, Rubric, RubricAnswer } from '../model/judge.ts'
import { Asker, type JudgeTrouble } from './ask.ts'
import { CallAccount, type JudgeDoor } from './call-account.ts'
import { sha256 } from './digest.ts'
import { judgeFingerprint } from './fingerprint.ts'
import { buildPrompt } from './prompt.ts'
import { createAnswerReader } from './read-answer.ts'
import { Tally } from './tally.ts'
import { type Ballotsheet, castVote, type Polling } from './vote.ts'
import { VoteCache } from './vote-cache.ts'

/** Smallest `token_budget`: the instructions alone take about a thousand tokens. */
const LEAST_TOKEN_BUDGET = 4000

export interface JudgeOptions extends JudgeDoor {
  readonly settings: JudgeSettings
  /** Folder of the votes that are kept across runs; null keeps none. */
  readonly cacheFolder: string | null
}

/**
 * The judge on a chat-completions service behind a relay, which holds the key, retries and counts. Anything but an exact verdict with a
 * quotation that is in the material is `judge_error`; trouble of the service keeps its own class.
 * `judge` rejects only with the signal's reason, when it aborts.
 * @throws UserError for a token budget that has no room for any material
 */
export function createJudge(options: JudgeOptions): Judge {
  const { settings, cacheFolder } = options
  if (!Number.isFinite(settings.token_budget) || settings.token_budget < LEAST_TOKEN_BUDGET)
    throw new UserError(`The judge's token budget must be at least ${LEAST_TOKEN_BUDGET}; it is ${settings.token_budget}.`)
  const fingerprint = judgeFingerprint(settings)
  const asker = new Asker(settings)
  const cache = new VoteCache(cacheFolder)
  return {
    fingerprint,
    judge: async (request, signal) => {
      signal.throwIfAborted()
      const polling: Polling = { asker, cache, signal, account: new CallAccount(request.account, options) }
      return judgeTrial(request, polling, settings, fingerprint)
    },
  }
}

interface Spent {
  cached_votes: number
  malformed_answers: number
  prompt_tokens: number
}

async function judgeTrial(
  { rubrics, material }: JudgeRequest,
  polling: Polling,
  settings: JudgeSettings,
  fingerprint: string,
): Promise<JudgeResult> {
  const distinct = new Set(rubrics.map(({ id }) => id)).size === rubrics.length
  // One answer cannot hold two verdicts under the same id.
  const together = settings.together && distinct && rubrics.length > 1
  const groups = together ? [rubrics] : rubrics.map((rubric) => [rubric])
  const spent: Spent = { cached_votes: 0, malformed_answers: 0, prompt_tokens: 0 }
  const answers: RubricAnswer[] = []
  for (const group of groups) {
    const { decided, trouble } = await judgeGroup(group, material, { polling, settings, fingerprint, together, spent })
    answers.push(...decided)
    if (trouble !== null) return { status: 'infra', ...trouble, answers, usage: { ...polling.account.counts(), ...spent } }
  }
  return { status: 'judged', answers, usage: { ...polling.account.counts(), ...spent } }
}

/** Votes on rubrics that are asked for in one call, until each has a certain majority or one can have none any more. */
async function judgeGroup(
  rubrics: readonly Rubric[],
  material: JudgeMaterial,
  context: {
    readonly polling: Polling
    readonly settings: JudgeSettings
    readonly fingerprint: string
    readonly together: boolean
    readonly spent: Spent
  },
): Promise<{ readonly decided: readonly RubricAnswer[]; readonly trouble: JudgeTrouble | null }> {
  const { polling, settings, fingerprint, together, spent } = context
  const prompt = buildPrompt(material, rubrics, { together, screenshots: settings.screenshots, tokenBudget: settings.token_budget }, sha256)
  if (prompt === null) {
    const detail = `The judge's token budget of ${settings.token_budget} has no room for the material beside the rubrics.`
    return { decided: [], trouble: { infra_class: 'judge_error', detail } }
  }
  const sheet: Ballotsheet = { fingerprint, rubrics, together, prompt, reader: createAnswerReader(rubrics, together) }
  const tallies = new Map(rubrics.map(({ id }) => [id, new Tally(id, settings.votes)]))
  const all = [...tallies.values()]
  for (let number = 1; all.some((tally) => tally.open) && !all.some((tally) => tally.answer === null && !tally.open); number += 1) {
    const vote = await castVote(sheet, number, polling)
    if (vote.cached) spent.cached_votes += 1
    else spent.prompt_tokens = Math.max(spent.prompt_tokens, prompt.tokens)
    spent.malformed_answers += vote.malformed
    for (const [id, ballot] of vote.ballots) tallies.get(id)?.add(ballot, vote.cached)
    if (vote.trouble !== null) return { decided: answersOf(all), trouble: vote.trouble }
  }
  const hopeless = all.find((tally) => tally.answer === null)
  const trouble = hopeless === undefined ? null : ({ infra_class: 'judge_error', detail: hopeless.problem } as const)
  return { decided: answersOf(all), trouble }
}

const answersOf = (tallies: readonly Tally[]): RubricAnswer[] => tallies.flatMap(({ answer }) => (answer === null ? [] : [answer]))
