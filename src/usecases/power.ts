import asciichart from 'asciichart'
import { markdownTable } from 'markdown-table'
import { simulatePower, type PowerAnswer, type PowerQuestion } from '../gate/simulate.ts'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'

export interface PowerReport extends PowerAnswer {
  readonly question: PowerQuestion
  /** Why this design cannot decide, before any money is spent; null when it can. */
  readonly warning: string | null
}

/** Answers "what would this design see, and how often would it cry wolf?" by playing runs through the gate. Throws UserError on bad input. */
export function measurePower(question: PowerQuestion): PowerReport {
  const problems = problemsOf(question)
  if (problems.length > 0) throw new UserError(problems)
  const answer = simulatePower(question)
  return { ...answer, question, warning: warningOf(question, answer) }
}

function problemsOf(question: PowerQuestion): Problem[] {
  const problems: Problem[] = []
  const check = (name: string, good: boolean, message: string): void => {
    if (!good) problems.push({ where: `--${name}`, at: '', message })
  }
  const whole = (value: number, low: number, high: number): boolean => Number.isInteger(value) && value >= low && value <= high
  const rate = (value: number): boolean => value >= 0 && value <= 1
  const rates = typeof question.p_base === 'number' ? [question.p_base] : question.p_base
  check('runs', whole(question.runs, 1, 1_000_000), 'must be a whole number from 1 to 1000000.')
  check('seed', whole(question.seed, 0, 2 ** 31 - 1), 'must be a whole number from 0 to 2147483647.')
  check('baseline-n', whole(question.baseline_n, 1, 10_000), 'must be a whole number from 1 to 10000.')
  check('k', whole(question.k, 1, 100), 'must be a whole number from 1 to 100.')
  check('tasks', whole(question.tasks, 1, 1000), 'must be a whole number from 1 to 1000.')
  check('changed', whole(question.changed, 0, question.tasks), 'must be a whole number from 0 to the number of tasks.')
  check('max-trials', whole(question.max_trials, question.k, 1000), 'must be a whole number from k to 1000.')
  check('p-base', rates.length > 0 && rates.every(rate), 'must lie between 0 and 1.')
  check('p-head', rate(question.p_head), 'must lie between 0 and 1.')
  check('alpha', question.alpha > 0 && question.alpha <= 0.5, 'must lie above 0 and be at most 0.5.')
  return problems
}

function warningOf({ baseline_n: n, tasks, changed, paired, max_trials: most }: PowerQuestion, answer: PowerAnswer): string | null {
  if (answer.inconclusive > 0.5)
    return paired === true
      ? `A paired run of at most ${most} trials a task cannot decide over ${tasks} tasks: most runs would end inconclusive.`
      : `A baseline of ${n} trials a task cannot decide over ${tasks} tasks: most runs would end inconclusive.`
  if (answer.smallest_drop_seen === null) return 'No drop in one task alone would be seen; only a drop over the whole suite.'
  if (changed > 0 && answer.any_red < 0.5)
    return `This drop would be missed more often than found; take ${paired === true ? '' : 'more baseline trials or '}a larger k.`
  return null
}

/** The answer as a table and, for a design that may continue, a plot of power against the size of the drop in one task. */
export function describePower(report: PowerReport): string {
  const { question, fixed, naive } = report
  const table = markdownTable([
    ['design', 'any red', question.paired === true ? 'trials a task and build' : 'trials a task'],
    ['adaptive (the gate)', share(report.any_red), report.mean_trials_per_task.toFixed(2)],
    ['fixed size, one look', share(fixed.any_red), String(fixed.trials_per_task)],
    [`naive: "pass^${question.k} fell"`, share(naive.any_red), String(question.k)],
  ])
  const drop =
    report.smallest_drop_seen === null ? 'none in one task alone' : `${Math.round(report.smallest_drop_seen * 100)} points in one task`
  const lines = [
    `${question.tasks} tasks, k = ${question.k}, at most ${question.max_trials} trials a task, ${baselineOf(question)}; ${changeOf(question)}.`,
    `${question.runs} simulated runs, seed ${question.seed}.`,
    '',
    table,
    '',
    `inconclusive: ${share(report.inconclusive)}`,
    `smallest drop seen (power 0.8): ${drop}`,
  ]
  if (report.named !== null) lines.push(`names a task that fell: ${share(report.named)}`)
  if (report.warning !== null) lines.push('', `Note: ${report.warning}`)
  return lines.join('\n')
}

const PLOT_POINTS = 11

/** Power against the pass rate that one task falls to, from its baseline rate down to 0; `runs` a point. */
export function plotPower(question: PowerQuestion, runs: number): string {
  const from = typeof question.p_base === 'number' ? question.p_base : (question.p_base[0] ?? 1)
  const rates = Array.from({ length: PLOT_POINTS }, (_, i) => (from * (PLOT_POINTS - 1 - i)) / (PLOT_POINTS - 1))
  const powers = rates.map((rate) => simulatePower({ ...question, runs, changed: 1, p_head: rate }).any_red * 100)
  // Each point is drawn several columns wide, so that the curve fills a terminal.
  const wide = powers.flatMap((power) => Array.from({ length: 5 }, () => power))
  const chart = asciichart.plot(wide, { height: 10, min: 0, max: 100, format: (value: number) => `${value.toFixed(0).padStart(3)} %` })
  const axis = `       one task falls from ${from.toFixed(2)} (left) to 0.00 (right)`
  return `any red\n${chart}\n${axis}`
}

function baselineOf({ paired, baseline_n: n }: PowerQuestion): string {
  return paired === true ? 'both builds side by side' : `baseline of ${n}`
}

function changeOf({ changed, p_base: base, p_head: head, tasks }: PowerQuestion): string {
  const from = typeof base === 'number' ? base.toString() : `${base.join(', ')} in turn`
  if (changed === 0) return `identical builds, pass rate ${from}`
  return `${changed === tasks ? 'all tasks fall' : `${changed} of ${tasks} tasks ${changed === 1 ? 'falls' : 'fall'}`} from ${from} to ${head}`
}

function share(value: number): string {
  return `${(value * 100).toFixed(2)} %`
}
