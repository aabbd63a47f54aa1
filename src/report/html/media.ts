/** What the report embeds besides results, and which of it when there is too much. */
import type { TrialRecord } from '../../model/record.ts'
import type { Transcript } from '../../model/transcript.ts'
import { plural } from '../figures.ts'
import type { ReportedTask } from '../selection.ts'

export interface ReportMedia {
  /** Data URIs by path in the run folder. */
  readonly screenshots: Readonly<Record<string, string>>
  readonly transcripts: Readonly<Record<string, Transcript>>
  /** Documents of micro-apps by trial. */
  readonly apps: Readonly<Record<string, string>>
  /** Data URIs by task, in the order of steps, where the baseline kept pictures. Trials of the base arm show theirs anyway. */
  readonly baselineScreenshots?: Readonly<Record<string, readonly string[]>>
  /** Schemas that payloads were held against, by task. */
  readonly callbackSchemas?: Readonly<Record<string, unknown>>
}

export interface ChosenMedia {
  readonly media: ReportMedia
  /** In words: `12 screenshots`. */
  readonly leftOut: readonly string[]
}

/** Characters of one transcript's tool results and messages together that are kept. */
const TRANSCRIPT_SHARE = 400_000

/**
 * Media that fit into `most` characters: tasks in their order, of each the trial shown in its gallery first, then failing
 * trials, then the rest.
 */
export function chooseMedia(tasks: readonly ReportedTask[], media: ReportMedia, most: number): ChosenMedia {
  let room = most
  const left = { screenshots: 0, transcripts: 0, apps: 0 }
  const screenshots: Record<string, string> = {}
  const transcripts: Record<string, Transcript> = {}
  const apps: Record<string, string> = {}
  const baselineScreenshots: Record<string, readonly string[]> = {}
  const take = (size: number): boolean => {
    if (size > room) return false
    room -= size
    return true
  }
  const takeTrial = (trial: TrialRecord): void => {
    for (const path of trial.screenshots) {
      const uri = media.screenshots[path]
      if (uri === undefined) continue
      if (take(uri.length)) screenshots[path] = uri
      else left.screenshots += 1
    }
    const transcript = media.transcripts[trial.trial_id]
    if (transcript !== undefined) {
      if (take(Math.min(TRANSCRIPT_SHARE, JSON.stringify(transcript).length))) transcripts[trial.trial_id] = transcript
      else left.transcripts += 1
    }
    const app = media.apps[trial.trial_id]
    if (app !== undefined) {
      if (take(app.length)) apps[trial.trial_id] = app
      else left.apps += 1
    }
  }
  const shown = tasks.map(galleryTrial)
  for (const [index, task] of tasks.entries()) {
    const head = shown[index]
    if (head !== null && head !== undefined) takeTrial(head)
    const base = baseGalleryTrial(task)
    if (base !== null) takeTrial(base)
    const kept = media.baselineScreenshots?.[task.verdict.task_id]
    if (kept === undefined || base !== null) continue
    const size = kept.reduce((sum, uri) => sum + uri.length, 0)
    if (take(size)) baselineScreenshots[task.verdict.task_id] = kept
    else left.screenshots += kept.length
  }
  const rest = tasks.flatMap((task, index) =>
    [...task.trials, ...task.baseTrials].filter((trial) => trial !== shown[index] && trial !== baseGalleryTrial(task)),
  )
  for (const trial of rest.filter((each) => each.verdict === 'fail')) takeTrial(trial)
  for (const trial of rest.filter((each) => each.verdict !== 'fail')) takeTrial(trial)
  const schemas = media.callbackSchemas === undefined ? {} : { callbackSchemas: media.callbackSchemas }
  return {
    media: { screenshots, transcripts, apps, baselineScreenshots, ...schemas },
    leftOut: [
      ...(left.screenshots > 0 ? [plural(left.screenshots, 'screenshot')] : []),
      ...(left.transcripts > 0 ? [plural(left.transcripts, 'transcript')] : []),
      ...(left.apps > 0 ? [plural(left.apps, 'micro-app')] : []),
    ],
  }
}

/** The trial whose pictures stand for the task: the first that failed with pictures, else the first with pictures. */
export function galleryTrial(task: ReportedTask): TrialRecord | null {
  const pictured = task.trials.filter((trial) => trial.screenshots.length > 0)
  return pictured.find((trial) => trial.verdict === 'fail') ?? pictured[0] ?? null
}

/** Its counterpart in the base arm: the first that passed with pictures. */
export function baseGalleryTrial(task: ReportedTask): TrialRecord | null {
  const pictured = task.baseTrials.filter((trial) => trial.screenshots.length > 0)
  return pictured.find((trial) => trial.verdict === 'pass') ?? pictured[0] ?? null
}
