/** Points of the first search, dense near 0 and 1, where the largest alarm rates lie. */
const GRID = Array.from({ length: 41 }, (_, i) => Math.sin((Math.PI * i) / 80) ** 2)

/** Largest value of a smooth function of a rate 0..1: the best grid point, refined by golden-section search around it. */
export function largestOverRates(value: (rate: number) => number): number {
  let best = 0
  let top = 0
  for (const [i, q] of GRID.entries()) {
    const found = value(q)
    if (found > top) [top, best] = [found, i]
  }
  return Math.max(top, goldenMaximum(value, GRID[Math.max(0, best - 1)] ?? 0, GRID[Math.min(GRID.length - 1, best + 1)] ?? 1))
}

/** Maximum of a function that rises and then falls on low..high, to about 1e-4 of the width. */
function goldenMaximum(value: (x: number) => number, low: number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2
  let [a, b] = [low, high]
  let left = b - ratio * (b - a)
  let right = a + ratio * (b - a)
  let atLeft = value(left)
  let atRight = value(right)
  for (let step = 0; step < 14; step += 1) {
    if (atLeft > atRight) {
      ;[b, right, atRight] = [right, left, atLeft]
      left = b - ratio * (b - a)
      atLeft = value(left)
    } else {
      ;[a, left, atLeft] = [left, right, atRight]
      right = a + ratio * (b - a)
      atRight = value(right)
    }
  }
  return Math.max(atLeft, atRight)
}
