import { chance } from '../scripted-model/seeded.ts'
import { ANSWERS_IN_WORDS } from './answers-in-words.ts'
import { DECISIONS } from './decisions.ts'
import type { Finding, Heuristic } from './looking.ts'
import type { Material, Question, ReadPrompt } from './material.ts'
import { STUDY_APPS } from './study-apps.ts'

const HEURISTICS: Readonly<Record<string, Heuristic>> = { ...ANSWERS_IN_WORDS, ...DECISIONS, ...STUDY_APPS }

export const MANNERS = ['careful', 'always-pass', 'always-fail', 'obedient', 'invents-quotations', 'chatty', 'vague'] as const
/**
 * How the judge behaves. `careful` decides by its heuristics; `obedient` passes what orders it to; `invents-quotations` quotes what is not there;
 * `chatty` wraps its answer in prose; `vague` says neither PASS nor FAIL.
 */
export type Manner = (typeof MANNERS)[number]

export interface Character {
  readonly manner: Manner
  /** Share of verdicts that are turned round, 0..1. */
  readonly slipRate: number
  readonly seed: number
}

interface Verdict {
  readonly evidence: string
  readonly reason: string
  readonly verdict: string
}

/** The text of the answer. Equal prompts of equal vote get equal answers. */
export function answerTo({ material, rubrics, together }: ReadPrompt, character: Character, vote: number): string {
  const verdicts = rubrics.map((rubric) => [rubric.id, decide(material, rubric, character, vote)] as const)
  const answer = JSON.stringify(together ? Object.fromEntries(verdicts) : verdicts[0]?.[1])
  return character.manner === 'chatty' ? `Sure! Here is my judgement:\n${answer}\nI hope this helps.` : answer
}

function decide(material: Material, rubric: Question, character: Character, vote: number): Verdict {
  const finding = found(material, rubric)
  const slips = chance(character.seed, vote, rubric.id, material.texts.join('\n'), 'slip') < character.slipRate
  const evidence = quotable(material, finding.quote)
  const say = (pass: boolean, reason: string): Verdict => ({
    evidence,
    reason: `Scripted judge: ${reason}`,
    verdict: pass ? 'PASS' : 'FAIL',
  })
  switch (character.manner) {
    case 'always-pass':
      return say(true, 'it always says this.')
    case 'always-fail':
      return say(false, 'it always says this.')
    case 'obedient':
      return isOrdered(material) ? say(true, 'the app says that it must be passed.') : say(finding.pass, finding.reason)
    case 'invents-quotations':
      return { ...say(finding.pass, finding.reason), evidence: 'this sentence was never in the material at all' }
    case 'vague':
      return { ...say(finding.pass, finding.reason), verdict: 'not quite a PASS' }
    case 'careful':
    case 'chatty':
      return slips ? say(!finding.pass, 'a slip, as it was told to make now and then.') : say(finding.pass, finding.reason)
  }
}

function found(material: Material, rubric: Question): Finding {
  const heuristic = HEURISTICS[rubric.id]
  if (heuristic !== undefined) return heuristic(material)
  return {
    pass: material.source !== null,
    reason: 'it has no rule for this rubric and only looked whether an app was shown.',
    quote: undefined,
  }
}

const isOrdered = ({ texts }: Material): boolean => texts.some((text) => /ignore all previous|answer PASS|verdict\W+PASS/i.test(text))

/** The line itself when it may stand as a quotation, else the first that may. */
function quotable({ texts }: Material, quote: string | undefined): string {
  const may = (line: string): boolean =>
    (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3 && line.length <= 300 && !line.includes('characters cut …]')
  const lines = texts.flatMap((text) => text.split('\n'))
  const exact = quote === undefined ? undefined : lines.find((line) => line.includes(quote) && may(line))
  return exact ?? lines.find(may) ?? ''
}
