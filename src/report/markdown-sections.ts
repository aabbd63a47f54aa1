/** Sections that comment, check run and job summary share. Each returns well-formed Markdown that stands alone between blank lines. */
import { markdownTable } from 'markdown-table'
import type { Results } from '../model/results.ts'
import type { TaskEstimate } from '../model/verdict.ts'
import { intervalText, NO_FIGURE, percent, plural, spendingRow, spentParts } from './figures.ts'
import { judgeHealthText, judgeSpendingText } from './judge-report.ts'
import { codeBlock, codeSpan, ownLink, proseText } from './untrusted-text.ts'
import { gateModeText, headline, originText, shortCommit, STATUS_WORDS, VERDICT_WORDS } from './verdict-words.ts'
import { isShared, noticesBeside, sharedCount, type SharedCause } from './shared-cause.ts'
import { taskAnchor, type ReportedTask } from './selection.ts'

/** Addresses of what was published; null where it could not be. */
export interface ReportLinks {
  readonly run: string | null
  readonly report: string | null
  readonly screenshots: string | null
  readonly results: string | null
}

export const NO_LINKS: ReportLinks = { run: null, report: null, screenshots: null, results: null }

/** The verdict: heading of everything. */
export function verdictHeading(results: Results, most = 600): string {
  return `### ${VERDICT_WORDS[results.decision.verdict].sign} ${proseText(headline(results), most)}`
}

/** What was compared with what. */
export function factsLine(results: Results): string {
  const { run, decision, totals } = results
  const commit = run.head_commit === null ? [] : [`commit ${codeSpan(shortCommit(run.head_commit))}`]
  const mode = gateModeText(results)
  const facts = [
    `Plugin ${codeSpan(`${run.plugin.name} ${run.plugin.version}`, 80)}`,
    ...commit,
    `against ${proseText(originText(results.baseline_origin), 200)}`,
    `${run.suite} suite, ${plural(decision.tasks.length, 'task')}`,
    plural(totals.pass + totals.fail, 'counted trial'),
    ...(mode === null ? [] : [mode]),
  ]
  return facts.join(' · ')
}

/** A GitHub alert with the notices that fit into `mostSentences`; null when there are none. */
export function noticesAlert(results: Results, shared: SharedCause | null, mostSentences: number, mostUnits = 500): string | null {
  const sentences = noticesBeside(results, shared)
  if (sentences.length === 0) return null
  const shown = sentences.slice(0, mostSentences).map((sentence) => `> - ${proseText(sentence, mostUnits)}`)
  const more = sentences.length > mostSentences ? [`> - ${sentences.length - mostSentences} more in the report`] : []
  return ['> [!IMPORTANT]', ...shown, ...more].join('\n')
}

export function tableHead(results: Results): readonly string[] {
  return ['Task', 'Status', `pass^${results.decision.k}`, 'Passed', '95% interval', 'Commonest failure']
}

/** Keeps a short cell on one line: GitHub's tables are narrow. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0')
}

/** One task as a row of the diff table, figures as `baseline → now`; the name leads to the task in the report. */
export function tableRow(task: ReportedTask, links: ReportLinks, mostCause: number, shared: SharedCause | null): readonly string[] {
  const { verdict } = task
  const { sign, word } = STATUS_WORDS[verdict.status]
  const golden = verdict.golden ? '\u00A0★' : ''
  const quarantine = verdict.quarantine === null ? '' : `, quarantined until ${proseText(verdict.quarantine.expires, 20)}`
  const loud = verdict.status === 'regressed' ? '**' : ''
  const name = codeSpan(verdict.task_id, 80)
  return [
    `${links.report === null ? name : ownLink(name, `${links.report}#${taskAnchor(verdict.task_id)}`)}${golden}`,
    `${sign}\u00A0${loud}${word}${loud}${quarantine}`,
    unbroken(`${percent(verdict.baseline?.pass_k ?? null)} → ${loud}${percent(verdict.head?.pass_k ?? null)}${loud}`),
    unbroken(`${trialsText(verdict.baseline)} → ${trialsText(verdict.head)}`),
    unbroken(intervalText(verdict.head?.pass_k_interval ?? null)),
    causeCell(task, mostCause, shared),
  ]
}

