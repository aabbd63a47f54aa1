import type { GateSettings } from '../model/verdict.ts'
import { moreFailuresP, stratifiedMoreFailuresP } from '../statistics/conditional-test.ts'
import { binomialAtMost, binomialRow } from '../statistics/distributions.ts'
import type { PairedLook } from '../statistics/paired-test.ts'
import type { Look } from '../statistics/staged-test.ts'
import type { Assessment } from './assess.ts'
import { taskDoubt } from './design.ts'
import { pairedTest, smallestP, stagedTest, type TaskEvidence } from './evidence.ts'
import type { TaskLooks } from './looks.ts'

/** A drop counts as seen when it turns a run red with this probability. */
const POWER = 0.8
const kept = new Map<string, number | null>()

/**
 * Smallest drop in one task's pass rate that this design sees with power 0.8, worked out exactly for the middle task by size and pass rate
 * of its baseline; null when even a task that now always fails would not be seen.
 */
export function smallestDropSeen(assessment: Assessment, settings: GateSettings): number | null {
  const tested = assessment.tasks.flatMap(({ gating, evidence }) => (gating && evidence !== null ? [evidence] : []))
  const typical = [...tested].sort(bySize)[Math.floor((tested.length - 1) / 2)]
  if (typical === undefined) return null
  return dropSeen(typical, assessment.budget.tasks / tested.length, settings)
}

/** By everything that the answer depends on, so that the order of tasks does not matter. */
function bySize(a: TaskEvidence, b: TaskEvidence): number {
  const looksOf = ({ looks, task }: TaskEvidence): string => `${task.head_trials !== undefined} ${sizesOf(looks)}`
  return (
    a.stratum.base_n - b.stratum.base_n ||
    b.stratum.base_failures - a.stratum.base_failures ||
    a.stratum.head_n - b.stratum.head_n ||
    looksOf(a).localeCompare(looksOf(b))
  )
}

function sizesOf(looks: TaskLooks): string {
  return looks.kind === 'stored'
    ? looks.looks.map(({ n }) => n).join(' ')
    : looks.looks.map(({ base_n: base, head_n: head }) => `${base}/${head}`).join(' ')
}

function dropSeen({ stratum, looks, task }: TaskEvidence, level: number, settings: GateSettings): number | null {
  const { base_n: baseN, base_failures: baseFailures } = stratum
  const staged = task.head_trials !== undefined
  const key = JSON.stringify([baseN, baseFailures, looks.kind, looks.looks, level, staged, settings.max_trials])
  const known = kept.get(key)
  if (known !== undefined) return known
  const baseRate = baseFailures / baseN
  const detect = detectionOf(stratum, looks, level, staged, baseRate)
  const seen = (rate: number): boolean => detect(rate) >= POWER
  const steps = Array.from({ length: 100 }, (_, i) => baseRate + ((1 - baseRate) * (i + 1)) / 100)
  let low = 0
  let high = steps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (seen(steps[middle] ?? 1)) high = middle
    else low = middle + 1
  }
  const rate = steps[low]
  const drop = rate === undefined ? null : rate - baseRate
  if (kept.size > 5000) kept.clear()
  kept.set(key, drop)
  return drop
}

/** Probability that a task is called regressed, by its failure rate. */
type Detection = (rate: number) => number

function detectionOf(
  { base_n: baseN, base_failures: baseFailures }: TaskEvidence['stratum'],
  looks: TaskLooks,
  level: number,
  staged: boolean,
  baseRate: number,
): Detection {
  if (looks.kind === 'paired') return pairedDetection(looks.looks, level, baseRate)
  return looks.looks.length === 1
    ? oneLookDetection(baseN, baseFailures, looks.looks, level)
    : stagedDetection(baseN, baseFailures, looks.looks, level, staged)
}

/** Both builds are still to be drawn; the base build's failures so far stand for its rate. */
function pairedDetection(looks: readonly PairedLook[], level: number, baseRate: number): Detection {
  const test = pairedTest(looks)
  const critical = test.critical(level)
  return (rate) => (critical === 0 ? 0 : test.detection(critical, baseRate, rate, (look, fisher) => fisher <= taskDoubt(look, true)))
}

function oneLookDetection(baseN: number, baseFailures: number, looks: readonly Look[], level: number): Detection {
  const test = stagedTest(baseN, looks)
  const n = looks[0]?.n ?? 0
  let low = 0
  let high = n + 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (test.pValue(test.statistic(baseFailures, [middle])) <= level) high = middle
    else low = middle + 1
  }
  return (rate) => (low > n ? 0 : low === 0 ? 1 : 1 - binomialAtMost(low - 1, n, rate))
}

/** Follows the stages by the task's own doubt alone. */
function stagedDetection(baseN: number, baseFailures: number, looks: readonly Look[], level: number, staged: boolean): Detection {
  return (rate) => detection(baseN, baseFailures, looks, level, staged, rate)
}

function detection(baseN: number, baseFailures: number, looks: readonly Look[], level: number, staged: boolean, rate: number): number {
  const test = stagedTest(baseN, looks)
  let alive = new Float64Array([1])
  let taken = 0
  let found = 0
  for (const [look, { n, share }] of looks.entries()) {
    const step = binomialRow(n - taken, rate)
    const next = new Float64Array(n + 1)
    for (const [before, p] of alive.entries()) {
      for (const [more, q] of step.entries()) next[before + more] = (next[before + more] ?? 0) + p * q
    }
    for (const [failures, p] of next.entries()) {
      if (p === 0) continue
      const fisher = moreFailuresP({ base_n: baseN, base_failures: baseFailures, head_n: n, head_failures: failures })
      const red = test.pValue(fisher / share) <= level
      if (red) found += p
      if (red || (staged && fisher > taskDoubt(look, false))) next[failures] = 0
    }
    alive = next
    taken = n
  }
  return found
}

/** Whether no outcome of head whatever, in a task or over the suite, could have turned this run red. */
export function isBlind(assessment: Assessment): boolean {
  const tested = assessment.tasks.flatMap(({ gating, evidence }) => (gating && evidence !== null ? [evidence] : []))
  if (tested.some((evidence) => smallestP(evidence) <= assessment.budget.tasks / tested.length)) return false
  const stages = tested[0]?.looks.looks ?? []
  return !stages.some(({ share }, look) => {
    const strata = tested.map((evidence) => allFailedAt(evidence, look))
    return stratifiedMoreFailuresP(strata) / share <= assessment.budget.suite
  })
}

function allFailedAt({ stratum, looks }: TaskEvidence, look: number): TaskEvidence['stratum'] {
  if (looks.kind === 'stored') {
    const n = looks.looks[look]?.n ?? stratum.head_n
    return { ...stratum, head_n: n, head_failures: n }
  }
  const { base_n: baseN, head_n: headN } = looks.looks[look] ?? stratum
  return { base_n: baseN, base_failures: looks.base_failures[look] ?? stratum.base_failures, head_n: headN, head_failures: headN }
}
