import erfc from '@stdlib/math-base-special-erfc'
import { hypergeometricRow } from './distributions.ts'

/** Trials of one task on both sides, counted by failures. */
export interface Stratum {
  readonly base_n: number
  readonly base_failures: number
  readonly head_n: number
  readonly head_failures: number
}

/**
 * Fisher's exact test, one-sided: how likely head, were it like the baseline, fails this often or more, given how often both failed
 * together. Valid (never too small) whatever the common failure rate; conservative for small counts.
 */
export function moreFailuresP(stratum: Stratum): number {
  return stratifiedMoreFailuresP([stratum])
}

/**
 * The same over several tasks at once: P(total head failures ≥ seen), given each task's own total. This is the exact conditional test of
 * a common odds ratio (Birch 1964; Cox 1958): the distribution is the convolution of one hypergeometric a task, so tasks of different
 * difficulty never stand in for one another. Order of strata does not matter, down to the last bit.
 */
export function stratifiedMoreFailuresP(strata: readonly Stratum[]): number {
  const seen = strata.reduce((sum, stratum) => sum + stratum.head_failures, 0)
  if (seen === 0) return 1
  if (multiplications(strata, seen) > EXACT_UP_TO) return normalTail(strata, seen)
  // below[x] = P(sum = x) for x < seen; everything at or above `seen` stays there, so it is only ever added up: no cancellation.
  let below = new Float64Array([1])
  let reached = 0
  for (const { base_n: rest, base_failures: before, head_n: drawn, head_failures: now } of [...strata].sort(bySize)) {
    const marked = before + now
    if (marked === 0 || drawn === 0) continue
    const row = hypergeometricRow(drawn, rest, marked)
    const next = new Float64Array(Math.min(seen, below.length + row.length - 1))
    for (let sum = 0; sum < below.length; sum += 1) {
      const p = below[sum] ?? 0
      if (p === 0) continue
      for (let x = 0; x < row.length; x += 1) {
        const mass = p * (row[x] ?? 0)
        if (sum + x >= seen) reached += mass
        else next[sum + x] = (next[sum + x] ?? 0) + mass
      }
    }
    below = next
  }
  return Math.min(1, reached)
}

/** Beyond this many multiplications (hundreds of thousands of trials) the normal limit takes over from the exact convolution. */
const EXACT_UP_TO = 1e9

function multiplications(strata: readonly Stratum[], seen: number): number {
  let reach = 1
  let work = 0
  for (const { base_failures: before, head_n: drawn, head_failures: now } of strata) {
    const width = Math.min(drawn, before + now) + 1
    work += reach * width
    reach = Math.min(seen, reach + width)
  }
  return work
}

/** The same probability by the central limit theorem with continuity correction; each stratum adds its hypergeometric mean and variance. */
function normalTail(strata: readonly Stratum[], seen: number): number {
  let mean = 0
  let variance = 0
  for (const { base_n: rest, base_failures: before, head_n: drawn, head_failures: now } of strata) {
    const all = rest + drawn
    const rate = (before + now) / all
    mean += drawn * rate
    variance += (drawn * rate * (1 - rate) * rest) / Math.max(1, all - 1)
  }
  return variance === 0 ? 1 : erfc((seen - 0.5 - mean) / Math.sqrt(2 * variance)) / 2
}

function bySize(a: Stratum, b: Stratum): number {
  return a.base_n - b.base_n || a.head_n - b.head_n || a.base_failures - b.base_failures || a.head_failures - b.head_failures
}
