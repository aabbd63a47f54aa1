/** A number as a page writes it. */
export interface ShownNumber {
  readonly value: number
  /** Digits after the point. */
  readonly decimals: number
}

const NUMBER = /(?<![\p{L}\d.,])[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:e[-+]?\d+)?(?!\d)/gu
/** Numbers of one text that are read; a page that shows more is none to do sums on. */
const READ_LIMIT = 5000

/** Numbers in a text, in order. Digits inside names (`w1`, `A100`) are none. */
export function shownNumbers(text: string): ShownNumber[] {
  const found: ShownNumber[] = []
  for (const match of text.matchAll(NUMBER)) {
    if (found.length >= READ_LIMIT) break
    const plain = match[0]
      .replace('−', '-')
      .replace(/,(?=\d{3}(?:[,.e]|$))/gu, '')
      .replace(',', '.')
    const value = Number(plain)
    if (Number.isFinite(value)) found.push({ value, decimals: /\.(\d+)/u.exec(plain)?.[1]?.length ?? 0 })
  }
  return found
}

/**
 * Whether the number is `value` rounded to the digits that it shows; for shares (−1..1) also as a percentage: 0.729, 72.9 and 73 all show 0.729.
 * A number without digits after the point shows no value under 1 but an exact one: "0" says nothing about 0.168.
 */
export function showsValue(shown: ShownNumber, value: number): boolean {
  return rounds(shown, value) || (Math.abs(value) <= 1 && rounds(shown, value * 100))
}

function rounds({ value: shown, decimals }: ShownNumber, value: number): boolean {
  const exact = Math.abs(shown - value) <= 1e-9 * Math.max(1, Math.abs(value))
  const half = 0.5 * 10 ** -decimals
  return exact || ((decimals > 0 || Math.abs(value) >= 1) && Math.abs(shown - value) <= half + 1e-9 * Math.max(1, Math.abs(value)))
}

/** How many numbers of `after` are not in `before`, `apart` left out; a number that stands twice counts twice. */
export function changedNumbers(before: readonly ShownNumber[], after: readonly ShownNumber[], apart: number): number {
  const left = new Map<number, number>()
  for (const { value } of before) left.set(value, (left.get(value) ?? 0) + 1)
  let changed = 0
  for (const { value } of after) {
    const there = left.get(value) ?? 0
    if (there > 0) left.set(value, there - 1)
    else if (value !== apart) changed += 1
  }
  return changed
}
