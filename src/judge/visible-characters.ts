/** Characters that hide, reorder or forge text are spelled out, so that the judge reads what a careful person would. */

const LINE_BREAK = /\r\n|[\r\u0085\u2028\u2029\v\f]/g
/** Controls, formats (bidi, zero-width, tags), fillers that look empty, private use, noncharacters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/**
 * The text with every kind of line break as `\n`, lone surrogates replaced, and invisible and bidi characters as `⟨U+202E⟩`.
 * Applying it twice changes nothing more.
 */
export function visibleCharacters(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_BREAK, '\n')
    .replace(UNSEEN, (character, offset: number, whole: string) => {
      if (character === '\n' || character === '\t') return character
      if (isInPicture(character, offset, whole)) return character
      return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
    })
}

/** A joiner or a variation selector inside a picture carries no risk. */
function isInPicture(character: string, offset: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, offset - 2), offset)
  if (character === '\uFE0F') return /\p{Extended_Pictographic}$/u.test(before)
  if (character !== '\u200D') return false
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(whole.slice(offset + 1, offset + 3))
  )
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visibleCharacters(text).replace(/\s+/gu, ' ').trim()
}
