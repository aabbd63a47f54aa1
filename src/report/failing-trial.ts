/** One failing trial in Markdown: what failed, the evidence, what was asked, what was done. */
import type { TrialRecord } from '../model/record.ts'
import { codeBlock, codeSpan, htmlCode, ownLink, proseText, safeAddress } from './untrusted-text.ts'
import { plural } from './figures.ts'
import { checkId, trialAnchor, type FailingTrial } from './selection.ts'
import { folded, type ReportLinks } from './markdown-sections.ts'
import { cutText, visibleLine, visibleText } from './visible-text.ts'

/** UTF-16 units and items kept of each part; 0 leaves the part out. */
interface Detail {
  readonly evidence: number
  readonly items: number
  readonly prompt: number
  readonly steps: number
  readonly payload: number
}

const FULL: Detail = { evidence: 800, items: 12, prompt: 600, steps: 20, payload: 800 }
const MEDIUM: Detail = { evidence: 300, items: 5, prompt: 200, steps: 6, payload: 200 }
const BRIEF: Detail = { evidence: 160, items: 0, prompt: 0, steps: 0, payload: 0 }

/** Public addresses of screenshots by their path in the run folder, where pictures are published (off by default). */
export type Pictures = Readonly<Record<string, string>>

/** The trial told at length, shorter, and in one sentence. */
export function failingTrialTellings(
  failing: FailingTrial,
  links: ReportLinks,
  pictures: Pictures = {},
): readonly [string, string, string] {
  return [tell(failing, links, pictures, FULL), tell(failing, links, {}, MEDIUM), tell(failing, links, {}, BRIEF)]
}

function tell({ trial, check, task }: FailingTrial, links: ReportLinks, pictures: Pictures, detail: Detail): string {
  const what = htmlCode(trial.failure_class ?? 'failed', 40)
  const where = check === null ? '' : ` at ${htmlCode(checkId(check), 80)}`
  const parts = [
    proseText(check?.evidence.message ?? trial.detail, detail.evidence),
    evidenceBlock(check, detail),
    detail.prompt > 0 && task.facts !== null
      ? `**Prompt**\n\n${codeBlock(wrapped(cutText(visibleText(task.facts.user_prompt), detail.prompt)), detail.prompt * 2)}`
      : null,
    stepsBlock(trial, detail.steps),
    payloadBlock(trial, detail.payload),
    picture(trial, check, pictures),
    evidenceLink(trial, links),
  ].filter((part) => part !== null)
  return folded(`${htmlCode(trial.task_id, 80)} trial ${trial.index + 1}: ${what}${where}`, parts.join('\n\n'))
}

/** GitHub does not wrap the lines of a code block. */
function wrapped(text: string): string {
  return text.replace(/(?=.{97})(.{1,96}) +(?=\S)/gu, '$1\n')
}

function evidenceBlock(check: FailingTrial['check'], detail: Detail): string | null {
  if (check === null || detail.items === 0) return null
  const { expected, seen, selector, step, items } = check.evidence
  const line = (label: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${label.padEnd(9)} ${cutText(visibleLine(value), detail.evidence)}`]
  const unmet = (items ?? []).filter((item) => !item.met)
  const lines = [
    ...line('expected', expected),
    ...line('seen', seen),
    ...line('selector', selector),
    ...line('after', step === undefined ? undefined : step === 0 ? 'loading' : `step ${step}`),
    ...unmet
      .slice(0, detail.items)
      .flatMap((item) => line('unmet', item.how === '' ? item.requirement : `${item.requirement}: ${item.how}`)),
    ...(unmet.length > detail.items ? [`… ${unmet.length - detail.items} more unmet`] : []),
  ]
  return lines.length === 0 ? null : codeBlock(lines.join('\n'), 4 * detail.evidence + 200 * detail.items)
}

/** One line a step: number, who, what, on what, what came of it. Plain text. */
export function stepText(step: TrialRecord['steps'][number]): string {
  const name = step.name === '' ? step.target : `“${step.name}”`
  const value = step.value === null ? '' : ` = ${step.value}`
  const came = [
    step.status === 'done' ? null : step.status === 'no_match' ? 'nothing suitable found' : 'failed',
    step.changed === false ? 'changed nothing' : null,
    step.sent ? 'sent a callback' : null,
    step.detail === '' ? null : step.detail,
  ].filter((part) => part !== null)
  return visibleLine(`${step.number}. ${step.action} ${name}${value}${came.length === 0 ? '' : ` (${came.join(', ')})`}`)
}

function stepsBlock(trial: TrialRecord, most: number): string | null {
  if (most === 0 || trial.steps.length === 0) return null
  const lines = trial.steps.slice(0, most).map((step) => cutText(stepText(step), 200))
  const more = trial.steps.length > most ? [`… ${plural(trial.steps.length - most, 'more step')}`] : []
  return `**Steps**\n\n${codeBlock([...lines, ...more].join('\n'), most * 210)}`
}

function payloadBlock(trial: TrialRecord, most: number): string | null {
  if (most === 0) return null
  const last = trial.callbacks.findLast((callback) => !callback.valid) ?? trial.callbacks.at(-1)
  if (last === undefined) return null
  const reason = last.reason === null ? '' : ` ${proseText(last.reason, 300)}`
  return `**Callback** after step ${last.step}${last.valid ? '' : ', not valid:'}${reason}\n\n${codeBlock(JSON.stringify(last.payload, null, 2) ?? 'undefined', most, 'json')}`
}

/** The screenshot that shows best what failed, as a path in the run folder. */
export function screenshotOf(trial: TrialRecord, check: FailingTrial['check']): string | undefined {
  // a check names the file alone, the record where it stands
  const named = check?.evidence.screenshot
  const found = named === undefined ? undefined : trial.screenshots.find((path) => path === named || path.endsWith(`/${named}`))
  return found ?? trial.screenshots.at(-1)
}

function picture(trial: TrialRecord, check: FailingTrial['check'], pictures: Pictures): string | null {
  const path = screenshotOf(trial, check)
  const address = path === undefined ? null : safeAddress(pictures[path] ?? null)
  return address === null ? null : `<img alt="Screenshot of the failing trial" width="480" src="${address}">`
}

function evidenceLink(trial: TrialRecord, links: ReportLinks): string | null {
  if (links.report !== null) return ownLink('Screenshots and transcript of this trial', `${links.report}#${trialAnchor(trial.trial_id)}`)
  if (links.screenshots === null) return null
  const path = trial.screenshots.at(-1)
  return `${ownLink('Screenshots', links.screenshots)}${path === undefined ? '' : ` in ${codeSpan(path)}`}`
}
