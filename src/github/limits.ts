/** GitHub's limits (docs.github.com REST description and measured ones), each kept with some room. */
export const LIMITS = {
  /** UTF-16 units of a comment; the stated limit is 65,536. */
  comment_units: 65_000,
  /** UTF-8 bytes of a comment; the measured limit is 262,144. */
  comment_bytes: 262_000,
  /** Characters of a check run's summary and of its text. */
  check_text: 65_000,
  check_title: 255,
  annotations_per_request: 50,
  annotation_title: 255,
  /** Bytes of an annotation's message and raw_details; the limit is 64 KB. */
  annotation_bytes: 64_000,
  /** Bytes of one step's summary; above 1 MiB the runner drops it whole. */
  step_summary_bytes: 1_048_576 - 1_024,
  status_description: 140,
} as const

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

/** The text, or its beginning with an ellipsis, in at most `bytes` UTF-8 bytes; never cut inside a character. */
export function cutToBytes(text: string, bytes: number): string {
  if (utf8Bytes(text) <= bytes) return text
  let used = 3
  let kept = ''
  for (const character of text) {
    used += utf8Bytes(character)
    if (used > bytes) break
    kept += character
  }
  return `${kept}…`
}

/** The text, or its beginning with an ellipsis, in at most `units` UTF-16 units; never cut inside a surrogate pair. */
export function cutToUnits(text: string, units: number): string {
  if (text.length <= units) return text
  const end = units - 1
  const last = text.charCodeAt(end - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`
}

/** True when GitHub takes the text as a comment. */
export function fitsComment(text: string): boolean {
  return text.length <= LIMITS.comment_units && utf8Bytes(text) <= LIMITS.comment_bytes
}
