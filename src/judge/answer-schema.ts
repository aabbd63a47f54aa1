import { RUBRIC_VERDICTS } from '../model/judge.ts'

/** Longest reason or quotation that is read, characters. */
const LONGEST_TEXT = 4000

/** One verdict as the service is asked to shape it. The verdict comes last: the model looks first and decides then. */
const wireVerdict = {
  type: 'object',
  additionalProperties: false,
  required: ['evidence', 'reason', 'verdict'],
  properties: {
    evidence: { type: 'string', description: 'One passage copied from the material, character for character' },
    reason: { type: 'string', description: 'One to three sentences' },
    verdict: { type: 'string', enum: RUBRIC_VERDICTS },
  },
} as const

/** What is accepted of a verdict; narrower than what services take as a schema: blank or endless texts are no answer. */
export const acceptedVerdict = {
  ...wireVerdict,
  properties: {
    ...wireVerdict.properties,
    evidence: { type: 'string', pattern: '\\S', maxLength: LONGEST_TEXT },
    reason: { type: 'string', pattern: '\\S', maxLength: LONGEST_TEXT },
  },
} as const

/** Schema of an answer that services are given: one verdict, or, when `ids` are given, one per rubric under its id. */
export function wireSchema(ids: readonly string[] | null): Record<string, unknown> {
  if (ids === null) return { ...wireVerdict }
  return {
    type: 'object',
    additionalProperties: false,
    required: ids,
    properties: Object.fromEntries(ids.map((id) => [id, wireVerdict])),
  }
}

/** The form of an answer in words, for services that know no schema. */
export function formInWords(ids: readonly string[] | null): string {
  const one = '{"evidence": "…", "reason": "…", "verdict": "PASS" or "FAIL"}'
  return ids === null ? one : `{${ids.map((id) => `${JSON.stringify(id)}: ${one}`).join(', ')}}`
}