/** Class, number of trials, and one example, unless that is the sentence told above the table. */
function causeCell({ facts, trials }: ReportedTask, most: number, shared: SharedCause | null): string {
  const cause = facts?.cause ?? null
  if (cause === null) return ''
  const told = shared !== null && trials.every((trial) => trial.verdict !== 'fail' || isShared(trial, shared))
  return `${codeSpan(cause.failure_class, 40)}\u00A0×${cause.trials}${told ? '' : `: ${proseText(cause.example, most)}`}`
}

/** The sentence that most failing trials share. */
export function sharedSection(shared: SharedCause): string {
  return `**${sharedCount(shared)}**: ${codeSpan(shared.failure_class, 40)}, ${proseText(shared.detail)}`
}

/** `4/6`; unmeasured trials of all tasks stand in a notice. */
function trialsText(estimate: TaskEstimate | null): string {
  return estimate === null ? NO_FIGURE : `${estimate.c}/${estimate.n}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const align = ['l', 'l', 'r', 'r', 'r', 'l'].slice(0, head.length)
  return markdownTable([head, ...rows], { align, alignDelimiters: false, padding: true })
}

/** A folded block. The summary is one line of HTML that the caller made inert; the content is Markdown. */
export function folded(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`
}

/** Mean pass^k of the suite in both arms, with intervals. */
export function suiteLine(results: Results): string {
  const { head, baseline } = results.decision.suite
  const before = baseline.pass_k === null ? '' : `, baseline ${percent(baseline.pass_k)} (${intervalText(baseline.interval)})`
  const once = head.pass_at_k === null ? '' : ` · pass@${results.decision.k} ${percent(head.pass_at_k)}`
  return `**Suite** pass^${results.decision.k} **${percent(head.pass_k)}** (95% interval ${intervalText(head.interval)})${before}, mean over ${plural(head.tasks, 'task')}${once}`
}

/** Total spending in one line, then the comparison by trial. */
export function spendingSection(results: Results): string {
  const { spending } = results
  const total = `**Spent** ${spentParts(spending).join(' · ')}`
  const rows = spending.comparison
    .filter((entry) => entry.head !== null)
    .map(spendingRow)
    .map((row) => [row.name, row.baseline, row.head, row.change])
  const judge = judgeLine(results)
  const totals = judge === null ? total : `${total}\n\n${judge}`
  if (rows.length === 0) return totals
  const comparison = markdownTable([['Median', 'Baseline', 'Now', 'Change'], ...rows], {
    align: ['l', 'r', 'r', 'r'],
    alignDelimiters: false,
  })
  return `${totals}\n\n${folded('Cost and time compared with the baseline', comparison)}`
}

/** What the judge took, and what is known of its reliability; null when it was off. */
function judgeLine({ judge }: Results): string | null {
  if (judge === undefined) return null
  const health = judgeHealthText(judge)
  return `**Judge** ${judgeSpendingText(judge)}${health === null ? '' : ` · measured: ${health}`}`
}

/** How to repeat the run on a developer's machine. */
export function repeatSection(results: Results): string {
  return `Repeat it locally:\n\n${codeBlock(results.run.repeat_command, 1000, 'sh')}`
}

/** Links to what was published; null when nothing was. */
export function linksLine(links: ReportLinks): string | null {
  const named: readonly (readonly [string, string | null])[] = [
    ['Report', links.report],
    ['Screenshots and transcripts', links.screenshots],
    ['Results', links.results],
    ['Run', links.run],
  ]
  const shown = named.filter(([, address]) => address !== null).map(([label, address]) => ownLink(label, address))
  return shown.length === 0 ? null : shown.join(' · ')
}
