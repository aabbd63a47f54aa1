import { gradeTrial } from '../graders/grade.ts'
import type { Grade } from '../model/check.ts'
import { DEFAULT_OUTCOME_LIMITS, type OutcomeLimits } from '../model/outcome.ts'
import type { LoadedTask, Task } from '../model/task.ts'
import { mutantsOf } from '../mutants/mutate.ts'
import { rubricMutantsOf } from '../mutants/rubric-mutants.ts'
import { rowFake, type FakeKind } from '../mutants/row-fake.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import { gradeSpecimen, NOTHING_DONE, type GradedSpecimen, type SpecimenContent } from './grade-specimen.ts'

/** What is validated. */
export type SpecimenGroup = 'reference' | 'do_nothing' | 'trap' | 'rubric_trap' | 'fake' | 'reactive_fake' | 'mutant' | 'rubric_mutant'

/** One specimen to grade, and how it must be judged. */
export interface ValidationJob {
  readonly group: SpecimenGroup
  readonly task: Task
  readonly specimen: string
  readonly rule: string
  readonly grade: () => Promise<GradedSpecimen>
  readonly expected: string
  readonly judgedRightly: (grade: Grade) => boolean
  /** For mutants: whether one of the rule's checks saw it. */
  readonly atNamedCheck: (grade: Grade) => boolean
}

/** Reference, do-nothing agent, traps and fakes of one task. */
export function jobsOf({ task, reference, traps }: LoadedTask, engine: BrowserEngine): ValidationJob[] {
  const jobs: ValidationJob[] = [
    {
      ...jobBase(task, 'reference', reference.file),
      grade: () => gradeSpecimen(task, reference, engine, null),
      expected: 'passes every deterministic check',
      judgedRightly: passes,
    },
    {
      ...jobBase(task, 'do_nothing', task.expected_tool_trigger ? 'an agent that does nothing' : 'an agent that renders'),
      grade: () => gradeIdleAgent(task, engine),
      expected: 'fails',
      judgedRightly: fails,
    },
  ]
  for (const trap of traps.filter((each) => !needsJudge(each.fails))) {
    jobs.push({
      ...jobBase(task, 'trap', trap.file),
      grade: () => gradeSpecimen(task, trap, engine, null),
      expected: `fails at ${trap.fails} (${trap.why})`,
      judgedRightly: (grade) => fails(grade) && failedChecks(grade).includes(trap.fails),
    })
  }
  // What a check can see proves nothing about the judge.
  for (const trap of traps.filter((each) => needsJudge(each.fails))) {
    jobs.push({
      ...jobBase(task, 'rubric_trap', trap.file),
      grade: () => gradeSpecimen(task, trap, engine, null),
      expected: `passes every deterministic check, since only ${trap.fails} can catch it (${trap.why})`,
      judgedRightly: passes,
    })
  }
  if (!task.expected_tool_trigger) return jobs
  for (const [group, kind] of [
    ['fake', 'plain'],
    ['reactive_fake', 'reactive'],
  ] satisfies [SpecimenGroup, FakeKind][]) {
    jobs.push({
      ...jobBase(task, group, `${kind} fake made from the row`),
      grade: () => gradeSpecimen(task, appOf(rowFake(task, kind)), engine, null),
      expected: 'fails',
      judgedRightly: fails,
    })
  }
  return jobs
}

/** Every mutant of one task's reference app. */
export function mutantJobs({ task, reference }: LoadedTask, engine: BrowserEngine): ValidationJob[] {
  if (reference.kind !== 'app') return []
  let limits: Promise<OutcomeLimits> | null = null
  const grade = async (html: string): Promise<GradedSpecimen> => {
    limits ??= gradeSpecimen(task, reference, engine, null).then(mutantLimits)
    return gradeSpecimen(task, appOf(html), engine, null, await limits)
  }
  return mutantsOf(task, reference.content).map((mutant) => ({
    ...jobBase(task, 'mutant', `${mutant.rule}: ${mutant.at}`),
    rule: mutant.rule,
    grade: () => grade(mutant.html),
    expected: `fails at ${mutant.expected_checks.join(' or ')}`,
    judgedRightly: fails,
    atNamedCheck: (grade) => failedChecks(grade).some((id) => mutant.expected_checks.some((expected) => expected === id)),
  }))
}

/** Every mutant of one task's reference app that only a rubric can see. */
export function rubricMutantJobs({ task, reference }: LoadedTask, engine: BrowserEngine): ValidationJob[] {
  if (reference.kind !== 'app') return []
  return rubricMutantsOf(task, reference.content).map((mutant) => ({
    ...jobBase(task, 'rubric_mutant', `${mutant.rule}: ${mutant.at}`),
    rule: mutant.rule,
    grade: () => gradeSpecimen(task, appOf(mutant.html), engine, null),
    expected: `passes every deterministic check, since only rubric.${mutant.rubric_id} can see it`,
    judgedRightly: passes,
  }))
}

/**
 * A mutant that works takes the way of its reference; more steps and time would only be spent on those that are dead.
 * Far above what the reference needed, so that no mutant is killed by the clock.
 */
function mutantLimits({ grade, outcome }: GradedSpecimen): OutcomeLimits {
  if (grade.verdict !== 'pass' || outcome === null) return DEFAULT_OUTCOME_LIMITS
  return {
    explorer_steps: Math.min(DEFAULT_OUTCOME_LIMITS.explorer_steps, outcome.steps.length + 8),
    page_seconds: Math.min(DEFAULT_OUTCOME_LIMITS.page_seconds, 10 + Math.ceil((4 * outcome.diagnostics.total_ms) / 1000)),
  }
}

function jobBase(
  task: Task,
  group: SpecimenGroup,
  specimen: string,
): Pick<ValidationJob, 'task' | 'group' | 'specimen' | 'rule' | 'atNamedCheck'> {
  return { task, group, specimen, rule: '', atNamedCheck: () => true }
}

/** For a positive task an agent that does nothing; for a negative control one that renders something. */
async function gradeIdleAgent(task: Task, engine: BrowserEngine): Promise<GradedSpecimen> {
  if (!task.expected_tool_trigger) return gradeSpecimen(task, appOf('<!doctype html><title>App</title><p>Here you are.</p>'), engine, null)
  const grade = gradeTrial({ task, agent: { status: 'completed' }, transcript: NOTHING_DONE, app: null, outcome: null, rubrics: [] })
  return { grade, outcome: null, trouble: null }
}

function appOf(html: string): SpecimenContent {
  return { kind: 'app', content: html }
}

/** Whether only a rubric can catch the trap. */
export function needsJudge(check: string): boolean {
  return check.startsWith('rubric.')
}

function passes(grade: Grade): boolean {
  return grade.verdict === 'pass'
}

/** Infra is neither a pass nor a fail: it proves nothing and is reported. */
function fails(grade: Grade): boolean {
  return grade.verdict === 'fail'
}

function failedChecks(grade: Grade): string[] {
  return grade.checks.filter((check) => check.status === 'fail').map((check) => `${check.grader}.${check.name}`)
}
