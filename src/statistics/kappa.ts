import type { Interval } from '../model/verdict.ts'
import { passRateInterval } from './estimates.ts'

/** How two raters sorted the same things into two classes. Rows: the first rater; columns: the second. */
export interface TwoByTwo {
  readonly both_pass: number
  /** First PASS, second FAIL. */
  readonly pass_fail: number
  /** First FAIL, second PASS. */
  readonly fail_pass: number
  readonly both_fail: number
}

export interface Kappa {
  /** Share of things on which both agree, 0..1; null when there are none. */
  readonly agreement: number | null
  /** -1..1; null when it is not defined: nothing was rated, or both raters gave everything the same class. */
  readonly kappa: number | null
  /** 95 %; null when kappa is not defined. */
  readonly interval: Interval | null
}

/** 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054

/**
 * Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales"): agreement beyond what the two raters' own rates of PASS would
 * bring about by chance. Interval: large-sample standard error of Fleiss, Cohen & Everitt (1969, "Large sample standard errors of kappa and
 * weighted kappa", eq. 13). That error is 0 when the raters never disagree, however few things were rated; then the exact (Clopper–Pearson)
 * limits of the agreement stand in, carried over to kappa at the observed chance agreement.
 */
export function cohenKappa(table: TwoByTwo): Kappa {
  const n = table.both_pass + table.pass_fail + table.fail_pass + table.both_fail
  if (n === 0) return { agreement: null, kappa: null, interval: null }
  const [a, b, c, d] = [table.both_pass / n, table.pass_fail / n, table.fail_pass / n, table.both_fail / n]
  const first = a + b
  const second = a + c
  const observed = a + d
  const chance = first * second + (1 - first) * (1 - second)
  const agreed = table.both_pass + table.both_fail
  // Counts decide whether it is defined: with rates, rounding would.
  if (table.both_pass === n || table.both_fail === n) return { agreement: observed, kappa: null, interval: null }
  const toKappa = (share: number): number => (share - chance) / (1 - chance)
  const kappa = toKappa(observed)
  const own = (share: number, margins: number): number => share * (1 - chance - margins * (1 - observed)) ** 2
  const crossed = (share: number, margins: number): number => share * margins ** 2
  const sum =
    own(a, first + second) +
    own(d, 2 - first - second) +
    (1 - observed) ** 2 * (crossed(b, second + (1 - first)) + crossed(c, 1 - second + first)) -
    (observed * chance - 2 * chance + observed) ** 2
  const error = Math.sqrt(Math.max(0, sum) / n) / (1 - chance) ** 2
  if (error < 1e-12) {
    const { low, high } = passRateInterval(n, agreed)
    return { agreement: observed, kappa, interval: within({ low: toKappa(low), high: toKappa(high) }) }
  }
  return { agreement: observed, kappa, interval: within({ low: kappa - Z * error, high: kappa + Z * error }) }
}

function within({ low, high }: Interval): Interval {
  return { low: Math.max(-1, low), high: Math.min(1, high) }
}
