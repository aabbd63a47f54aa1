import type { GateSettings, GateTask } from '../model/verdict.ts'
import { holm } from '../statistics/holm.ts'
import { isQuarantined, type GateContext } from './context.ts'
import { splitBudget, type ErrorBudget } from './design.ts'
import { evidenceOf, type TaskEvidence } from './evidence.ts'
import { belowFloorP } from './golden.ts'
import { suiteEvidence, type SuiteEvidence } from './suite-evidence.ts'

/** One task with its evidence held against its level. */
export interface AssessedTask {
  readonly task: GateTask
  readonly gating: boolean
  /** Null when there is nothing to test. */
  readonly evidence: TaskEvidence | null
  /** Level that its p-value is held against; null when not tested. */
  readonly level: number | null
  readonly regressed: boolean
  readonly improved: boolean
  /** Golden and surely below the floor. */
  readonly below_floor: boolean
}

/** The statistics of a run at one moment: what the verdict and the next stage are both made from. */
export interface Assessment {
  readonly budget: ErrorBudget
  readonly tasks: readonly AssessedTask[]
  readonly suite: SuiteEvidence
  readonly suite_regressed: boolean
}

/** Tests every task and the suite. Quarantined tasks are tested among themselves, so that they take nothing from those that gate. */
export function assess(tasks: readonly GateTask[], settings: GateSettings, context: GateContext): Assessment {
  const budget = splitBudget(
    settings.alpha,
    tasks.some((task) => task.golden && task.head !== null),
  )
  const comparable = context.fingerprint_differences.length === 0
  const facts = tasks.map((task) => ({
    task,
    gating: !isQuarantined(task, context),
    evidence: comparable ? evidenceOf(task, settings) : null,
  }))
  const outcomes = new Map([...testTogether(facts, true, budget.tasks), ...testTogether(facts, false, budget.tasks)])
  const floors = tasks.filter((task) => task.golden && task.head !== null).length
  const assessed = facts.map(({ task, gating, evidence }): AssessedTask => {
    const outcome = outcomes.get(task.task_id)
    const floorP = task.golden ? belowFloorP(task, settings) : null
    return {
      task,
      gating,
      evidence,
      level: outcome?.level ?? null,
      regressed: outcome?.regressed ?? false,
      improved: outcome?.improved ?? false,
      below_floor: floorP !== null && floorP <= budget.golden / floors,
    }
  })
  const gatingEvidence = facts.flatMap(({ gating, evidence }) => (gating && evidence !== null ? [evidence] : []))
  const suite = suiteEvidence(gatingEvidence, settings)
  return { budget, tasks: assessed, suite, suite_regressed: suite.worse_p !== null && suite.worse_p <= budget.suite }
}

interface Facts {
  readonly gating: boolean
  readonly evidence: TaskEvidence | null
}

function testTogether(
  facts: readonly Facts[],
  gating: boolean,
  alpha: number,
): [string, { level: number; regressed: boolean; improved: boolean }][] {
  const evidence = facts.flatMap((fact) => (fact.gating === gating && fact.evidence !== null ? [fact.evidence] : []))
  const worse = holm(
    evidence.map(({ worse_p: p }) => p),
    alpha,
  )
  const better = holm(
    evidence.map(({ better_p: p }) => p),
    alpha,
  )
  return evidence.map(({ task }, i) => [
    task.task_id,
    { level: worse[i]?.level ?? alpha, regressed: worse[i]?.rejected ?? false, improved: better[i]?.rejected ?? false },
  ])
}
