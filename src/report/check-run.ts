/** Results → the content of a check run: conclusion, title, summary, text and annotations within the API's limits. */
import type { Results } from '../model/results.ts'
import type { TaskVerdict } from '../model/verdict.ts'
import { failingTrialTellings } from './failing-trial.ts'
import { countsText, percent } from './figures.ts'
import { markdownReport } from './markdown-report.ts'
import type { ReportLinks } from './markdown-sections.ts'
import { Room, fitAll } from './room.ts'
import { failingTrials, reportedTasks, type ReportedTask } from './selection.ts'
import { annotationText, titleText } from './untrusted-text.ts'
import { headline } from './verdict-words.ts'

export type CheckConclusion = 'success' | 'failure' | 'neutral'

/** Where a task's annotation is put: a file of the repository, lines from 1. */
export interface FileLocation {
  readonly path: string
  readonly start_line?: number
  readonly end_line?: number
}

/** As the Checks API takes it. */
export interface CheckAnnotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly title: string
  readonly message: string
}

export interface CheckRunOptions {
  readonly links: ReportLinks
  /** What an inconclusive run does to the check. `neutral` counts as satisfied on GitHub, so it must be asked for. */
  readonly onInconclusive: 'fail' | 'warn'
  /** File to annotate by task; a task that is not in it gets no annotation. */
  readonly locations: Readonly<Record<string, FileLocation>>
}

export interface CheckRunContent {
  readonly conclusion: CheckConclusion
  readonly title: string
  readonly summary: string
  readonly text: string
  readonly annotations: readonly CheckAnnotation[]
  /** The annotations in requests of 50 at most. */
  readonly batches: readonly (readonly CheckAnnotation[])[]
  readonly leftOut: readonly string[]
}

/** The API takes 65,535 characters in `summary` and in `text`; bytes are held below it too, since the unit is not documented. */
const TEXT_LIMIT = 65_000
const BATCH = 50
const MESSAGE_BYTES = 8_000

export function checkRun(results: Results, options: CheckRunOptions): CheckRunContent {
  const { links, locations } = options
  const summary = markdownReport(results, {
    maxBytes: TEXT_LIMIT,
    maxUnits: TEXT_LIMIT,
    links,
    pictures: {},
    before: [],
    trials: 'elsewhere',
  })
  const tasks = reportedTasks(results)
  const failing = failingTrials(tasks)
  const trials = fitAll(
    failing.map((entry) => failingTrialTellings(entry, links)),
    new Room({ maxBytes: TEXT_LIMIT - 200, maxUnits: TEXT_LIMIT - 200 }),
  )
  const more = trials.left === 0 ? [] : [`*${trials.left} more in the report.*`]
  const annotations = tasks.flatMap((task) => annotation(task, results.decision.k, locations))
  return {
    conclusion: checkConclusion(results, options.onInconclusive),
    title: titleText(headline(results)),
    summary: summary.body,
    text: [...trials.blocks, ...more].join('\n\n'),
    annotations,
    batches: Array.from({ length: Math.ceil(annotations.length / BATCH) }, (_, index) =>
      annotations.slice(index * BATCH, (index + 1) * BATCH),
    ),
    leftOut: [...summary.leftOut, ...(trials.left === 0 ? [] : [`${trials.left} failing trials`])],
  }
}

/** The check follows the verdict. What was not decided is no success unless the user says so. */
export function checkConclusion(results: Results, onInconclusive: 'fail' | 'warn'): CheckConclusion {
  switch (results.decision.verdict) {
    case 'pass':
      return 'success'
    case 'fail':
      return 'failure'
    case 'inconclusive':
      return onInconclusive === 'warn' ? 'neutral' : 'failure'
  }
}

const LEVELS: Partial<Record<TaskVerdict['status'], CheckAnnotation['annotation_level']>> = {
  regressed: 'failure',
  suspect: 'warning',
  unmeasured: 'warning',
}

/** A path inside the repository, as git spells it. */
function isRepositoryPath(path: string): boolean {
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !path.includes('\\') &&
    !path.split('/').some((part) => part === '..' || part === '.' || part === '')
  )
}

function annotation(task: ReportedTask, k: number, locations: CheckRunOptions['locations']): readonly CheckAnnotation[] {
  const { verdict, facts } = task
  const level = LEVELS[verdict.status]
  const location = Object.hasOwn(locations, verdict.task_id) ? locations[verdict.task_id] : undefined
  if (level === undefined || location === undefined || !isRepositoryPath(location.path)) return []
  const start = location.start_line ?? 1
  const cause = facts?.cause ?? null
  const lines = [
    verdict.reason,
    `pass^${k}: ${percent(verdict.baseline?.pass_k ?? null)} → ${percent(verdict.head?.pass_k ?? null)}, passed ${countsText(verdict.baseline)} → ${countsText(verdict.head)}`,
    ...(cause === null ? [] : [`${cause.failure_class} in ${cause.trials} of the trials, e.g. ${cause.example}`]),
  ]
  return [
    {
      path: location.path,
      start_line: start,
      end_line: Math.max(start, location.end_line ?? start),
      annotation_level: verdict.quarantine === null ? level : 'warning',
      title: titleText(`${verdict.task_id}: ${verdict.status}`),
      message: annotationText(lines.join('\n'), MESSAGE_BYTES) || '(empty)',
    },
  ]
}
