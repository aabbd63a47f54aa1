import type { GateSettings, GateTask } from '../model/verdict.ts'
import { stratifiedMoreFailuresP, type Stratum } from '../statistics/conditional-test.ts'
import { trialsMade } from './context.ts'
import { countTrials } from './count-trials.ts'
import { stagesOf } from './design.ts'
import type { TaskEvidence } from './evidence.ts'

/** What is known about the suite as a whole. */
export interface SuiteEvidence {
  /** Smallest weighted p-value over the looks taken, 0..1; null when nothing can be tested. */
  readonly worse_p: number | null
  /** Looks taken so far. */
  readonly looks_taken: number
  /** P-value of all counted trials; steers further trials, never a verdict. */
  readonly doubt_p: number
}

/**
 * Stratified exact test over the suite. A look is taken only when *every* task has been given that many trials, and it uses exactly those
 * first trials of each, however many more a task in doubt may have: which tasks were chosen for more trials then cannot bend the test.
 */
export function suiteEvidence(evidence: readonly TaskEvidence[], settings: GateSettings): SuiteEvidence {
  if (evidence.length === 0) return { worse_p: null, looks_taken: 0, doubt_p: 1 }
  const all = stratifiedMoreFailuresP(evidence.map(({ stratum }) => stratum))
  const staged = evidence.every(({ task }) => task.head_trials !== undefined)
  if (!staged) return { worse_p: all, looks_taken: 1, doubt_p: all }
  let worst = 1
  let taken = 0
  for (const { n, share } of stagesOf(settings.k, settings.max_trials)) {
    if (!evidence.every(({ task }) => trialsMade(task) >= n)) break
    const strata = evidence.map(({ task, stratum }) => firstTrials(task, stratum, n))
    worst = Math.min(worst, stratifiedMoreFailuresP(strata) / share)
    taken += 1
  }
  return { worse_p: worst, looks_taken: taken, doubt_p: all }
}

/** The first `n` trials of head, and of the base build where it runs beside it. */
function firstTrials({ head_trials: head, baseline_trials: base }: GateTask, stratum: Stratum, n: number): Stratum {
  const now = countTrials((head ?? []).slice(0, n))
  const before = base === undefined ? null : countTrials(base.slice(0, n))
  return {
    base_n: before?.n ?? stratum.base_n,
    base_failures: before === null ? stratum.base_failures : before.n - before.c,
    head_n: now.n,
    head_failures: now.n - now.c,
  }
}
