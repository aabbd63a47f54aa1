import { decide } from '../gate/decide.ts'
import { fingerprintDifferences, gateTasks, outcomesOf } from '../gate/pool.ts'
import type { RunConfig } from '../model/config.ts'
import type { JudgeHealth } from '../model/judge-health.ts'
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import type { LoadedTask } from '../model/task.ts'
import type { GateTask } from '../model/verdict.ts'
import { buildResults } from '../report/build-results.ts'
import { baselineMedians, spendingPairs } from './baseline-medians.ts'
import type { FoundBaseline } from './find-baseline.ts'
import { driftNotice, examNotice, gateContext } from './gate-context.ts'
import { wireNotice } from './wire-audit.ts'

/** Trials that other runs have made and recorded. */
export interface RecordedTrials {
  readonly run: Omit<Results['run'], 'suite' | 'k' | 'scripted_model'>
  readonly tasks: readonly LoadedTask[]
  /** Digest by task as the run held it, where it is not that of `tasks`. */
  readonly digests: ReadonlyMap<string, string>
  /** Head's records. */
  readonly records: readonly TrialRecord[]
  readonly planned: number
  /** True when the number of trials followed from what was seen; the gate then judges each look by itself. */
  readonly adaptive: boolean
  /** Why planned trials are not there; null when all are. */
  readonly incomplete: string | null
  /** Fingerprint parts in which the runs that made the records differ among themselves. */
  readonly disagreements: readonly string[]
  readonly notices: readonly string[]
  /** What is known of the judge's reliability; absent = nothing. */
  readonly judge_health?: JudgeHealth | null
  /** Wall time of the trials, ms. */
  readonly wall_ms: number
}

/** Counts recorded trials anew and decides over them, as the run that made them would have. Nothing but the records is believed. */
export function decideRecords(
  config: Pick<RunConfig, 'suite' | 'gate' | 'scripted_model' | 'accepted_removals' | 'accepted_changes'>,
  recorded: RecordedTrials,
  baseline: FoundBaseline,
): Results {
  const { run, records, tasks } = recorded
  const differences = [
    ...(baseline.file === null ? [] : fingerprintDifferences(baseline.file.fingerprint, run.fingerprint)),
    ...recorded.disagreements,
  ]
  const context = {
    ...gateContext(baseline, differences, config),
    incomplete: recorded.incomplete,
    spending: spendingPairs(records, config.gate.k, baseline.file, false),
  }
  return buildResults({
    run: { ...run, suite: config.suite, k: config.gate.k, scripted_model: config.scripted_model },
    wall_ms: recorded.wall_ms,
    decision: decide(recordedTasks(recorded, baseline), config.gate, context),
    baseline_origin: baseline.origin,
    fingerprint_differences: differences,
    notices: [...recorded.notices, ...wireNotice(records), ...examNotice(baseline), ...driftNotice(baseline)],
    judge_health: recorded.judge_health ?? null,
    planned: recorded.planned,
    tasks: tasks.map(({ task }) => task),
    records,
    baseline_medians: baselineMedians(baseline.file),
  })
}

/** What the gate judges. Without the order of the trials it takes their number as fixed in advance. */
export function recordedTasks(
  recorded: Pick<RecordedTrials, 'tasks' | 'digests' | 'records' | 'adaptive'>,
  baseline: FoundBaseline,
): GateTask[] {
  const planned = recorded.tasks.map(({ task, digest }) => ({
    task_id: task.task_id,
    digest: recorded.digests.get(task.task_id) ?? digest,
    golden: task.golden ?? !task.expected_tool_trigger,
    trials: outcomesOf(recorded.records, task.task_id, 'head'),
  }))
  const judged = gateTasks(baseline.file, planned, baseline.quarantine)
  if (recorded.adaptive) return judged
  return judged.map(({ task_id, golden, head, baseline, changed, quarantine }) => ({
    task_id,
    golden,
    head,
    baseline,
    changed,
    quarantine,
  }))
}

/** `part: first, then other` for every part in which fingerprints differ from the first. */
export function disagreementsAmong(fingerprints: readonly { readonly of: string; readonly fingerprint: Fingerprint }[]): string[] {
  const [first, ...others] = fingerprints
  if (first === undefined) return []
  return others.flatMap(({ of, fingerprint }) =>
    fingerprintDifferences(first.fingerprint, fingerprint).map((part) => `${part} (${first.of} and ${of})`),
  )
}
