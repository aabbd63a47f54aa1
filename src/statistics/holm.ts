/**
 * Holm's step-down (1979): which of several p-values are significant when the chance of even one false alarm is held to `alpha`.
 * Returns, in the order given, each p-value's level and whether it was rejected. Equal p-values are treated alike.
 */
export function holm(pValues: readonly number[], alpha: number): { level: number; rejected: boolean }[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p)
  const result = pValues.map(() => ({ level: alpha, rejected: false }))
  let open = true
  for (const [rank, { p, index }] of order.entries()) {
    const level = alpha / (pValues.length - rank)
    open &&= p <= level
    result[index] = { level, rejected: open }
  }
  return result
}
