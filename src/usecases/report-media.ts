import { basename } from 'node:path'
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import type { Task } from '../model/task.ts'
import type { Transcript } from '../model/transcript.ts'
import type { RunFolder } from '../records/run-folder.ts'
import { MEDIA_LIMIT, type ReportMedia } from '../report/html/report.ts'

/** Screenshots of a task's first failing trial that the report embeds at most, and of its further ones; the run folder keeps all. */
const MOST_OF_A_FAILURE = 12
const MOST_OF_A_FURTHER_FAILURE = 4

/** Characters of media for thirty trials: what a browser opens at once. */
const LIMIT_OF_THIRTY_TRIALS = 14_000_000

/** Characters of embedded media that a report of so many trials may hold. */
export function mediaLimitFor(trials: number): number {
  return Math.min(MEDIA_LIMIT, Math.round(LIMIT_OF_THIRTY_TRIALS * Math.max(1, trials / 30)))
}

/**
 * Screenshots, transcripts and apps that the report embeds, and the schemas that payloads were held against.
 * @param tasks tasks of the run; one that is not among them is shown without its schema
 */
export async function readMedia(results: Results, folder: RunFolder, tasks: readonly Task[]): Promise<ReportMedia> {
  const screenshots: Record<string, string> = {}
  const transcripts: Record<string, Transcript> = {}
  const apps: Record<string, string> = {}
  const failedTasks = new Set<string>()
  for (const trial of results.trials) {
    const most = failedTasks.has(`${trial.task_id} ${trial.arm}`) ? MOST_OF_A_FURTHER_FAILURE : MOST_OF_A_FAILURE
    if (trial.verdict === 'fail') failedTasks.add(`${trial.task_id} ${trial.arm}`)
    for (const path of telling(trial, most).filter(isOwnFile)) {
      const uri = await folder.screenshotUri(path)
      if (uri !== null) screenshots[path] = uri
    }
    const transcript = await readOwn(trial.transcript_file, (file) => folder.transcript(file))
    if (transcript !== null) transcripts[trial.trial_id] = transcript
    const app = await readOwn(trial.app_file, (file) => folder.read(file))
    if (app !== null) apps[trial.trial_id] = app
  }
  const schemas = tasks
    .filter((task) => task.expected_callback_schema !== null)
    .map((task) => [task.task_id, task.expected_callback_schema])
  return { screenshots, transcripts, apps, callbackSchemas: Object.fromEntries(schemas) }
}

async function readOwn<T>(file: string | null, read: (file: string) => Promise<T | null>): Promise<T | null> {
  return file !== null && isOwnFile(file) ? read(file) : null
}

/** Results may come from elsewhere (an artifact): what they name must not lead out of the run folder. */
function isOwnFile(path: string): boolean {
  return path.startsWith('trials/') && !path.split(/[/\\]/).includes('..')
}

/**
 * Pictures that tell what happened, so that a long run stays a file that a browser opens at once: of a trial that passed the first and the
 * last, of one that failed also those around the failing step.
 */
function telling({ verdict, screenshots, checks, failure_class: failureClass }: TrialRecord, most: number): readonly string[] {
  const last = screenshots.length - 1
  const ends = new Set([0, last])
  if (verdict === 'pass' || screenshots.length <= 2) return screenshots.filter((_, index) => ends.has(index))
  const failed = checks.filter((check) => check.status === 'fail' && !check.diagnostic)
  const evidence = (failed.find((check) => check.failure_class === failureClass) ?? failed[0])?.evidence
  const named = screenshots.findIndex((path) => evidence?.screenshot !== undefined && basename(path) === basename(evidence.screenshot))
  const middle = named !== -1 ? named : Math.min(evidence?.state ?? evidence?.step ?? last, last)
  const nearest = [...screenshots.keys()].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b)
  const kept = new Set([...new Set([...ends, ...nearest])].slice(0, most))
  return screenshots.filter((_, index) => kept.has(index))
}
