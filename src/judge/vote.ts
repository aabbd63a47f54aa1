import type { Rubric } from '../model/judge.ts'
import { type Asker, type AskResult, type JudgeTrouble, promptMessages } from './ask.ts'
import type { CallAccount } from './call-account.ts'
import { sha256 } from './digest.ts'
import type { JudgePrompt } from './prompt.ts'
import { isQuoted } from './quotation.ts'
import type { AnswerReader, ReadAnswer, VotedVerdict } from './read-answer.ts'
import type { VoteCache } from './vote-cache.ts'

/** What one vote says about one rubric: an exact verdict with a quotation that is there, or why it says nothing. */
export type Ballot = { readonly valid: true; readonly voted: VotedVerdict } | { readonly valid: false; readonly problem: string }

export interface Vote {
  readonly ballots: ReadonlyMap<string, Ballot>
  /** Out of the cache. */
  readonly cached: boolean
  /** Answers that were no verdict by their form. */
  readonly malformed: number
  /** The service is not there: no further vote is asked for. */
  readonly trouble: JudgeTrouble | null
}

/** One question to be voted on. */
export interface Ballotsheet {
  readonly fingerprint: string
  readonly rubrics: readonly Rubric[]
  /** All rubrics in one answer. */
  readonly together: boolean
  readonly prompt: JudgePrompt
  readonly reader: AnswerReader
}

export interface Polling {
  readonly asker: Asker
  readonly cache: VoteCache
  readonly account: CallAccount
  readonly signal: AbortSignal
}

/**
 * One vote: from the cache, or asked for, once more when the form of the answer was wrong. Only votes that are valid for every
 * rubric are kept in the cache, under everything that was sent, the fingerprint and the number of the vote.
 */
export async function castVote(sheet: Ballotsheet, number: number, polling: Polling): Promise<Vote> {
  const messages = promptMessages(sheet.prompt)
  const key = sha256(JSON.stringify([sheet.fingerprint, sheet.rubrics.map(({ id, criteria }) => [id, criteria]), number, messages]))
  return polling.cache.alone(key, polling.signal, async () => {
    const kept = ballotsOf(sheet.reader.readValue(await polling.cache.read(key)), sheet)
    if (kept !== null && allValid(kept)) return { ballots: kept, cached: true, malformed: 0, trouble: null }
    const vote = await askForVote(sheet, number, messages, polling)
    if (vote.trouble === null && allValid(vote.ballots)) await polling.cache.write(key, answerOf(vote.ballots, sheet))
    return vote
  })
}

const allValid = (ballots: ReadonlyMap<string, Ballot>): boolean => [...ballots.values()].every(({ valid }) => valid)

async function askForVote(
  sheet: Ballotsheet,
  number: number,
  messages: readonly unknown[],
  { asker, account, signal }: Polling,
): Promise<Vote> {
  const question = { ids: sheet.together ? sheet.rubrics.map(({ id }) => id) : null, vote: number }
  const first = await asker.ask({ ...question, messages }, account, signal)
  const read = readReply(first, sheet.reader)
  if (read?.form !== 'malformed') return voteOf(first, read, sheet, 0)
  const second = await asker.ask({ ...question, messages: [...messages, askAgain(read.why)] }, account, signal)
  const reread = readReply(second, sheet.reader)
  return voteOf(second, reread, sheet, reread?.form === 'malformed' ? 2 : 1)
}

const readReply = (reply: AskResult, reader: AnswerReader): ReadAnswer | null =>
  reply.kind === 'text' ? reader.readText(reply.text) : null

/** The answer itself is not repeated: it may hold words of the material. */
const askAgain = (why: string): unknown => ({
  role: 'user',
  content: `An answer was given that cannot be read: ${why}. Answer again, with exactly one JSON object in the form asked for and nothing around it.`,
})

function voteOf(reply: AskResult, read: ReadAnswer | null, sheet: Ballotsheet, malformed: number): Vote {
  const ballots = read === null ? null : ballotsOf(read, sheet)
  if (ballots !== null) return { ballots, cached: false, malformed, trouble: null }
  const trouble = reply.kind === 'trouble' ? reply.trouble : null
  const problem =
    read?.form === 'malformed'
      ? `The judge's answer is malformed, also when asked again: ${read.why}.`
      : reply.kind === 'unusable'
        ? reply.detail
        : (trouble?.detail ?? 'The judge gave no answer.')
  return { ballots: new Map(sheet.rubrics.map(({ id }) => [id, { valid: false, problem }])), cached: false, malformed, trouble }
}

/** Checks the quotations; null when the answer has no exact form. */
function ballotsOf(read: ReadAnswer, { prompt }: Ballotsheet): Map<string, Ballot> | null {
  if (read.form === 'malformed') return null
  return new Map([...read.verdicts].map(([id, voted]): [string, Ballot] => [id, ballotOf(voted, prompt.pieces)]))
}

function ballotOf(voted: VotedVerdict, pieces: readonly string[]): Ballot {
  if (isQuoted(voted.evidence, pieces)) return { valid: true, voted }
  return { valid: false, problem: `The judge's quotation is not in the material: ${JSON.stringify(voted.evidence.slice(0, 200))}.` }
}

/** Valid ballots in the form of an answer. */
function answerOf(ballots: ReadonlyMap<string, Ballot>, { together }: Ballotsheet): unknown {
  const voted = [...ballots].flatMap(([id, ballot]) => (ballot.valid ? [[id, ballot.voted] as const] : []))
  return together ? Object.fromEntries(voted) : voted[0]?.[1]
}
