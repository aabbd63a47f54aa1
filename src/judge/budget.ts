/**
 * The stated rule by which a prompt is sized: a token is four bytes of UTF-8, a screenshot `IMAGE_TOKENS`. Every piece has a weight;
 * each gets what it needs up to its share of the room, and what one leaves over goes to the others by their weights, until nothing is left.
 * A piece that gets less than it needs is cut in the middle, visibly.
 */

export const BYTES_PER_TOKEN = 4
/** Estimated tokens of one screenshot. */
export const IMAGE_TOKENS = 1200

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Length in UTF-8 bytes. */
export function byteLength(text: string): number {
  return encoder.encode(text).length
}

/** Shares `available` out over needs by weights; the shares are whole numbers that do not pass the needs. */
export function shareOut(needs: readonly number[], weights: readonly number[], available: number): number[] {
  const shares = needs.map(() => 0)
  let left = Math.max(0, available)
  let open = needs.map((_, index) => index)
  while (open.length > 0) {
    const weight = open.reduce((sum, index) => sum + (weights[index] ?? 0), 0)
    const shareOf = (index: number): number => Math.floor((left * (weights[index] ?? 0)) / weight)
    const sated = open.filter((index) => (needs[index] ?? 0) <= shareOf(index))
    if (sated.length === 0) {
      for (const index of open) shares[index] = shareOf(index)
      break
    }
    for (const index of sated) {
      shares[index] = needs[index] ?? 0
    }
    left -= sated.reduce((sum, index) => sum + (needs[index] ?? 0), 0)
    open = open.filter((index) => !sated.includes(index))
  }
  return shares
}

/** A text as it is sent: whole, or its beginning and end with a mark between them. */
export interface FittedText {
  readonly text: string
  /** The text's own passages, without the mark. */
  readonly pieces: readonly string[]
  /** Characters left out. */
  readonly cut: number
}

/** Room for `[… 123456789 characters cut …]` and its line breaks, bytes. */
const MARK_BYTES = 48

/** At most `bytes` of UTF-8 (but the mark always stands), cut in the middle between characters. */
export function fitText(text: string, bytes: number): FittedText {
  const encoded = encoder.encode(text)
  if (encoded.length <= bytes) return { text, pieces: [text], cut: 0 }
  const half = Math.max(0, Math.floor((bytes - MARK_BYTES) / 2))
  let headEnd = half
  while (headEnd > 0 && isInsideCharacter(encoded[headEnd])) headEnd -= 1
  let tailStart = encoded.length - half
  while (tailStart < encoded.length && isInsideCharacter(encoded[tailStart])) tailStart += 1
  const head = decoder.decode(encoded.subarray(0, headEnd))
  const tail = decoder.decode(encoded.subarray(tailStart))
  const cut = text.length - head.length - tail.length
  return { text: `${head}\n[… ${cut} characters cut …]\n${tail}`, pieces: [head, tail], cut }
}

/** Continuation bytes of UTF-8. */
const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
