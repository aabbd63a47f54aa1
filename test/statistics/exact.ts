/** Exact rational arithmetic, as a reference that shares nothing with the code under test. */
export function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n
  let result = 1n
  for (let i = 0; i < k; i += 1) result = (result * BigInt(n - i)) / BigInt(i + 1)
  return result
}

/** a/b to about 15 digits. */
export function ratio(a: bigint, b: bigint): number {
  return Number((a * 10n ** 18n) / b) / 1e18
}

/** P(head failures ≥ seen) of Fisher's exact test, from binomial coefficients. */
export function fisher(baseN: number, baseFailures: number, headN: number, headFailures: number): number {
  const marked = baseFailures + headFailures
  let above = 0n
  for (let x = headFailures; x <= Math.min(headN, marked); x += 1) above += choose(headN, x) * choose(baseN, marked - x)
  return ratio(above, choose(baseN + headN, marked))
}

/** Binomial probabilities of 0..n by recurrence on logarithms. */
export function binomial(n: number, p: number): number[] {
  return Array.from({ length: n + 1 }, (_, x) => Number(choose(n, x)) * p ** x * (1 - p) ** (n - x))
}
