import { binomialRow, hypergeometricRow, suffixSums } from './distributions.ts'
import { largestOverRates } from './largest-over-rates.ts'

/** One moment at which head may be judged: after `n` counted trials, with this share of the error budget (shares add up to 1). */
export interface Look {
  readonly n: number
  readonly share: number
}

/** Above this many trials on both sides the conditional test is hardly conservative, and the exact search would cost too much. */
const EXACT_UP_TO = 400
/** Outcomes rarer than this are counted as alarms without a closer look: the error stays on the safe side. */
const NEGLIGIBLE = 1e-10

/**
 * Exact one-sided test of head against a baseline of `base_n` trials that may be looked at several times.
 *
 * Statistic: the smallest of (Fisher's p-value at a look ÷ the look's share). P-value: the largest probability, over every failure rate that
 * both sides could share, that a head which is like the baseline shows so small a statistic at *any* look — Boschloo's (1970) unconditional
 * construction, carried over to several looks. Looks that a run never takes only make it more careful, so any stopping rule is allowed.
 */
export class StagedTest {
  readonly #baseN: number
  readonly #looks: readonly Look[]
  readonly #exact: boolean
  readonly #known = new Map<number, number>()
  /** Fisher's p-values of one look and one total of failures, by head's failures. */
  readonly #tails = new Map<number, Float64Array>()

  constructor(baseN: number, looks: readonly Look[]) {
    this.#baseN = baseN
    this.#looks = looks
    this.#exact = baseN + (looks.at(-1)?.n ?? 0) <= EXACT_UP_TO
  }

  /** Smallest weighted p-value over the looks taken; `failures[j]` are head's failures within the first `looks[j].n` trials. */
  statistic(baseFailures: number, failures: readonly number[]): number {
    return failures.reduce((best, failed, look) => Math.min(best, this.#weighted(baseFailures, look, failed)), Infinity)
  }

  /** Exact p-value of a statistic, 0..1; rises with the statistic. From 0.5 up the statistic itself, which is never smaller, will do. */
  pValue(statistic: number): number {
    if (statistic >= 0.5 || !this.#exact) return Math.min(1, statistic)
    const known = this.#known.get(statistic)
    if (known !== undefined) return known
    const p = Math.min(1, this.#largestAlarmRate(statistic))
    this.#known.set(statistic, p)
    return p
  }

  #weighted(baseFailures: number, look: number, failed: number): number {
    const { n, share } = this.#looks[look] ?? { n: 0, share: 1 }
    if (failed > n) return Infinity
    const marked = baseFailures + failed
    const key = marked * this.#looks.length + look
    let tails = this.#tails.get(key)
    if (tails === undefined) {
      tails = suffixSums(hypergeometricRow(n, this.#baseN, marked))
      this.#tails.set(key, tails)
    }
    return Math.min(1, tails[failed] ?? 0) / share
  }

  /** Per look, the fewest failures that bring the statistic down to `statistic`; n + 1 when none do. */
  #boundaries(baseFailures: number, statistic: number): number[] {
    // A hair of slack: equal statistics may differ in the last bit by the road they were computed.
    const limit = statistic * (1 + 1e-12)
    return this.#looks.map(({ n }, look) => {
      let low = 0
      let high = n + 1
      while (low < high) {
        const middle = (low + high) >> 1
        if (this.#weighted(baseFailures, look, middle) <= limit) high = middle
        else low = middle + 1
      }
      return low
    })
  }

  #largestAlarmRate(statistic: number): number {
    const groups = this.#groupedBoundaries(statistic)
    return largestOverRates((q) => this.#sharedAlarmRate(groups, q))
  }

  /** Baseline outcomes that share boundaries are walked through once; those that no head can cross are left out. */
  #groupedBoundaries(statistic: number): readonly BoundaryGroup[] {
    const groups = new Map<string, BoundaryGroup>()
    for (let failures = 0; failures <= this.#baseN; failures += 1) {
      const boundaries = this.#boundaries(failures, statistic)
      if (boundaries.every((boundary, look) => boundary > (this.#looks[look]?.n ?? 0))) continue
      const key = boundaries.join(' ')
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { boundaries, outcomes: [failures] })
      else group.outcomes.push(failures)
    }
    return [...groups.values()]
  }

  #sharedAlarmRate(groups: readonly BoundaryGroup[], q: number): number {
    const base = binomialRow(this.#baseN, q)
    let total = 0
    for (const { boundaries, outcomes } of groups) {
      const mass = outcomes.reduce((sum, failures) => sum + (base[failures] ?? 0), 0)
      total += mass < NEGLIGIBLE ? mass : mass * this.#crossing(boundaries, q)
    }
    return total
  }

  /** Probability that failures at rate q reach the boundary at one of the looks. */
  #crossing(boundaries: readonly number[], q: number): number {
    let alive = new Float64Array([1])
    let taken = 0
    let crossed = 0
    for (const [look, { n }] of this.#looks.entries()) {
      const boundary = boundaries[look] ?? n + 1
      const step = binomialRow(n - taken, q)
      const next = new Float64Array(Math.min(n + 1, boundary))
      // Counted loops: this is where the time goes.
      for (let before = 0; before < alive.length; before += 1) {
        const p = alive[before] ?? 0
        if (p < NEGLIGIBLE) {
          crossed += p
          continue
        }
        for (let more = 0; more < step.length; more += 1) {
          const mass = p * (step[more] ?? 0)
          if (before + more >= boundary) crossed += mass
          else next[before + more] = (next[before + more] ?? 0) + mass
        }
      }
      alive = next
      taken = n
    }
    return crossed
  }
}

/** Baseline outcomes with the same boundaries. */
interface BoundaryGroup {
  readonly boundaries: readonly number[]
  readonly outcomes: number[]
}
