import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { signedRankP } from '../../src/statistics/signed-rank.ts'

/** Mean rank of each size, by counting. */
function ranks(sizes: readonly number[]): number[] {
  return sizes.map((size) => sizes.filter((other) => other < size).length + (sizes.filter((other) => other === size).length + 1) / 2)
}

function bySigns(differences: readonly number[]): number {
  const moved = differences.filter((difference) => difference !== 0)
  const rank = ranks(moved.map(Math.abs))
  const seen = moved.reduce((sum, difference, i) => (difference > 0 ? sum + (rank[i] ?? 0) : sum), 0)
  let atLeast = 0
  for (let signs = 0; signs < 2 ** moved.length; signs += 1) {
    const sum = rank.reduce((total, size, i) => ((signs >> i) & 1 ? total + size : total), 0)
    if (sum >= seen - 1e-9) atLeast += 1
  }
  return atLeast / 2 ** moved.length
}

test('the signed-rank p-value is the share of sign patterns that lie as high, ties and zeros included', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 9 }), (differences) => {
      assert.ok(Math.abs(signedRankP(differences) - bySigns(differences)) < 1e-12)
    }),
    { numRuns: 200 },
  )
})

test('published values: ten differences with a sum of 10 below zero have p = .0420; five all above have 1/32', () => {
  const tenRanks = [1, 2, 3, -4, 5, -6, 7, 8, 9, 10]
  assert.ok(Math.abs(signedRankP(tenRanks) - 0.042) < 5e-4)
  assert.equal(signedRankP([1, 2, 3, 4, 5]), 1 / 32)
  assert.equal(signedRankP([]), 1)
  assert.equal(signedRankP([0, 0]), 1)
  assert.equal(signedRankP([Infinity, 1, 2, 3, 4]), 1 / 32)
})
