/** A number in 0..1 that depends on nothing but the given words: the same request gets the same answer. */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 2166136261
  for (const character of words.join('\u0000')) {
    hash ^= character.codePointAt(0) ?? 0
    hash = Math.imul(hash, 16777619)
  }
  // Final mixing (murmur3), so that seeds 1, 2, 3 … give unrelated numbers.
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  hash ^= hash >>> 16
  return (hash >>> 0) / 2 ** 32
}

/** One of the items, chosen by {@link chance}. Undefined when there is none. */
export function pick<T>(items: readonly T[], ...words: readonly (string | number)[]): T | undefined {
  return items[Math.floor(chance(...words) * items.length)]
}
