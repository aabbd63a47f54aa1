import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { compilePayloadSchema } from '../graders/payload.ts'
import type { Check, FailureClass, Grade } from '../model/check.ts'
import { UserError } from '../model/errors.ts'
import type { Outcome, PerformedStep } from '../model/outcome.ts'
import type { LoadedTask, Task } from '../model/task.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import { gradeSpecimen } from './grade-specimen.ts'

/** A micro-app that exists already. */
export interface AppToGrade {
  /** Names the app in the results and its screenshot folder. */
  readonly id: string
  readonly task_id: string
  readonly html: string
}

/** What `genui-eval grade --json` prints per app. */
export interface GradedApp {
  readonly id: string
  readonly task_id: string
  readonly verdict: Grade['verdict']
  readonly failure_class: FailureClass | null
  readonly score: number | null
  /** One sentence: why it failed or could not be measured, else that all passed. */
  readonly detail: string
  readonly checks: readonly Check[]
  readonly callbacks: readonly {
    readonly step: number
    readonly t_ms: number
    readonly valid: boolean
    readonly payload: unknown
    readonly reason: string | null
  }[]
  readonly reached_by: Outcome['reached_by']
  readonly steps: readonly PerformedStep[]
}

export interface GradeOptions {
  readonly items: readonly AppToGrade[]
  readonly tasks: readonly LoadedTask[]
  readonly engine: BrowserEngine
  /** Pages open at once, 1 or more. */
  readonly concurrency: number
  /** Each app's screenshots go into a subfolder named by its id; null takes none. */
  readonly screenshotFolder: string | null
  /** Told of each app when it is done, in the order in which they end. */
  readonly onGraded?: (app: GradedApp, done: number) => void
}

/**
 * Grades micro-apps in one browser. Results are in the order of the items.
 * @throws UserError when an item names no known task, or an id is used twice
 */
export async function gradeMicroApps(options: GradeOptions): Promise<GradedApp[]> {
  const tasks = new Map(options.tasks.map(({ task }) => [task.task_id, task]))
  const work = planned(options.items, tasks)
  const queue = new PQueue({ concurrency: options.concurrency })
  let done = 0
  return Promise.all(
    work.map(({ item, task }) =>
      queue.add(async () => {
        const graded = await gradeOne(item, task, options)
        done += 1
        options.onGraded?.(graded, done)
        return graded
      }),
    ),
  )
}

function planned(items: readonly AppToGrade[], tasks: ReadonlyMap<string, Task>): { item: AppToGrade; task: Task }[] {
  const ids = new Set<string>()
  const problems: { where: string; at: string; message: string }[] = []
  const work = items.flatMap((item) => {
    const task = tasks.get(item.task_id)
    if (task === undefined)
      problems.push({
        where: item.id,
        at: 'task_id',
        message: `there is no task "${item.task_id}"; known are ${[...tasks.keys()].join(', ')}`,
      })
    if (ids.has(item.id)) problems.push({ where: item.id, at: 'id', message: 'is used twice; give each app an id of its own' })
    ids.add(item.id)
    return task === undefined ? [] : [{ item, task }]
  })
  if (problems.length > 0) throw new UserError(problems)
  return work
}

async function gradeOne(item: AppToGrade, task: Task, options: GradeOptions): Promise<GradedApp> {
  const folder = options.screenshotFolder === null ? null : join(options.screenshotFolder, item.id.replace(/[^\w.-]+/gu, '_'))
  if (folder !== null) await mkdir(folder, { recursive: true })
  const { grade, outcome, trouble } = await gradeSpecimen(task, { kind: 'app', content: item.html }, options.engine, folder)
  const schema = task.expected_callback_schema
  const accepts = schema === null ? () => false : compilePayloadSchema(schema).accepts
  const firstFailed = grade.checks.find((check) => check.status === 'fail' && !check.diagnostic)
  return {
    id: item.id,
    task_id: item.task_id,
    verdict: grade.verdict,
    failure_class: grade.failure_class,
    score: grade.score,
    detail: trouble ?? firstFailed?.evidence.message ?? 'Every check that applies passed.',
    checks: grade.checks,
    callbacks: (outcome?.bridge_calls ?? []).map((call) =>
      call.ok
        ? { step: call.step, t_ms: call.t_ms, valid: accepts(call.payload), payload: call.payload, reason: null }
        : { step: call.step, t_ms: call.t_ms, valid: false, payload: null, reason: call.reason },
    ),
    reached_by: outcome?.reached_by ?? null,
    steps: outcome?.steps ?? [],
  }
}
