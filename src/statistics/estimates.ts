import quantile from '@stdlib/stats-base-dists-beta-quantile'
import type { Interval } from '../model/verdict.ts'

/**
 * Probability that at least one of k trials passes, estimated without bias from c passes in n trials:
 * 1 − C(n−c,k)/C(n,k) (Chen et al. 2021, "Evaluating Large Language Models Trained on Code").
 * Null when n < k: no unbiased estimate exists.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  return n < k ? null : 1 - chosenAllFrom(n, n - c, k)
}

/**
 * Probability that k trials all pass, estimated without bias from c passes in n trials:
 * C(c,k)/C(n,k) (Yao et al. 2024, "τ-bench"). Null when n < k.
 */
export function passAllK(n: number, c: number, k: number): number | null {
  return n < k ? null : chosenAllFrom(n, c, k)
}

/** C(marked,k)/C(n,k) as a product, so that nothing overflows. */
function chosenAllFrom(n: number, marked: number, k: number): number {
  if (marked < k) return 0
  let share = 1
  for (let i = 0; i < k; i += 1) share *= (marked - i) / (n - i)
  return share
}

/**
 * Exact (Clopper–Pearson 1934) interval for a pass rate; covers at least `confidence` whatever the true rate.
 * With n = 0 nothing is known: 0..1.
 */
export function passRateInterval(n: number, c: number, confidence = 0.95): Interval {
  const key = `${n} ${c} ${confidence}`
  const known = intervals.get(key)
  if (known !== undefined) return known
  const tail = (1 - confidence) / 2
  const interval = {
    low: c === 0 ? 0 : quantile(tail, c, n - c + 1),
    high: c === n ? 1 : quantile(1 - tail, c + 1, n - c),
  }
  if (intervals.size >= KEPT_INTERVALS) intervals.clear()
  intervals.set(key, interval)
  return interval
}

const intervals = new Map<string, Interval>()
const KEPT_INTERVALS = 10_000

/**
 * Interval for pass^k = p^k: the exact interval of p, both ends raised to k. p^k rises with p, so coverage carries over.
 * The unbiased estimate of pass^k is held inside only when c ≥ k or the low end is 0; both are shown as they are.
 */
export function passAllKInterval(n: number, c: number, k: number, confidence = 0.95): Interval {
  const { low, high } = passRateInterval(n, c, confidence)
  return { low: low ** k, high: high ** k }
}
