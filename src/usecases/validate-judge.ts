import { writeFile } from 'node:fs/promises'
import type { PriceTable } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import type { ChosenJudge } from '../model/judge-choice.ts'
import type { Suite } from '../model/task.ts'
import { loadTasks } from '../tasks/load.ts'
import type { RenderingOptions } from './grade-files.ts'
import { checkJudge } from './check-judge.ts'
import { judgeExamples } from './judge-examples.ts'
import { healthDocument, type FullJudgeHealth } from './judge-health-document.ts'
import { isOperated } from './judge-material.ts'
import { labelledExamples } from './labelled-examples.ts'
import { measureJudge, type Judged } from './measure-judge.ts'
import { openBrowser } from './open-browser.ts'
import { openJudge } from './open-judge.ts'

export interface ValidateJudgeOptions extends RenderingOptions {
  readonly tasks_folder: string
  readonly suite: Suite | null
  readonly task_ids: readonly string[] | null
  readonly judge: ChosenJudge
  readonly prices: PriceTable | null
  /** Further tries of a call that the service did not answer; an answer that is no verdict is not asked for again. */
  readonly retries: number
  readonly max_cost_usd: number | null
  /** How often every question is asked; more than once asks past the cache. */
  readonly repeat: number
  /** Null = no labels. */
  readonly labels: { readonly file: string; readonly run_folder: string } | null
  /** Where the health is kept for the gate; null = nowhere. */
  readonly health_file: string | null
  readonly signal: AbortSignal
  readonly onJudged: (judged: readonly Judged[], done: number, planned: number) => void
}

/** Questions put to the judge at once; the relay asks fewer where the service limits the rate. */
const QUESTIONS_AT_ONCE = 6

/**
 * Measures how far a judge can be trusted, on examples whose verdict is known, and on people's labels where they are given.
 * @throws UserError when there is nothing to measure on, or an input is bad
 */
export async function validateJudge(options: ValidateJudgeOptions): Promise<FullJudgeHealth> {
  const { fingerprint } = await checkJudge({ ...options.judge, health_file: null }, { agent_model: null, gates: false })
  const tasks = await loadTasks(options.tasks_folder, {
    ...(options.suite === null ? {} : { suite: options.suite }),
    ...(options.task_ids === null ? {} : { ids: options.task_ids }),
  })
  const labelled = options.labels === null ? null : await labelledExamples(options.labels.file, options.labels.run_folder, tasks)
  const examples = [...tasks.flatMap(judgeExamples), ...(labelled?.examples ?? [])].filter(({ expected }) => expected.size > 0)
  if (examples.length === 0) throw new UserError('none of these tasks has a rubric, so there is nothing to measure a judge on')
  await using open = new AsyncDisposableStack()
  const { prices, retries, max_cost_usd, repeat, concurrency, signal, onJudged } = options
  const choice = repeat > 1 ? { ...options.judge, cache_folder: null } : options.judge
  const surroundings = { prices, retries, judging_retries: 0, concurrency: QUESTIONS_AT_ONCE, max_cost_usd, wire_log_folder: null }
  const judge = open.adopt(await openJudge(choice, surroundings), (opened) => opened.close())
  const engine = examples.some(isOperated) ? open.adopt(await openBrowser(options), (opened) => opened.close()) : null
  const { screenshots } = choice.settings
  const questions = QUESTIONS_AT_ONCE
  const measurement = await measureJudge({ examples, judge, engine, screenshots, repeat, concurrency, questions, signal, onJudged })
  const health = healthDocument(measurement, {
    fingerprint,
    measured_at: new Date().toISOString(),
    labels_left_out: labelled?.left_out ?? null,
  })
  if (options.health_file !== null) await writeFile(options.health_file, `${JSON.stringify(health, null, 2)}\n`)
  return health
}
