import { binomialRow, hypergeometricRow, suffixSums } from './distributions.ts'
import { largestOverRates } from './largest-over-rates.ts'

/** One moment at which two builds of the same run may be compared: counted trials of each, and the look's share of the error budget. */
export interface PairedLook {
  readonly base_n: number
  readonly head_n: number
  readonly share: number
}

/** Above this many trials on both sides the statistic itself, which is never too small a p-value, takes the place of the exact search. */
const EXACT_UP_TO = 240
/** States rarer than this are counted as alarms without a closer look: the error stays on the safe side. */
const NEGLIGIBLE = 1e-11

/**
 * Exact one-sided test of head against a base build that grows with it, looked at several times.
 *
 * Statistic: the smallest of (Fisher's p-value of the trials so far ÷ the look's share). P-value: the largest probability, over every failure
 * rate that both builds could share, that the statistic is so small at *any* look. It is the construction of `StagedTest` with both sides
 * random walks. Looks never taken only make it more careful, so any rule for stopping, or for choosing tasks, is allowed.
 */
export class PairedTest {
  readonly #looks: readonly PairedLook[]
  readonly #exact: boolean
  readonly #known = new Map<number, number>()
  readonly #tails = new Map<number, Float64Array>()

  constructor(looks: readonly PairedLook[]) {
    this.#looks = looks
    const last = looks.at(-1) ?? { base_n: 0, head_n: 0 }
    this.#exact = last.base_n + last.head_n <= EXACT_UP_TO
  }

  /** Smallest weighted p-value over the looks taken; entry j counts failures up to look j. */
  statistic(baseFailures: readonly number[], headFailures: readonly number[]): number {
    return headFailures.reduce(
      (best, failed, look) => Math.min(best, this.fisher(look, baseFailures[look] ?? 0, failed) / this.#share(look)),
      Infinity,
    )
  }

  /** Fisher's p-value of one look by itself. */
  fisher(look: number, baseFailures: number, headFailures: number): number {
    const { base_n: baseN, head_n: headN } = this.#looks[look] ?? { base_n: 0, head_n: 0 }
    const marked = baseFailures + headFailures
    const key = marked * this.#looks.length + look
    let tails = this.#tails.get(key)
    if (tails === undefined) {
      tails = suffixSums(hypergeometricRow(headN, baseN, marked))
      this.#tails.set(key, tails)
    }
    return Math.min(1, tails[headFailures] ?? 0)
  }

  /** Exact p-value of a statistic, 0..1; rises with the statistic. */
  pValue(statistic: number): number {
    if (statistic >= 0.5 || !this.#exact) return Math.min(1, statistic)
    const known = this.#known.get(statistic)
    if (known !== undefined) return known
    const boundaries = this.#boundaries(statistic)
    const p = Math.min(
      1,
      largestOverRates((q) => this.#crossing(boundaries, q)),
    )
    this.#known.set(statistic, p)
    return p
  }

  /** Probability that the looks in turn end with `red`, when the builds fail at rates `baseRate` and `headRate` and `goesOn` steers. */
  detection(statistic: number, baseRate: number, headRate: number, goesOn: (look: number, fisher: number) => boolean): number {
    const boundaries = this.#boundaries(statistic)
    return this.#walk(boundaries, baseRate, headRate, (look, base, head) => goesOn(look, this.fisher(look, base, head)))
  }

  /** The largest statistic whose p-value is at most `level`; 0 when there is none. */
  critical(level: number): number {
    const values = new Set<number>()
    for (const [look, { base_n: baseN, head_n: headN, share }] of this.#looks.entries()) {
      for (let base = 0; base <= baseN; base += 1) {
        for (let head = 0; head <= headN; head += 1) {
          const statistic = this.fisher(look, base, head) / share
          if (statistic <= 0.5) values.add(statistic)
        }
      }
    }
    const sorted = [...values].sort((a, b) => a - b)
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.pValue(sorted[middle] ?? 1) > level) high = middle
      else low = middle + 1
    }
    return sorted[low - 1] ?? 0
  }

  #share(look: number): number {
    return this.#looks[look]?.share ?? 1
  }

  /** Per look and number of base failures, the fewest head failures that bring the statistic down to `statistic`. */
  #boundaries(statistic: number): readonly Int32Array[] {
    // A hair of slack: equal statistics may differ in the last bit by the road they were computed.
    const limit = statistic * (1 + 1e-12)
    return this.#looks.map(({ base_n: baseN, head_n: headN, share }, look) => {
      const fewest = new Int32Array(baseN + 1)
      // More base failures never make fewer head failures suspicious, so the search goes on where it stood.
      let head = 0
      for (let base = 0; base <= baseN; base += 1) {
        while (head <= headN && this.fisher(look, base, head) / share > limit) head += 1
        fewest[base] = head
      }
      return fewest
    })
  }

  #crossing(boundaries: readonly Int32Array[], q: number): number {
    return this.#walk(boundaries, q, q, null)
  }

  /** Walks both builds from look to look; what reaches a boundary counts, what does not go on is dropped. */
  #walk(
    boundaries: readonly Int32Array[],
    baseRate: number,
    headRate: number,
    goesOn: ((look: number, base: number, head: number) => boolean) | null,
  ): number {
    let alive = new Float64Array([1])
    let baseTaken = 0
    let headTaken = 0
    let crossed = 0
    for (const [look, { base_n: baseN, head_n: headN }] of this.#looks.entries()) {
      const fewest = boundaries[look] ?? new Int32Array(0)
      const wide = headTaken + 1
      const grown = spread(alive, baseTaken, baseN, wide, binomialRow(baseN - baseTaken, baseRate))
      const step = binomialRow(headN - headTaken, headRate)
      const next = new Float64Array((baseN + 1) * (headN + 1))
      // Counted loops: this is where the time goes.
      for (let base = 0; base <= baseN; base += 1) {
        const boundary = fewest[base] ?? headN + 1
        for (let before = 0; before < wide; before += 1) {
          const p = grown[base * wide + before] ?? 0
          if (p === 0) continue
          if (p < NEGLIGIBLE && goesOn === null) {
            crossed += p
            continue
          }
          for (let more = 0; more < step.length; more += 1) {
            const mass = p * (step[more] ?? 0)
            if (before + more >= boundary) crossed += mass
            else next[base * (headN + 1) + before + more] = (next[base * (headN + 1) + before + more] ?? 0) + mass
          }
        }
      }
      if (goesOn !== null) dropStopped(next, headN + 1, (base, head) => goesOn(look, base, head))
      alive = next
      baseTaken = baseN
      headTaken = headN
    }
    return crossed
  }
}

/** Adds the base build's new failures: rows are base failures, columns (`wide` of them) head failures. */
function spread(alive: Float64Array, taken: number, baseN: number, wide: number, step: Float64Array): Float64Array {
  const grown = new Float64Array((baseN + 1) * wide)
  for (let before = 0; before <= taken; before += 1) {
    for (let head = 0; head < wide; head += 1) {
      const p = alive[before * wide + head] ?? 0
      if (p === 0) continue
      for (let more = 0; more < step.length; more += 1) {
        const at = (before + more) * wide + head
        grown[at] = (grown[at] ?? 0) + p * (step[more] ?? 0)
      }
    }
  }
  return grown
}

function dropStopped(states: Float64Array, wide: number, goesOn: (base: number, head: number) => boolean): void {
  for (const [at, p] of states.entries()) {
    if (p !== 0 && !goesOn(Math.floor(at / wide), at % wide)) states[at] = 0
  }
}
