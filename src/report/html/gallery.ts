/** Screenshots by step, this build beside the baseline. Every picture is embedded once. */
import type { TrialRecord } from '../../model/record.ts'
import type { ReportedTask } from '../selection.ts'
import { imageSource, markup, type Markup } from './markup.ts'
import { baseGalleryTrial, galleryTrial, type ReportMedia } from './media.ts'

function figure(uri: string | undefined, caption: string, alternative: string): Markup | null {
  const source = imageSource(uri)
  if (source === null) return null
  return markup`<figure><img loading="lazy" decoding="async" alt="${alternative}" src="${source}"><figcaption>${caption}</figcaption></figure>`
}

/** `trials/x/02-after-step-1.png` → `02 after step 1`. */
function caption(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/u, '')
  return name.replace(/[-_]+/gu, ' ')
}

/** The screenshots of one trial; null when none is embedded. */
export function pictureStrip(trial: TrialRecord, screenshots: ReportMedia['screenshots']): Markup | null {
  const figures = trial.screenshots
    .map((path, index) => figure(screenshots[path], caption(path), `Screenshot ${index + 1} of trial ${trial.index + 1}`))
    .filter((each) => each !== null)
  return figures.length === 0 ? null : markup`<div class="strip">${figures}</div>`
}

/** Head beside baseline where the baseline has pictures, else head alone; null without any. */
export function taskGallery(task: ReportedTask, media: ReportMedia): Markup | null {
  const head = galleryTrial(task)
  const headStrip = head === null ? null : pictureStrip(head, media.screenshots)
  const base = baseGalleryTrial(task)
  const kept = (media.baselineScreenshots?.[task.verdict.task_id] ?? [])
    .map((uri, index) => figure(uri, index === 0 ? 'after loading' : `after step ${index}`, `Baseline screenshot ${index + 1}`))
    .filter((each) => each !== null)
  const baseStrip =
    base === null ? (kept.length === 0 ? null : markup`<div class="strip">${kept}</div>`) : pictureStrip(base, media.screenshots)
  if (headStrip === null && baseStrip === null) return null
  const side = (title: string, note: string, strip: Markup | null): Markup =>
    markup`<div><h4>${title} <span class="quiet">${note}</span></h4>${strip ?? markup`<p class="quiet">No screenshot.</p>`}</div>`
  const headNote = head === null ? '' : `trial ${head.index + 1}, ${head.failure_class ?? head.verdict}`
  return markup`<div class="gallery${baseStrip === null ? '' : ' pair'}">${baseStrip === null ? null : side('Baseline', base === null ? '' : `trial ${base.index + 1}, ${base.verdict}`, baseStrip)}${side('This build', headNote, headStrip)}</div>`
}
