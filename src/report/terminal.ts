/** Results → what a person at a terminal reads. Widths are in columns, wide characters counted as two. */
import stringWidth from 'string-width'
import type { Results } from '../model/results.ts'
import type { RunVerdictName, TaskStatus } from '../model/verdict.ts'
import { countsText, intervalText, percent, plural, spendingRow, spentParts } from './figures.ts'
import { judgeHealthText, judgeSpendingText } from './judge-report.ts'
import { reportedTasks, type ReportedTask } from './selection.ts'
import { isShared, noticesBeside, sharedCause, sharedCount, whatFailed, type SharedCause } from './shared-cause.ts'
import { inertLogLine } from './untrusted-text.ts'
import { headline, originText, sensitivitySentence } from './verdict-words.ts'

type Paint = (text: string) => string

/** Colours; `picocolors.createColors(flag)` fits. */
export interface Painter {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const same: Paint = (text) => text
export const NO_COLOURS: Painter = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

export interface TerminalOptions {
  readonly paint: Painter
  /** Columns of the terminal; at least 40 are used. */
  readonly width: number
}

const VERDICT_SIGN: Readonly<Record<RunVerdictName, string>> = { pass: '✔', fail: '✘', inconclusive: '?' }
const STATUS_SIGN: Readonly<Record<TaskStatus, string>> = {
  regressed: '✘',
  suspect: '!',
  unmeasured: '?',
  changed: '~',
  new: '+',
  removed: '−',
  improved: '▲',
  stable: '·',
}

function statusPaint(status: TaskStatus, paint: Painter): Paint {
  if (status === 'regressed') return paint.red
  if (status === 'suspect' || status === 'unmeasured') return paint.yellow
  if (status === 'improved') return paint.green
  return status === 'stable' ? paint.dim : paint.cyan
}

function verdictPaint(verdict: RunVerdictName, paint: Painter): Paint {
  return verdict === 'pass' ? paint.green : verdict === 'fail' ? paint.red : paint.yellow
}

/** The whole report, lines separated by `\n`, none wider than the terminal where it can be helped. */
export function terminalReport(results: Results, options: TerminalOptions): string {
  const { paint } = options
  const width = Math.max(40, Math.floor(options.width))
  const tasks = reportedTasks(results)
  const { decision, spending } = results
  const colour = verdictPaint(decision.verdict, paint)
  const { head, baseline } = decision.suite
  const suite = `suite pass^${decision.k} ${percent(head.pass_k)} (${intervalText(head.interval)})${baseline.pass_k === null ? '' : `, baseline ${percent(baseline.pass_k)} (${intervalText(baseline.interval)})`}`
  const comparison = spending.comparison
    .filter((entry) => entry.head !== null)
    .map(spendingRow)
    .map((row) => `${row.name.toLowerCase()} ${row.baseline} → ${row.head}${row.change === '' ? '' : ` (${row.change})`}`)
  const sensitivity = sensitivitySentence(results)
  const shared = sharedCause(results)
  return [
    ...wrap(`${VERDICT_SIGN[decision.verdict]} ${headline(results)}`, width).map((line) => paint.bold(colour(line))),
    ...wrap(`compared with ${originText(results.baseline_origin)}`, width).map(paint.dim),
    ...noticesBeside(results, shared).flatMap((notice) => wrap(`! ${notice}`, width, '  ').map(paint.yellow)),
    '',
    ...taskTable(tasks, decision.k, width, paint),
    '',
    ...sharedLines(shared, width).map(paint.red),
    ...tasks.filter((task) => task.verdict.status !== 'stable').flatMap((task) => taskFailures(task, shared, width, paint)),
    ...wrap(suite, width),
    ...(sensitivity === null ? [] : wrap(sensitivity, width).map(paint.dim)),
    ...wrap(`spent ${spentParts(spending).join(', ')}`, width),
    ...comparison.flatMap((line) => wrap(line, width, '  ')).map(paint.dim),
    ...judgeLines(results).flatMap((line) => wrap(line, width, '  ')),
    '',
    `repeat: ${paint.cyan(inertLogLine(results.run.repeat_command))}`,
  ].join('\n')
}

function judgeLines({ judge }: Results): string[] {
  if (judge === undefined) return []
  const health = judgeHealthText(judge)
  return [`judge ${judgeSpendingText(judge)}`, ...(health === null ? [] : [`judge measured: ${health}`])]
}

/** Greedy wrapping by display width; continuation lines are indented. */
function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of inertLogLine(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

function cutWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (stringWidth(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

function pad(text: string, width: number, right: boolean): string {
  const fill = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? fill + text : text + fill
}

interface Column {
  readonly title: string
  readonly right: boolean
  readonly cell: (task: ReportedTask) => string
}

function taskTable(tasks: readonly ReportedTask[], k: number, width: number, paint: Painter): string[] {
  const all: readonly Column[] = [
    { title: 'task', right: false, cell: ({ verdict }) => `${STATUS_SIGN[verdict.status]} ${inertLogLine(verdict.task_id, 64)}` },
    { title: `base pass^${k}`, right: true, cell: ({ verdict }) => percent(verdict.baseline?.pass_k ?? null) },
    { title: 'now', right: true, cell: ({ verdict }) => percent(verdict.head?.pass_k ?? null) },
    { title: 'passed', right: true, cell: ({ verdict }) => countsText(verdict.head) },
    { title: '95% interval', right: true, cell: ({ verdict }) => intervalText(verdict.head?.pass_k_interval ?? null) },
    { title: 'status', right: false, cell: ({ verdict }) => `${verdict.status}${verdict.quarantine === null ? '' : ' (quarantined)'}` },
    {
      title: 'cause',
      right: false,
      cell: ({ facts }) => (facts?.cause ? `${inertLogLine(facts.cause.failure_class, 40)} ×${facts.cause.trials}` : ''),
    },
  ]
  // On a narrow terminal the least needed columns go first.
  const dropOrder = ['95% interval', 'cause', 'passed', `base pass^${k}`]
  let columns = all
  const cells = (column: Column): readonly string[] => [column.title, ...tasks.map(column.cell)]
  const widths = (of: readonly Column[]): number[] => of.map((column) => Math.max(...cells(column).map((cell) => stringWidth(cell))))
  const total = (of: readonly Column[]): number => widths(of).reduce((sum, each) => sum + each + 2, -2)
  for (const title of dropOrder) if (total(columns) > width) columns = columns.filter((column) => column.title !== title)
  const columnWidths = widths(columns)
  const excess = total(columns) - width
  if (excess > 0) columnWidths[0] = Math.max(12, (columnWidths[0] ?? 12) - excess)
  const row = (texts: readonly string[]): string =>
    texts
      .map((text, index) => pad(cutWidth(text, columnWidths[index] ?? 0), columnWidths[index] ?? 0, columns[index]?.right ?? false))
      .join('  ')
      .trimEnd()
  return [
    paint.dim(row(columns.map((column) => column.title))),
    ...tasks.map((task) => statusPaint(task.verdict.status, paint)(row(columns.map((column) => column.cell(task))))),
  ]
}

function sharedLines(shared: SharedCause | null, width: number): string[] {
  if (shared === null) return []
  return [...wrap(`${sharedCount(shared)}: ${shared.failure_class} ${shared.detail}`, width, '  '), '']
}

/** `1–3, 5` of ascending whole numbers. */
function ranges(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && run.last === number - 1) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}

/** Sentences of one task that are told; trials that say the same share one. */
const MOST_SENTENCES = 3

function taskFailures(task: ReportedTask, shared: SharedCause | null, width: number, paint: Painter): string[] {
  const failing = task.trials.filter((trial) => trial.verdict === 'fail')
  if (failing.length === 0 && task.verdict.status !== 'regressed') return []
  const own = failing.filter((trial) => !isShared(trial, shared))
  const groups = [...Map.groupBy(own, (trial) => `${trial.failure_class ?? ''} ${whatFailed(trial)}`)]
  const shown = groups.slice(0, MOST_SENTENCES).flatMap(([sentence, alike]) => {
    const numbers = ranges(alike.map((trial) => trial.index + 1))
    return wrap(`${alike.length === 1 ? 'trial' : 'trials'} ${numbers} ${sentence}`, width - 2, '  ').map((line) => `  ${line}`)
  })
  const left = groups.slice(MOST_SENTENCES).reduce((sum, [, alike]) => sum + alike.length, 0)
  const more = left > 0 ? [paint.dim(`  … ${plural(left, 'more failing trial')}`)] : []
  const reason = wrap(`${task.verdict.task_id}: ${task.verdict.reason}`, width, '  ').map((line, index) =>
    index === 0 ? paint.bold(line) : line,
  )
  return [...reason, ...shown, ...more, '']
}
