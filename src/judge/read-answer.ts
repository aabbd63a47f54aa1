import { Ajv, type ValidateFunction } from 'ajv'
import type { Rubric, RubricVerdict } from '../model/judge.ts'
import { acceptedVerdict } from './answer-schema.ts'
import { repeatedKey } from './repeated-key.ts'

/** What one vote says about one rubric. */
export interface VotedVerdict {
  readonly verdict: RubricVerdict
  readonly reason: string
  readonly evidence: string
}

export type ReadAnswer =
  | { readonly form: 'exact'; readonly verdicts: ReadonlyMap<string, VotedVerdict> }
  /** `why` is in our own words: it may be told to the judge. */
  | { readonly form: 'malformed'; readonly why: string }

export interface AnswerReader {
  /** Reads the text of an answer: exactly one JSON object, bare or as one fenced ```json block, with nothing around it. */
  readText(text: string): ReadAnswer
  /** Reads a decoded answer. */
  readValue(value: unknown): ReadAnswer
}

const FENCED_BLOCK = /^```json[ \t]*\r?\n(.*)\r?\n```$/su

/**
 * Reads answers strictly: the verdict is `PASS` or `FAIL` letter for letter, every key is there once, and there are no others;
 * a reason that states the other verdict is no answer either.
 * @param together whether the answer holds a verdict per rubric id; else the one rubric's verdict
 */
export function createAnswerReader(rubrics: readonly Rubric[], together: boolean): AnswerReader {
  const ids = rubrics.map(({ id }) => id)
  const readValue = (value: unknown): ReadAnswer => {
    const parts = together ? partsById(value, ids) : new Map(ids.map((id) => [id, value]))
    if (parts === null) return { form: 'malformed', why: 'it has not exactly one verdict for each rubric, under its id' }
    const verdicts = new Map<string, VotedVerdict>()
    for (const [id, part] of parts) {
      const isVerdict = verdictValidator()
      if (!isVerdict(part)) return { form: 'malformed', why: `it has not the form asked for (${explain(isVerdict)})` }
      if (contradicts(part)) return { form: 'malformed', why: 'its reason states the other verdict' }
      verdicts.set(id, { verdict: part.verdict, reason: part.reason, evidence: part.evidence })
    }
    return { form: 'exact', verdicts }
  }
  return {
    readValue,
    readText: (text) => {
      const trimmed = text.trim()
      const json = FENCED_BLOCK.exec(trimmed)?.[1] ?? trimmed
      let value: unknown
      try {
        value = JSON.parse(json)
      } catch {
        return { form: 'malformed', why: 'it is not exactly one JSON object' }
      }
      if (repeatedKey(json) !== null) return { form: 'malformed', why: 'a key stands twice in it' }
      return readValue(value)
    },
  }
}

let compiled: ValidateFunction<VotedVerdict> | null = null
const verdictValidator = (): ValidateFunction<VotedVerdict> => (compiled ??= new Ajv().compile<VotedVerdict>(acceptedVerdict))

/** What an object holds under each id; null when it has not just these keys. */
function partsById(value: unknown, ids: readonly string[]): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const parts = new Map<string, unknown>(Object.entries(value))
  return parts.size === ids.length && ids.every((id) => parts.has(id)) ? parts : null
}

function explain({ errors }: ValidateFunction): string {
  const error = errors?.[0]
  const at = error === undefined || error.instancePath === '' ? 'the verdict' : error.instancePath.slice(1)
  // What the answer itself calls its keys is not repeated: this sentence may go back to the judge.
  return error?.keyword === 'additionalProperties' ? 'there are further keys' : `${at} ${error?.message ?? 'is wrong'}`
}

/** The reason opens with the other verdict, or calls it the verdict. A mere mention (`no ground for FAIL`) is none. */
function contradicts({ verdict, reason }: VotedVerdict): boolean {
  const other = verdict === 'PASS' ? 'FAIL' : 'PASS'
  return new RegExp(`^\\W*${other}\\b|\\bverdict\\W+(?:(?:is|must be|should be)\\W+)?${other}\\b`, 'u').test(reason)
}
