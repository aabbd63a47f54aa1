import PQueue from 'p-queue'
import type { TrialRecord } from '../model/record.ts'
import type { RecordLog } from '../records/record-log.ts'
import type { PlannedTrial } from './plan-trials.ts'
import { gradePhase, runAgentPhase, type AgentPhase, type TrialEquipment } from './run-trial.ts'

/** Told after every trial, in the order in which they end. */
export type ProgressEvent =
  | { readonly kind: 'stage'; readonly stage: number; readonly trials: number }
  | { readonly kind: 'trial'; readonly record: TrialRecord; readonly done: number; readonly planned: number }
  | { readonly kind: 'retry'; readonly trial_id: string; readonly attempt: number; readonly why: string }

export interface TrialLoop {
  readonly equipment: TrialEquipment
  readonly log: RecordLog
  readonly signal: AbortSignal
  /** Null while the budget lasts, then the sentence that says which budget ended. */
  readonly budgetSpent: () => string | null
  readonly onProgress: (event: ProgressEvent) => void
}

/**
 * Makes the planned trials, `config.concurrency` agents at a time; rendering and grading overlap with the next agents.
 * Every record is appended and flushed as soon as it exists. Trials that the budget or an abort kept from starting are left out.
 */
export async function runTrials(planned: readonly PlannedTrial[], loop: TrialLoop): Promise<TrialRecord[]> {
  const agents = new PQueue({ concurrency: loop.equipment.config.concurrency })
  const records: TrialRecord[] = []
  const grading: Promise<void>[] = []
  const finish = async (phase: AgentPhase): Promise<void> => {
    const record = await gradePhase(phase, loop.equipment, loop.signal).catch((error: unknown) => {
      if (loop.signal.aborted) return null
      throw error
    })
    // what a cancelled run could not measure is missing, not spoiled
    if (record === null || (record.verdict === 'infra' && loop.signal.aborted)) return
    if (mayRetry(record, phase, loop)) {
      loop.onProgress({ kind: 'retry', trial_id: record.trial_id, attempt: phase.attempt, why: record.detail })
      await attempt(phase.trial, phase.attempt + 1)
      return
    }
    await loop.log.append(record)
    records.push(record)
    loop.onProgress({ kind: 'trial', record, done: records.length, planned: planned.length })
  }
  const attempt = async (trial: PlannedTrial, number: number): Promise<void> => {
    const phase = await agents.add(async () => {
      if (loop.signal.aborted || loop.budgetSpent() !== null) return null
      return runAgentPhase(trial, number, loop.equipment, loop.signal)
    })
    if (phase !== null && !loop.signal.aborted) await finish(phase)
  }
  for (const trial of planned) grading.push(attempt(trial, 1))
  await Promise.all(grading)
  return records
}

/** Where only the judge failed it has been asked again already: the agent did its work, and is not run, nor paid, once more. */
function mayRetry(record: TrialRecord, phase: AgentPhase, loop: TrialLoop): boolean {
  if ((record.judge?.trouble ?? null) !== null) return false
  const hopeless = record.infra_class === 'quota' || record.infra_class === 'budget'
  return record.verdict === 'infra' && !hopeless && phase.attempt <= loop.equipment.config.retries && !loop.signal.aborted
}
