import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { Interval } from '../model/verdict.ts'

/** Draws a suite interval rests on. */
const RESAMPLES = 2000

/** Arithmetic mean; null of nothing. Sorted first, so that the last bit does not depend on the order of tasks. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null
  return [...values].sort((a, b) => a - b).reduce((sum, value) => sum + value, 0) / values.length
}

/** Middle value, or the mean of the two middle ones; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.ceil((sorted.length - 1) / 2)]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/**
 * Percentile bootstrap interval for the mean of per-task figures, resampling tasks (Efron 1979): the spread one would see had other tasks of
 * the same kind been chosen. Seeded and independent of the tasks' order, so the same counts always give the same interval.
 */
export function resampledMeanInterval(values: readonly number[], confidence = 0.95, seed = 1): Interval | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const draws = Math.max(400, Math.min(RESAMPLES, Math.ceil(400_000 / sorted.length)))
  const generator = xoroshiro128plus(seed)
  const means = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0
    for (let i = 0; i < sorted.length; i += 1) sum += sorted[uniformInt(generator, 0, sorted.length - 1)] ?? 0
    means[draw] = sum / sorted.length
  }
  means.sort()
  const tail = (1 - confidence) / 2
  return { low: means[Math.floor(tail * (draws - 1))] ?? 0, high: means[Math.ceil((1 - tail) * (draws - 1))] ?? 1 }
}
