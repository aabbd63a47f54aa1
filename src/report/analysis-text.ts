/** An analysis for a person at a terminal. */
import stringWidth from 'string-width'
import type { GroupAnalysis, RunAnalysis } from './analysis.ts'
import type { RunComparison } from './analysis-comparison.ts'
import type { TwinAgreement } from '../model/twin.ts'
import { duration, intervalText, NO_FIGURE, percent, plural, quantity, usd } from './figures.ts'
import { inertLogLine } from './untrusted-text.ts'

/** One run. */
export function analysisText(analysis: RunAnalysis): string {
  const { k, failures, unmeasured } = analysis
  return [
    ...table([['', 'all trials'], ...figures(k).map(([name, read]) => [name, read(analysis.overall)])]),
    ...groups('category', analysis.by_category, k),
    ...groups('explicitness', analysis.by_explicitness, k),
    ...groups('task', analysis.by_task, k),
    ...distribution('failures', failures),
    ...distribution('not measured', unmeasured),
  ].join('\n')
}

/** Two runs over the same tasks, side by side. */
export function comparisonText(comparison: RunComparison, names: readonly [string, string]): string {
  const { first, second, by_task: byTask, success_difference: difference } = comparison
  const rows = byTask.map(({ task_id: id, first: before, second: after, difference: step }) => [
    id,
    `${before.c}/${before.n}`,
    `${after.c}/${after.n}`,
    points(step),
  ])
  const classes = [...new Set([...first.failures, ...second.failures].map(({ failure_class: name }) => name))]
  const trialsOf = (analysis: RunAnalysis, name: string) =>
    String(analysis.failures.find(({ failure_class: own }) => own === name)?.trials ?? 0)
  return [
    `first   ${inertLogLine(names[0])}`,
    `second  ${inertLogLine(names[1])}`,
    inertLogLine(comparison.statement),
    ...comparison.left_out.map((what) => `left out: ${inertLogLine(what)}`),
    '',
    ...table([
      [plural(comparison.tasks.length, 'task'), 'first', 'second'],
      ...figures(first.k).map(([name, read]) => [name, read(first.overall), read(second.overall)]),
    ]),
    '',
    `mean change of the pass rate over tasks: ${points(difference.mean)}${
      difference.interval === null
        ? ''
        : ` (95 % ${points(difference.interval.low)} to ${points(difference.interval.high)}, resampling tasks)`
    }`,
    '',
    ...table([['task', 'first', 'second', 'change'], ...rows]),
    ...(classes.length === 0
      ? []
      : ['', ...table([['failures', 'first', 'second'], ...classes.map((name) => [name, trialsOf(first, name), trialsOf(second, name)])])]),
  ].join('\n')
}

/** Judge against code, one row a rubric that has twins; nothing when no trial gave both a verdict. */
export function twinLines(rows: readonly TwinAgreement[]): string[] {
  const compared = rows.filter((row) => row.compared > 0)
  if (compared.length === 0) return []
  const head = ['rubric and its twin checks', 'trials', 'agree', 'judge stricter', 'twin stricter']
  const body = compared.map((row) => [
    inertLogLine(`${row.task_id} ${row.rubric_id} = ${row.twins.join(' + ')}`),
    String(row.compared),
    String(row.agree),
    String(row.judge_stricter),
    String(row.twin_stricter),
  ])
  return ['', ...table([head, ...body])]
}

type Figure = readonly [string, (group: GroupAnalysis) => string]

function figures(k: number): Figure[] {
  return [
    ['trials', ({ trials }) => `${trials.pass + trials.fail}${trials.infra === 0 ? '' : ` (+${trials.infra} not measured)`}`],
    ['success', ({ success }) => `${percent(success.rate)} (${intervalText(success.interval)})`],
    [`consistency, pass^${k}`, ({ consistency }) => consistencyText(consistency.pass_k, consistency.tasks)],
    [`pass@${k}`, ({ consistency }) => percent(consistency.pass_at_k)],
    ['cost', ({ cost_usd: cost }) => usd(cost.total)],
    ['cost a success', ({ cost_usd: cost }) => usd(cost.per_success)],
    ['tokens in, out a trial', ({ tokens }) => `${quantity(round(tokens.input))}, ${quantity(round(tokens.output))}`],
    ['of these cached, reasoning', ({ tokens }) => `${quantity(round(tokens.cache_read))}, ${quantity(round(tokens.reasoning))}`],
    ['tool calls, median', ({ steps }) => quantity(steps.tool_calls)],
    ['model calls, median', ({ steps }) => quantity(steps.model_calls)],
    ['steps in the app, median', ({ steps }) => quantity(steps.app_steps)],
    ['trial p50 / p90 / p99', ({ latency_ms: { wall } }) => [wall.p50, wall.p90, wall.p99].map(duration).join(' / ')],
    ['model p50 / p90 / p99', ({ latency_ms: { model } }) => [model.p50, model.p90, model.p99].map(duration).join(' / ')],
  ]
}

function consistencyText(passK: number | null, tasks: number): string {
  return passK === null ? NO_FIGURE : `${percent(passK)} over ${plural(tasks, 'task')}`
}

function groups(title: string, analyses: Readonly<Record<string, GroupAnalysis>>, k: number): string[] {
  const head = [title, 'tasks', 'passed', 'success', `pass^${k}`, 'cost a success', 'tool calls', 'trial p50', 'p90']
  const rows = Object.entries(analyses).map(([name, group]) => [
    inertLogLine(name),
    String(group.tasks),
    `${group.trials.pass}/${group.trials.pass + group.trials.fail}`,
    percent(group.success.rate),
    percent(group.consistency.pass_k),
    usd(group.cost_usd.per_success),
    quantity(group.steps.tool_calls),
    duration(group.latency_ms.wall.p50),
    duration(group.latency_ms.wall.p90),
  ])
  return ['', ...table([head, ...rows])]
}

function distribution(title: string, shares: RunAnalysis['failures']): string[] {
  if (shares.length === 0) return []
  const rows = shares.map(({ failure_class: name, trials, share, tasks }) => [name, String(trials), percent(share), tasks.join(', ')])
  return ['', ...table([[title, 'trials', 'share', 'tasks'], ...rows])]
}

/** Percentage points with their sign. */
function points(difference: number | null): string {
  if (difference === null) return NO_FIGURE
  const rounded = Math.round(difference * 100)
  return rounded === 0 ? '±0' : `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)} points`
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}

/** Columns as wide as their widest cell; wide characters count as two. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  )
}
