import type { TrialOutcome } from '../model/verdict.ts'

/** Counts of a run of trials. */
export function countTrials(trials: readonly TrialOutcome[]): { n: number; c: number; infra: number } {
  let n = 0
  let c = 0
  for (const outcome of trials) {
    if (outcome === 'infra') continue
    n += 1
    if (outcome === 'pass') c += 1
  }
  return { n, c, infra: trials.length - n }
}
