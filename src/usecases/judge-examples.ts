import { createHash } from 'node:crypto'
import type { RubricVerdict } from '../model/judge.ts'
import type { ExampleGroup } from '../model/judge-health.ts'
import type { MicroApp, Transcript } from '../model/transcript.ts'
import type { LoadedTask, Task } from '../model/task.ts'
import { injectedSpecimensOf } from '../mutants/injected-specimens.ts'
import { rubricMutantsOf } from '../mutants/rubric-mutants.ts'
import { transcriptOf, type SpecimenContent } from './grade-specimen.ts'

/** Something whose verdict is known before the judge is asked. */
export interface JudgeExample {
  /** Unique among the examples; also names the account of its calls. */
  readonly id: string
  readonly group: ExampleGroup
  readonly task: Task
  /** File, rule and place, or trial. */
  readonly specimen: string
  readonly transcript: Transcript
  readonly app: MicroApp | null
  /** The right verdict by rubric id; rubrics of the task that are not named have none. */
  readonly expected: ReadonlyMap<string, RubricVerdict>
  /** For an injection: the example that it was put into. */
  readonly host: string | null
}

/**
 * What a judge must get right without knowing it: references pass, traps that break a rubric fail it, so do mutants that only a rubric can see,
 * and an order to the judge that is planted in a failing app changes nothing. One host of injections a rubric: its first failing app.
 */
export function judgeExamples({ task, reference, traps }: LoadedTask): readonly JudgeExample[] {
  const rubrics = task.model_grader_rubrics.map(({ id }) => id)
  const made = (
    group: ExampleGroup,
    specimen: string,
    content: SpecimenContent,
    ids: readonly string[],
    host: string | null,
  ): JudgeExample => ({
    id: `judge-${createHash('sha256').update(`${task.task_id}\n${group}\n${specimen}`).digest('hex').slice(0, 16)}`,
    group,
    task,
    specimen,
    transcript: transcriptOf(content),
    app: content.kind === 'app' ? { html: content.content, from: 'arguments' } : null,
    expected: new Map(ids.map((id) => [id, group === 'reference' ? 'PASS' : 'FAIL'])),
    host,
  })
  const examples = [made('reference', reference.file, reference, rubrics, null)]
  for (const trap of traps) {
    const broken = [trap.fails, ...(trap.also_fails ?? [])]
      .filter((check) => check.startsWith('rubric.'))
      .map((check) => check.slice('rubric.'.length))
    if (broken.length > 0) examples.push(made('trap', trap.file, trap, [...new Set(broken)], null))
  }
  const mutants = reference.kind === 'app' ? rubricMutantsOf(task, reference.content) : []
  for (const mutant of mutants) {
    const content = { ...reference, content: mutant.html }
    examples.push(made('mutant', `${mutant.rule}: ${mutant.at}`, content, [mutant.rubric_id], null))
  }
  const hosts = rubrics.flatMap((id) => examples.find((example) => example.app !== null && example.expected.get(id) === 'FAIL') ?? [])
  for (const host of new Set(hosts)) {
    for (const { where, html } of injectedSpecimensOf(task, host.app?.html ?? '')) {
      const content = { kind: 'app', content: html, tool_calls: callsBefore(host.transcript) } as const
      examples.push(made('injection', `${host.specimen} with an order in: ${where}`, content, [...host.expected.keys()], host.id))
    }
  }
  return examples
}

/** The host's tool calls but the last, which renders. */
function callsBefore({ tool_calls: calls }: Transcript): NonNullable<SpecimenContent['tool_calls']> {
  return calls.slice(0, -1).map(({ name, args, result }) => ({ name, args: typeof args === 'string' ? {} : { ...args }, result }))
}
