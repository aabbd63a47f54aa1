/** Characters that hide, reorder or forge text are made visible before any target sees them. */

/** CSI, OSC (title, hyperlink), DCS and two-byte escapes, with 7-bit and 8-bit introducers. */
const ANSI =
  // eslint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u0090\u0098\u009C-\u009F]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g

const LINE_BREAK = /\r\n|[\n\r\u0085\u2028\u2029\v\f]/g

/**
 * Controls, formats (bidi, zero-width, tags, soft hyphen), fillers that look empty, private use, noncharacters.
 * Tab and line feed are text.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFFC]/gu

const PICTURE_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
const EMOJI_BASE = /[\p{Emoji}]$/u

/** More than this many combining marks on one letter is a drawing over the neighbours. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu

function spellOut(character: string, offset: number, whole: string): string {
  if (character === '\n' || character === '\t') return character
  const around = 4
  const before = whole.slice(Math.max(0, offset - around), offset)
  const after = whole.slice(offset + character.length, offset + character.length + around)
  // Family emoji and coloured hearts are spelled with a joiner and a variation selector: these carry no risk inside a picture.
  if (character === '\u200D' && PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after)) return character
  if (character === '\uFE0F' && EMOJI_BASE.test(before)) return character
  const code = character.codePointAt(0) ?? 0
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/**
 * The text as a reader must see it: terminal colours removed, every kind of line break a `\n`, what is invisible spelled
 * out as `⟨U+202E⟩`, lone surrogates replaced. Applying it twice changes nothing more.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(ANSI, '').replace(LINE_BREAK, '\n').replace(UNSEEN, spellOut).replace(STACKED_MARKS, '$1')
}

/** `visibleText` in one line: runs of white space become one space, ends trimmed. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/gu, ' ').trim()
}

/** At most `most` UTF-16 units, never half a character; says with `…` that something was cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  let end = Math.max(0, most - 1)
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end -= 1
  return `${text
    .slice(0, end)
    .replace(/(?:\u200D|\uFE0F)+$/u, '')
    .trimEnd()}…`
}

const encoder = new TextEncoder()

/** Length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return encoder.encode(text).length
}

/** Like `cutText`, measured in UTF-8 bytes. */
export function cutBytes(text: string, most: number): string {
  if (byteLength(text) <= most) return text
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (byteLength(cutText(text, middle)) <= most) low = middle
    else high = middle - 1
  }
  return cutText(text, low)
}
