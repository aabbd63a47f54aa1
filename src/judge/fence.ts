/** Letters of the mark that fences carry. */
const MARK_LENGTH = 12

/**
 * A mark that none of the texts contains, taken from their own hash: a text cannot know it, and the same texts always get the same.
 * @param digest hex digest of a text
 */
export function fenceMark(texts: readonly string[], digest: (text: string) => string): string {
  const whole = JSON.stringify(texts)
  for (let salt = 0; ; salt += 1) {
    const mark = digest(`${salt} ${whole}`).slice(0, MARK_LENGTH)
    // Marks are hex; a text that shouts it in capitals must not pass either.
    if (!texts.some((text) => text.toLowerCase().includes(mark))) return mark
  }
}

/** The text between two lines that only the prompt's author can write. */
export function fenced(text: string, mark: string): string {
  return `[data ${mark}]\n${text}\n[/data ${mark}]`
}

/** Bytes that `fenced` adds. */
export const FENCE_BYTES = fenced('', '0'.repeat(MARK_LENGTH)).length
