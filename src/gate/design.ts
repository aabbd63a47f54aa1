import type { Look } from '../statistics/staged-test.ts'

/** Share of the error budget that the suite test has; the rest goes to the single tasks. */
const SUITE_SHARE = 0.6
/** Share that the golden floor takes from the single tasks, when there are golden tasks. */
const GOLDEN_SHARE = 0.1
/** Where the stages end, as shares of the trials between k and the maximum. */
const STAGE_ENDS = [0, 1 / 9, 2 / 9, 11 / 27, 2 / 3, 1]
/** A p-value is doubtful while it is at most `first` after the first stage, and `decay` times that after each further one. */
interface Doubt {
  readonly first: number
  readonly decay: number
}
const TASK_DOUBT: Doubt = { first: 0.4, decay: 0.7 }
const SUITE_DOUBT: Doubt = { first: 0.25, decay: 0.5 }
/** A paired run starts with so few trials of either build that one failure more must count as doubt. */
const PAIRED_TASK_DOUBT: Doubt = { first: 0.5, decay: 0.8 }
const PAIRED_SUITE_DOUBT: Doubt = { first: 0.35, decay: 0.6 }

/** How the error budget `alpha` is split. */
export interface ErrorBudget {
  readonly suite: number
  readonly tasks: number
  readonly golden: number
}

export function splitBudget(alpha: number, hasGolden: boolean): ErrorBudget {
  const golden = hasGolden ? GOLDEN_SHARE * alpha : 0
  return { suite: SUITE_SHARE * alpha, golden, tasks: (1 - SUITE_SHARE) * alpha - golden }
}

const stagesByDesign = new Map<string, readonly Look[]>()

/**
 * Stages of the adaptive design: after how many trials a task is looked at, and which share of the budget the look spends. Spending is
 * linear in trials (Lan and DeMets 1983 with a uniform spending function). One look when k = max_trials.
 */
export function stagesOf(k: number, maxTrials: number): readonly Look[] {
  const key = `${k} ${maxTrials}`
  const known = stagesByDesign.get(key)
  if (known !== undefined) return known
  const ends = new Set(STAGE_ENDS.map((share) => k + Math.round(share * (maxTrials - k))))
  const sizes = [...ends].sort((a, b) => a - b)
  const looks = sizes.map((n, i) => ({ n, share: (n - (sizes[i - 1] ?? 0)) / maxTrials }))
  stagesByDesign.set(key, looks)
  return looks
}

/** A task whose p-value is larger is not in doubt after stage `stage` (from 0). */
export function taskDoubt(stage: number, paired: boolean): number {
  return threshold(paired ? PAIRED_TASK_DOUBT : TASK_DOUBT, stage)
}

/** The same for the suite as a whole. */
export function suiteDoubt(stage: number, paired: boolean): number {
  return threshold(paired ? PAIRED_SUITE_DOUBT : SUITE_DOUBT, stage)
}

function threshold({ first, decay }: Doubt, stage: number): number {
  return first * decay ** stage
}
