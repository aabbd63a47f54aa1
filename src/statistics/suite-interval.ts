import type { Interval } from '../model/verdict.ts'
import { passAllK, passAllKInterval, passRateInterval } from './estimates.ts'
import { mean, resampledMeanInterval } from './resample.ts'

/**
 * Interval for the mean of pass^k over tasks. Resampling tasks tells the spread between them; where all estimates are equal (all passed, all
 * failed, a single task) it has no width, which would claim certainty. Then: the exact interval of the mean pass rate over all trials, its
 * low end raised to k. This holds however the tasks differ: with as many trials for each, p̄'s binomial bound is conservative
 * (Hoeffding 1956), and p̄^k ≤ mean of p^k ≤ p̄. Null when no task has k counted trials.
 */
export function meanPassAllKInterval(arms: readonly { readonly n: number; readonly c: number }[], k: number): Interval | null {
  const measured = arms.filter(({ n }) => n >= k)
  const resampled = resampledMeanInterval(measured.map(({ n, c }) => passAllK(n, c, k) ?? 0))
  const [first] = measured
  if (resampled === null || first === undefined || resampled.high > resampled.low) return resampled
  if (measured.length === 1) return passAllKInterval(first.n, first.c, k)
  // unequal numbers of trials: as if every task had the fewest, which can only widen the interval
  const fewest = Math.min(...measured.map(({ n }) => n))
  const rate = mean(measured.map(({ n, c }) => c / n)) ?? 0
  const trials = fewest * measured.length
  const { low, high } = passRateInterval(trials, Math.round(rate * trials))
  // few trials a task can put the unbiased estimate below: the interval is widened to hold it
  return { low: Math.min(low ** k, resampled.low), high: Math.max(high, resampled.high) }
}
