import type { GateSettings, GateTask } from '../model/verdict.ts'
import { assess, type AssessedTask, type Assessment } from './assess.ts'
import { isPaired, trialsMade, type GateContext } from './context.ts'
import { mayYetPassAsEdited } from './edited-task.ts'
import { stagesOf, suiteDoubt, taskDoubt } from './design.ts'
import { reachableP } from './evidence.ts'
import { floorDoubt } from './golden.ts'

/** Further trials for one task. */
export interface StageRequest {
  readonly task_id: string
  /** How many more, at least 1. */
  readonly trials: number
  /** First stage, the task's own doubt, or doubt about the suite as a whole. */
  readonly because: 'first' | 'task' | 'suite'
}

/**
 * Which tasks get how many more trials; empty when the run may end. Call it after every stage with all trials so far: first every task gets
 * k, then only tasks in doubt, stage by stage up to `max_trials`. When no single task, but the suite, is in doubt, all tasks get one stage.
 * Tasks that are decided, hopeless to decide, or not comparable get no more. `strict` never goes beyond k.
 */
export function planNextStage(tasks: readonly GateTask[], settings: GateSettings, context: GateContext): StageRequest[] {
  const first = tasks.flatMap((task): StageRequest[] => {
    const missing = settings.k - trialsMade(task)
    return task.head === null || missing <= 0 ? [] : [{ task_id: task.task_id, trials: missing, because: 'first' }]
  })
  if (first.length > 0 || settings.mode === 'strict' || settings.max_trials <= settings.k) return first
  const assessment = assess(tasks, settings, context)
  const own = assessment.tasks.flatMap((assessed): StageRequest[] => {
    const wanted = inDoubt(assessed, assessment, settings) || (assessed.gating && mayYetPassAsEdited(assessed.task, settings, context))
    const trials = wanted ? trialsToNextStage(assessed.task, settings) : 0
    return trials === 0 ? [] : [{ task_id: assessed.task.task_id, trials, because: 'task' }]
  })
  return [...own, ...suiteStage(assessment, own, settings)]
}

/** Trials that bring a task to the end of its next stage; 0 when it is at the maximum. */
function trialsToNextStage(task: GateTask, settings: GateSettings): number {
  const made = trialsMade(task)
  const next = stagesOf(settings.k, settings.max_trials).find(({ n }) => n > made)
  return next === undefined ? 0 : next.n - made
}

function stageReached(task: GateTask, settings: GateSettings): number {
  const made = trialsMade(task)
  return stagesOf(settings.k, settings.max_trials).findLastIndex(({ n }) => n <= made)
}

function inDoubt(assessed: AssessedTask, assessment: Assessment, settings: GateSettings): boolean {
  const { task, evidence } = assessed
  const threshold = taskDoubt(stageReached(task, settings), isPaired(task))
  if (assessed.below_floor || assessed.regressed) return false
  if (task.golden && floorDoubt(task, settings) <= threshold) return true
  return evidence !== null && evidence.doubt_p <= threshold && canStillRegress(assessed, assessment)
}

/** Whether the task would count as regressed if all its trials to come failed; more trials would be wasted otherwise. */
function canStillRegress({ evidence, gating }: AssessedTask, { budget, tasks }: Assessment): boolean {
  if (evidence === null) return false
  const peers = tasks.filter((other) => other.gating === gating && other.evidence !== null).length
  return reachableP(evidence) <= budget.tasks / Math.max(1, peers)
}

/** One stage for every task that gates, when the suite is in doubt and the tasks' own second stage has had its say. */
function suiteStage(assessment: Assessment, own: readonly StageRequest[], settings: GateSettings): StageRequest[] {
  const gating = assessment.tasks.filter((assessed) => assessed.gating && assessed.evidence !== null)
  const decided = assessment.suite_regressed || gating.some(({ regressed, below_floor: low }) => regressed || low)
  const paired = gating.some(({ task }) => isPaired(task))
  const stages = stagesOf(settings.k, settings.max_trials)
  const target = stages[assessment.suite.looks_taken]
  const asked = new Set(own.map(({ task_id: id }) => id))
  const secondStageToCome = gating.some(({ task }) => asked.has(task.task_id) && stageReached(task, settings) === 0)
  if (gating.length < 2 || decided || target === undefined || secondStageToCome) return []
  if (assessment.suite.doubt_p > suiteDoubt(assessment.suite.looks_taken - 1, paired)) return []
  return gating.flatMap(({ task }): StageRequest[] => {
    const trials = target.n - trialsMade(task)
    return trials <= 0 || asked.has(task.task_id) ? [] : [{ task_id: task.task_id, trials, because: 'suite' }]
  })
}
