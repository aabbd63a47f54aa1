import type { TrialRecord } from '../model/record.ts'

interface GradeInBrief {
  readonly verdict: TrialRecord['verdict']
  readonly failure_class: string | null
  readonly infra_class: string | null
  readonly detail: string
}

/** One recorded trial under the graders of then and of now. */
export interface GradeChange {
  readonly trial_id: string
  readonly task_id: string
  /** Whether verdict or class is another. */
  readonly changed: boolean
  readonly before: GradeInBrief
  readonly after: GradeInBrief
  /** Checks whose status is another, as `grader.name: before → after`. */
  readonly checks: readonly string[]
}

/** What grading anew made of a trial. */
export function gradeChange(before: TrialRecord, after: TrialRecord): GradeChange {
  return {
    trial_id: after.trial_id,
    task_id: after.task_id,
    changed: before.verdict !== after.verdict || before.failure_class !== after.failure_class || before.infra_class !== after.infra_class,
    before: inBrief(before),
    after: inBrief(after),
    checks: checkChanges(before, after),
  }
}

function inBrief({ verdict, failure_class, infra_class, detail }: TrialRecord): GradeInBrief {
  return { verdict, failure_class, infra_class, detail }
}

function checkChanges(before: TrialRecord, after: TrialRecord): string[] {
  const statuses = ({ checks }: TrialRecord) => new Map(checks.map((check) => [`${check.grader}.${check.name}`, check.status]))
  const [then, now] = [statuses(before), statuses(after)]
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((id) => then.get(id) !== now.get(id))
    .map((id) => `${id}: ${then.get(id) ?? 'not made'} → ${now.get(id) ?? 'not made'}`)
}
