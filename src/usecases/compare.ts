import { readComparable, type Comparable, type NamedDocument } from './comparable.ts'
import { plainContext } from '../gate/context.ts'
import { decide } from '../gate/decide.ts'
import { fingerprintDifferences } from '../gate/pool.ts'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'
import type { GateDecision, GateSettings, GateTask, RunVerdictName, TaskEstimate, TaskStatus } from '../model/verdict.ts'

export interface CompareSettings extends GateSettings {
  /** `YYYY-MM-DD`, for expiry of quarantines. */
  readonly today: string
  readonly accepted_removals: readonly string[]
  readonly accepted_changes: readonly string[]
}

export interface ComparedArm {
  readonly n: number
  readonly c: number
  readonly infra: number
  readonly pass_k: number | null
  readonly pass_at_k: number | null
  readonly interval: TaskEstimate['pass_k_interval']
}

/** The document of `genui-eval compare --json`. */
export interface Comparison {
  readonly schema: 'genui-eval/comparison@1'
  readonly verdict: RunVerdictName
  readonly reason: string
  readonly fingerprint_differences: readonly string[]
  readonly suite: GateDecision['suite']
  readonly smallest_drop_seen: number | null
  readonly tasks: Readonly<
    Record<
      string,
      {
        readonly status: TaskStatus
        readonly reason: string
        readonly baseline: ComparedArm | null
        readonly head: ComparedArm | null
        /** Head minus baseline; null when either has none. */
        readonly difference: number | null
        readonly p_value: number | null
        readonly level: number | null
      }
    >
  >
}

/**
 * Compares two documents — baseline files, results files or bare counts — by the gate's own decision. Throws UserError with the problems of
 * both documents at once.
 */
export function compareFiles(baselineDoc: NamedDocument, headDoc: NamedDocument, settings: CompareSettings): Comparison {
  const baseline = readComparable(baselineDoc)
  const head = readComparable(headDoc)
  const problems: Problem[] = [baseline, head].flatMap((read) => (read.ok ? [] : read.problems))
  if (!baseline.ok || !head.ok) throw new UserError(problems)
  const differences = differencesBetween(baseline.value, head.value)
  const context = {
    ...plainContext(settings.today),
    fingerprint_differences: differences,
    no_baseline: baseline.value.tasks.size === 0 ? `${baselineDoc.name} holds no task.` : null,
    incomplete: head.value.missing === 0 ? null : `${head.value.missing} planned trials were not made.`,
    accepted_removals: settings.accepted_removals,
    accepted_changes: settings.accepted_changes,
  }
  return describe(decide(joinTasks(baseline.value, head.value), settings, context), differences)
}

function differencesBetween(baseline: Comparable, head: Comparable): string[] {
  // Bare counts say nothing of how they were made.
  return baseline.fingerprint === null || head.fingerprint === null ? [] : fingerprintDifferences(baseline.fingerprint, head.fingerprint)
}

function joinTasks(baseline: Comparable, head: Comparable): GateTask[] {
  const ids = [...new Set([...baseline.tasks.keys(), ...head.tasks.keys()])].sort()
  return ids.map((id): GateTask => {
    const before = baseline.tasks.get(id)
    const now = head.tasks.get(id)
    const digests = [before?.digest, now?.digest].filter((digest) => digest !== undefined && digest !== null)
    return {
      task_id: id,
      golden: now?.golden ?? false,
      head: now?.counts ?? null,
      ...(now !== undefined && now.trials !== null ? { head_trials: now.trials } : {}),
      baseline: before?.counts ?? null,
      changed: digests.length === 2 && digests[0] !== digests[1],
      quarantine: now?.quarantine ?? null,
    }
  })
}

function describe(decision: GateDecision, differences: readonly string[]): Comparison {
  const tasks = decision.tasks.map(({ task_id: id, status, reason, baseline, head, p_value, level }) => {
    const difference = baseline?.pass_k == null || head?.pass_k == null ? null : head.pass_k - baseline.pass_k
    return [id, { status, reason, baseline: arm(baseline), head: arm(head), difference, p_value, level }] as const
  })
  return {
    schema: 'genui-eval/comparison@1',
    verdict: decision.verdict,
    reason: decision.reason,
    fingerprint_differences: differences,
    suite: decision.suite,
    smallest_drop_seen: decision.smallest_drop_seen,
    tasks: Object.fromEntries(tasks),
  }
}

function arm(estimate: TaskEstimate | null): ComparedArm | null {
  if (estimate === null) return null
  const { pass_k_interval: interval, ...counts } = estimate
  return { ...counts, interval }
}
