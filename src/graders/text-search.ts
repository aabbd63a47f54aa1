import { normaliseText } from './normalise.ts'

/** A text that strings are looked for in; each reading is made once, when first needed. */
export interface SearchableText {
  readonly readings: () => readonly string[]
}

const GROUP_READINGS = ['kept', 'marked', 'spaced'] as const
/** Scripts written without spaces, where a word has no border to look for. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

export function searchable(text: string): SearchableText {
  let made: readonly string[] | null = null
  return {
    readings: () => {
      made ??= [...new Set(GROUP_READINGS.map((groups) => normaliseText(text, groups)))]
      return made
    },
  }
}

/**
 * Whether `wanted` stands in the text, both normalised, as words and numbers of its own:
 * `1.89` is not in `11.89` or `1.895`, `RGB` not in `orgb`. A word may go on (`Temp` in `Temperature`), an acronym may not (`CAP` in `capture`).
 * An empty string is in every text.
 */
export function containsText(text: SearchableText, wanted: string): boolean {
  const acronym = /^[\p{Lu}\d]{2,5}$/u.test(wanted.trim()) && /\p{Lu}/u.test(wanted)
  const needles = [...new Set(GROUP_READINGS.map((groups) => normaliseText(wanted, groups)))]
  return text.readings().some((reading) => needles.some((needle) => standsIn(reading, needle, acronym)))
}

function standsIn(text: string, needle: string, acronym: boolean): boolean {
  if (needle === '') return true
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at)
    const after = text.slice(at + needle.length, at + needle.length + 5)
    if (startsClean(needle, before, after) && endsClean(needle, after, acronym)) return true
  }
  return false
}

function startsClean(needle: string, before: string, after: string): boolean {
  if (/^\d/u.test(needle)) {
    if (/(?:\d|\.)$/u.test(before)) return false
    if (/\d,$/u.test(before) && /^\d{3}(?!\d)/u.test(needle)) return false // the end of 4,812
    // Letters on both sides: a hash or an identifier, no number that anybody reads.
    return !(/\p{L}$/u.test(before) && /^\p{L}/u.test(after))
  }
  if (/^\p{L}/u.test(needle) && !UNSPACED.test(needle.charAt(0))) return !/\p{L}$/u.test(before) || UNSPACED.test(before.slice(-1))
  return true
}

function endsClean(needle: string, after: string, acronym: boolean): boolean {
  const lastToken = /[\p{L}\p{N}]+$/u.exec(needle)?.[0] ?? ''
  if (/\d$/u.test(needle)) {
    if (/^\d/u.test(after)) return false
    if (/^,\d{3}(?!\d)/u.test(after) && /(?<!\d)\d{1,3}$/u.test(needle)) return false // the start of 4,812
    if (/^\.\d/u.test(after) && /^[\d.]+$/u.test(/[\d.]+$/u.exec(needle)?.[0] ?? '') && !/\p{L}/u.test(lastToken)) return false
    return !(/\p{L}/u.test(lastToken) && /^\p{L}/u.test(after))
  }
  if (/^\d+\p{L}+$/u.test(lastToken)) return !/^[\p{L}\p{N}]/u.test(after) // 1.4g is not in 1.4gig
  if (acronym && !UNSPACED.test(after.charAt(0))) return !/^(?!s(?![\p{L}\p{N}]))[\p{L}\p{N}]/u.test(after)
  return true
}
