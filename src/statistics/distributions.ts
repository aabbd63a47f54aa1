import binomial from '@stdlib/stats-base-dists-binomial'
import hypergeometric from '@stdlib/stats-base-dists-hypergeometric'

const binomialRows = new Map<string, Float64Array>()
const KEPT_ROWS = 20_000

/** P(X = 0..n) of a binomial; rows are kept, since the gate asks for the same ones again and again. */
export function binomialRow(n: number, p: number): Float64Array {
  return kept(binomialRows, `${n} ${p}`, () => Float64Array.from({ length: n + 1 }, (_, x) => binomial.pmf(x, n, p)))
}

/** P(X ≤ x) of a binomial with n trials of rate p. */
export function binomialAtMost(x: number, n: number, p: number): number {
  return x >= n ? 1 : binomial.cdf(x, n, p)
}

const hypergeometricRows = new Map<string, Float64Array>()

/**
 * P(X = 0..min(drawn, marked)): marked items among `drawn` taken without putting back from `drawn + rest` items of which `marked` are marked.
 */
export function hypergeometricRow(drawn: number, rest: number, marked: number): Float64Array {
  return kept(hypergeometricRows, `${drawn} ${rest} ${marked}`, () =>
    Float64Array.from({ length: Math.min(drawn, marked) + 1 }, (_, x) => hypergeometric.pmf(x, drawn + rest, marked, drawn)),
  )
}

function kept(rows: Map<string, Float64Array>, key: string, make: () => Float64Array): Float64Array {
  const known = rows.get(key)
  if (known !== undefined) return known
  if (rows.size >= KEPT_ROWS) rows.clear()
  const row = make()
  rows.set(key, row)
  return row
}

/** P(X ≥ x) from P(X = x), smallest terms first. */
export function suffixSums(row: Float64Array): Float64Array {
  const sums = Float64Array.from(row)
  for (let x = sums.length - 2; x >= 0; x -= 1) sums[x] = (sums[x] ?? 0) + (sums[x + 1] ?? 0)
  return sums
}
