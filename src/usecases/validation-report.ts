import type { Grade } from '../model/check.ts'
import type { LoadedTask } from '../model/task.ts'
import { needsJudge, type SpecimenGroup, type ValidationJob } from './validation-jobs.ts'

/** One specimen that was not judged as it must be. */
export interface Miss {
  readonly task_id: string
  /** File, rule and place, or kind of fake. */
  readonly specimen: string
  readonly expected: string
  readonly seen: string
}

/** A mutant that was graded as good. */
export interface Survivor extends Miss {
  readonly rule: string
}

/** How many specimens of one mutant rule were made and killed. */
export interface RuleScore {
  readonly rule: string
  readonly made: number
  readonly killed: number
  /** Killed, but by none of the checks that the rule names. */
  readonly killed_elsewhere: number
}

/** What `genui-eval validate --json` prints. */
export interface ValidationReport {
  readonly references: { readonly passed: number; readonly total: number; readonly missed: readonly Miss[] }
  /** `passed` must be 0: an agent that does nothing (for a negative control: one that renders). */
  readonly do_nothing: { readonly passed: number; readonly total: number; readonly missed: readonly Miss[] }
  /** `needs_judge`: traps that only a rubric can catch; not in `total`, since they must pass here (`rubric_only`). */
  readonly traps: {
    readonly caught: number
    readonly total: number
    readonly missed: readonly Miss[]
    readonly needs_judge: readonly string[]
  }
  /** Traps and mutants that only a rubric can see: all must pass every deterministic check. */
  readonly rubric_only: { readonly passed: number; readonly total: number; readonly missed: readonly Miss[] }
  /** `passed` must be 0. */
  readonly fakes: { readonly passed: number; readonly total: number; readonly missed: readonly Miss[] }
  /** Fakes whose controls also change meaningless text; shown, since some rows cannot tell them without a judge. */
  readonly reactive_fakes: { readonly passed: number; readonly total: number; readonly missed: readonly Miss[] }
  readonly mutants: {
    readonly killed: number
    readonly total: number
    readonly survivors: readonly Survivor[]
    readonly killed_elsewhere: readonly Miss[]
    readonly rules: readonly RuleScore[]
  }
}

/** A job that was done. */
export interface ValidationResult {
  readonly job: ValidationJob
  readonly grade: Grade
  /** Null when it was judged as it must be. */
  readonly miss: Miss | null
}

export function reportOf(results: readonly ValidationResult[], tasks: readonly LoadedTask[]): ValidationReport {
  const of = (group: SpecimenGroup): ValidationResult[] => results.filter((result) => result.job.group === group)
  const missed = (group: SpecimenGroup): Miss[] => of(group).flatMap((result) => (result.miss === null ? [] : [result.miss]))
  const wronglyPassed = (group: SpecimenGroup) => ({
    passed: of(group).filter((result) => result.grade.verdict === 'pass').length,
    total: of(group).length,
    missed: missed(group),
  })
  return {
    references: {
      passed: of('reference').filter((result) => result.miss === null).length,
      total: of('reference').length,
      missed: missed('reference'),
    },
    do_nothing: wronglyPassed('do_nothing'),
    traps: {
      caught: of('trap').filter((result) => result.miss === null).length,
      total: of('trap').length,
      missed: missed('trap'),
      needs_judge: tasks.flatMap(({ task, traps }) =>
        traps.filter((trap) => needsJudge(trap.fails)).map((trap) => `${task.task_id}/${trap.file} (${trap.fails})`),
      ),
    },
    rubric_only: {
      passed: [...of('rubric_trap'), ...of('rubric_mutant')].filter((result) => result.miss === null).length,
      total: of('rubric_trap').length + of('rubric_mutant').length,
      missed: [...missed('rubric_trap'), ...missed('rubric_mutant')],
    },
    fakes: wronglyPassed('fake'),
    reactive_fakes: wronglyPassed('reactive_fake'),
    mutants: mutantReport(of('mutant')),
  }
}

function mutantReport(results: readonly ValidationResult[]): ValidationReport['mutants'] {
  const rules = [...new Set(results.map((result) => result.job.rule))]
  const elsewhere = results.filter((result) => result.miss === null && !result.job.atNamedCheck(result.grade))
  return {
    killed: results.filter((result) => result.miss === null).length,
    total: results.length,
    survivors: results.flatMap(({ job, miss }) => (miss === null ? [] : [{ ...miss, rule: job.rule }])),
    killed_elsewhere: elsewhere.map(({ job, grade }) => missOf(job, grade, null)),
    rules: rules.map((rule) => {
      const made = results.filter((result) => result.job.rule === rule)
      return {
        rule,
        made: made.length,
        killed: made.filter((result) => result.miss === null).length,
        killed_elsewhere: elsewhere.filter((result) => result.job.rule === rule).length,
      }
    }),
  }
}

export function missOf(job: ValidationJob, grade: Grade, trouble: string | null): Miss {
  return { task_id: job.task.task_id, specimen: job.specimen, expected: job.expected, seen: seen(grade, trouble) }
}

function seen(grade: Grade, trouble: string | null): string {
  if (grade.verdict === 'infra') return `could not be measured: ${trouble ?? grade.infra_class}`
  if (grade.verdict === 'pass') return 'passed every check'
  const failures = grade.checks.filter((check) => check.status === 'fail' && !check.diagnostic)
  return failures.map((check) => `${check.grader}.${check.name}: ${check.evidence.message}`).join(' | ')
}
