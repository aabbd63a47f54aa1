import type { Control, Material } from './material.ts'

/** What a heuristic finds: the verdict, why, and the line of the material that it points at. */
export interface Finding {
  readonly pass: boolean
  readonly reason: string
  /** A line of the material; undefined = nothing better than the user's prompt. */
  readonly quote: string | undefined
}

export type Heuristic = (material: Material) => Finding

export interface Demand {
  readonly met: boolean
  readonly what: string
  readonly quote?: string | undefined
}

/** PASS when every demand is met; else FAIL for the first that is not. */
export function all(...demands: readonly Demand[]): Finding {
  const missing = demands.find(({ met }) => !met)
  const told = missing ?? demands.findLast(({ quote }) => quote !== undefined) ?? demands[0]
  const reason = missing === undefined ? `Seen: ${demands.map(({ what }) => what).join('; ')}.` : `Not so: ${missing.what}.`
  return { pass: missing === undefined, reason, quote: told?.quote ?? demands.find(({ quote }) => quote !== undefined)?.quote }
}

export const rendered = (material: Material): Demand => ({ met: material.source !== null, what: 'an app was shown to the user' })

/** All text that was ever on a screen. */
export function everShown({ screens }: Material): string[] {
  return [...new Set(screens.flatMap(({ lines }) => lines))]
}

export function shownLine(material: Material, pattern: RegExp): string | undefined {
  return everShown(material).find((line) => pattern.test(line))
}

export function firstControls({ screens }: Material): readonly Control[] {
  return screens[0]?.controls ?? []
}

/** Every control that could be used on some screen, once. */
export function everUsable({ screens }: Material): Control[] {
  const seen = new Map(screens.flatMap(({ controls }) => controls).map((control) => [`${control.kind} ${control.name}`, control]))
  return [...seen.values()]
}

/** Numbers of a text; a percentage as a share, thousands separators and the true minus sign understood. */
export function numbersIn(text: string): number[] {
  const found = text.replaceAll('−', '-').matchAll(/(?<![\w.])-?\d[\d,]*(?:\.\d+)?(\s?%)?/g)
  return [...found].map(([whole, percent]) => Number.parseFloat(whole.replaceAll(',', '')) / (percent === undefined ? 1 : 100))
}

/** Whether one of the numbers is the value, as it would be rounded for a reader. */
export function isAmong(value: number, numbers: readonly number[]): boolean {
  return numbers.some((number) => Math.abs(number - value) <= Math.max(0.0051 * Math.abs(value), 0.00051))
}

/** Lines of the notes that the tools gave, with at least four words. */
export function noteSentences({ toolAnswers }: Material): string[] {
  return toolAnswers.split(/(?<=[.!?;:])\s+|\n/).filter((sentence) => sentence.split(/\s+/).length >= 4)
}

/** Share of the words of more than three letters that stand in the other text too. */
export function overlap(sentence: string, text: string): number {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []
  const others = new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu))
  return words.length === 0 ? 0 : words.filter((word) => others.has(word)).length / words.length
}
