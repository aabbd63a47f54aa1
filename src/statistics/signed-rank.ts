/**
 * Exact one-sided signed-rank test (Wilcoxon 1945): how likely differences that are as often below zero as above it, size for size, lie so
 * far above. Zeros are dropped; equal sizes share their mean rank, and the distribution is worked out for exactly these ranks, so ties cost no
 * validity. `Infinity` counts as the largest size. 1 when nothing differs.
 */
export function signedRankP(differences: readonly number[]): number {
  const moved = differences.filter((difference) => difference !== 0)
  if (moved.length === 0) return 1
  const ranks = doubledRanks(moved.map(Math.abs))
  const seen = ranks.reduce((sum, rank, i) => ((moved[i] ?? 0) > 0 ? sum + rank : sum), 0)
  const most = ranks.reduce((sum, rank) => sum + rank, 0)
  // chance[s] = P(sum of the ranks above zero = s) when every sign is a fair coin.
  let chance = new Float64Array(most + 1)
  chance[0] = 1
  for (const rank of ranks) {
    const next = chance.map((p) => p / 2)
    for (let sum = 0; sum + rank <= most; sum += 1) next[sum + rank] = (next[sum + rank] ?? 0) + (chance[sum] ?? 0) / 2
    chance = next
  }
  let tail = 0
  for (let sum = most; sum >= seen; sum -= 1) tail += chance[sum] ?? 0
  return Math.min(1, tail)
}

/** Twice the mean ranks, so that shared ranks stay whole numbers. */
function doubledRanks(sizes: readonly number[]): number[] {
  const sorted = [...sizes].sort((a, b) => a - b)
  return sizes.map((size) => sorted.indexOf(size) + sorted.lastIndexOf(size) + 2)
}
