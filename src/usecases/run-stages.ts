import type { GateContext } from '../gate/context.ts'
import { gateTasks, outcomesOf, pairedGateTasks } from '../gate/pool.ts'
import { planNextStage } from '../gate/stages.ts'
import type { TrialRecord } from '../model/record.ts'
import type { LoadedTask } from '../model/task.ts'
import type { GateTask } from '../model/verdict.ts'
import type { FoundBaseline } from './find-baseline.ts'
import { planTrials } from './plan-trials.ts'
import { runTrials, type TrialLoop } from './run-trials.ts'

export interface StagesResult {
  readonly records: readonly TrialRecord[]
  /** Trials of head that the design asked for, made or not. */
  readonly planned: number
  /** Why not all of them were made; null when they were. */
  readonly incomplete: string | null
  readonly gate_tasks: readonly GateTask[]
}

/**
 * Makes trials stage by stage: first k for every task, then only for tasks in doubt, as the gate asks.
 * In a paired run each request is carried out by both builds. Records of an interrupted run count as made. Ends early on budget or abort, and says so.
 */
export async function runStages(
  tasks: readonly LoadedTask[],
  baseline: FoundBaseline,
  context: GateContext,
  kept: readonly TrialRecord[],
  loop: TrialLoop,
): Promise<StagesResult> {
  const { config } = loop.equipment
  const keptById = new Map(kept.map((record) => [record.trial_id, record]))
  const arms = baseline.origin.kind === 'paired' ? (['head', 'base'] as const) : (['head'] as const)
  const records: TrialRecord[] = []
  let planned = 0
  let all = 0
  for (let stage = 0; ; stage += 1) {
    const judged = judgedTasks(tasks, baseline, records)
    const requests = planNextStage(judged, config.gate, context)
    const trials = planTrials(tasks, requests, stage, arms, config.seed, trialsSoFar(records))
    if (trials.length === 0) return { records, planned, incomplete: null, gate_tasks: judged }
    planned += trials.filter(({ arm }) => arm === 'head').length
    all += trials.length
    const done = trials.flatMap((trial) => keptById.get(trial.trial_id) ?? [])
    const pending = trials.filter((trial) => !keptById.has(trial.trial_id))
    loop.onProgress({ kind: 'stage', stage, trials: pending.length })
    const made = new Map([...done, ...(await runTrials(pending, loop))].map((record) => [record.trial_id, record]))
    records.push(...trials.flatMap((trial) => made.get(trial.trial_id) ?? []))
    const missing = whyMissing(all - records.length, loop)
    if (missing !== null) return { records, planned, incomplete: missing, gate_tasks: judgedTasks(tasks, baseline, records) }
  }
}

function whyMissing(missing: number, loop: TrialLoop): string | null {
  if (missing <= 0) return null
  const why = loop.signal.aborted ? 'the run was cancelled' : (loop.budgetSpent() ?? 'the run ended early')
  return `${missing} planned trial${missing === 1 ? ' was' : 's were'} not made: ${why}`
}

function judgedTasks(tasks: readonly LoadedTask[], baseline: FoundBaseline, records: readonly TrialRecord[]): GateTask[] {
  const head = tasks.map(({ task, digest }) => ({
    task_id: task.task_id,
    digest,
    golden: task.golden ?? !task.expected_tool_trigger,
    trials: outcomesOf(records, task.task_id, 'head'),
  }))
  if (baseline.origin.kind !== 'paired') return gateTasks(baseline.file, head, baseline.quarantine)
  const sides = head.map((task) => ({ ...task, base_trials: outcomesOf(records, task.task_id, 'base') }))
  return pairedGateTasks(baseline.file, sides, baseline.quarantine)
}

function trialsSoFar(records: readonly TrialRecord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const record of records) {
    const key = `${record.task_id} ${record.arm}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
