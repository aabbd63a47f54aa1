import type { GateSettings, GateTask } from '../model/verdict.ts'
import type { Stratum } from '../statistics/conditional-test.ts'
import { moreFailuresP } from '../statistics/conditional-test.ts'
import { PairedTest, type PairedLook } from '../statistics/paired-test.ts'
import { StagedTest, type Look } from '../statistics/staged-test.ts'
import { isPaired } from './context.ts'
import { looksAt, type TaskLooks } from './looks.ts'

/** What can be tested about a task: both sides counted, same task, same conditions. */
export interface TaskEvidence {
  readonly task: GateTask
  /** All counted trials on both sides. */
  readonly stratum: Stratum
  readonly looks: TaskLooks
  /** Exact p-value of "head does not fail more often", over all looks. */
  readonly worse_p: number
  /** Exact p-value of "head does not pass more often". */
  readonly better_p: number
  /** Fisher's p-value of all counted trials, as if looked at once; steers further trials and the word `suspect`, never a verdict. */
  readonly doubt_p: number
}

/** Both sides counted and comparable, head with at least k trials, and the base build too when it runs beside head. */
export function isTestable(task: GateTask, k: number): boolean {
  const { head, baseline, changed } = task
  return head !== null && head.n >= k && baseline !== null && baseline.n >= (isPaired(task) ? k : 1) && !changed
}

/** Null when there is nothing to test. */
export function evidenceOf(task: GateTask, settings: GateSettings): TaskEvidence | null {
  const { head, baseline } = task
  if (head === null || baseline === null || !isTestable(task, settings.k)) return null
  const stratum: Stratum = { base_n: baseline.n, base_failures: baseline.n - baseline.c, head_n: head.n, head_failures: head.n - head.c }
  const looks = looksAt(task, settings)
  return {
    task,
    stratum,
    looks,
    worse_p: pOf(looks, stratum.base_n, stratum.base_failures),
    // The same test with passes and failures exchanged.
    better_p: pOf(exchanged(looks), stratum.base_n, baseline.c),
    doubt_p: moreFailuresP(stratum),
  }
}

/** Smallest p-value that the looks to come could still bring: every further trial of head fails, none of the base build does. */
export function reachableP({ looks, stratum }: TaskEvidence): number {
  const passes = stratum.head_n - stratum.head_failures
  if (looks.kind === 'stored') {
    const worst = looks.looks.map(({ n }, look) => looks.failures[look] ?? n - passes)
    return pOf({ ...looks, failures: worst }, stratum.base_n, stratum.base_failures)
  }
  const worst = looks.looks.map(({ head_n: n }, look) => looks.failures[look] ?? n - passes)
  const best = looks.looks.map((_, look) => looks.base_failures[look] ?? stratum.base_failures)
  return pOf({ ...looks, failures: worst, base_failures: best }, stratum.base_n, stratum.base_failures)
}

/** Smallest p-value that any head whatever could have had against this baseline: all of its trials fail. */
export function smallestP({ looks, stratum }: TaskEvidence): number {
  if (looks.kind === 'stored') {
    return pOf({ ...looks, failures: looks.looks.map(({ n }) => n) }, stratum.base_n, stratum.base_failures)
  }
  const allFailed = looks.looks.map(({ head_n: n }) => n)
  const base = looks.looks.map((_, look) => looks.base_failures[look] ?? stratum.base_failures)
  return pOf({ ...looks, failures: allFailed, base_failures: base }, stratum.base_n, stratum.base_failures)
}

function pOf(looks: TaskLooks, baseN: number, baseFailures: number): number {
  if (looks.kind === 'stored') {
    const test = stagedTest(baseN, looks.looks)
    return test.pValue(test.statistic(baseFailures, looks.failures))
  }
  const test = pairedTest(looks.looks)
  return test.pValue(test.statistic(looks.base_failures, looks.failures))
}

function exchanged(looks: TaskLooks): TaskLooks {
  if (looks.kind === 'stored') return { ...looks, failures: looks.failures.map((failed, look) => (looks.looks[look]?.n ?? 0) - failed) }
  return {
    ...looks,
    base_failures: looks.base_failures.map((failed, look) => (looks.looks[look]?.base_n ?? 0) - failed),
    failures: looks.failures.map((failed, look) => (looks.looks[look]?.head_n ?? 0) - failed),
  }
}

const stagedTests = new Map<string, StagedTest>()
const pairedTests = new Map<string, PairedTest>()
const KEPT_TESTS = 2000

/** Tests are kept: what was worked out for one run serves the next. */
export function stagedTest(baseN: number, looks: readonly Look[]): StagedTest {
  return kept(stagedTests, `${baseN}|${looks.map(({ n, share }) => `${n}:${share}`).join(' ')}`, () => new StagedTest(baseN, looks))
}

/** The same for a paired run. */
export function pairedTest(looks: readonly PairedLook[]): PairedTest {
  const key = looks.map(({ base_n: base, head_n: head, share }) => `${base}/${head}:${share}`).join(' ')
  return kept(pairedTests, key, () => new PairedTest(looks))
}

function kept<T>(tests: Map<string, T>, key: string, make: () => T): T {
  const known = tests.get(key)
  if (known !== undefined) return known
  if (tests.size >= KEPT_TESTS) tests.clear()
  const test = make()
  tests.set(key, test)
  return test
}
