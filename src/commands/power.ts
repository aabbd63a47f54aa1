import type { Command } from 'commander'
import { EXIT, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { defaultMaxTrials } from '../model/verdict.ts'
import { describePower, measurePower, plotPower } from '../usecases/power.ts'
import { conclude, printJson } from './conclude.ts'
import { textOption } from './text-option.ts'

const OPTIONS: readonly (readonly [string, string, string])[] = [
  ['runs', 'number', 'simulated runs (default 2000)'],
  ['seed', 'number', 'seed (default 1)'],
  ['baseline-n', 'number', 'baseline trials a task (default 30)'],
  ['paired', 'flag', 'true: both builds run side by side, no stored baseline; trials are then counted for each build (default false)'],
  ['k', 'number', 'trials that must all pass (default 3)'],
  ['tasks', 'number', 'tasks (default 10)'],
  ['p-base', 'rates', "pass rate of the baseline's build, or several in turn, separated by commas (default 0.95)"],
  ['p-head', 'rate', 'pass rate of the changed tasks (default 0.3)'],
  ['changed', 'number', 'how many tasks change (default 0: identical builds)'],
  ['max-trials', 'number', 'trials a task at most (default 2 × k, at least 30)'],
  ['alpha', 'share', 'chance of any red when nothing changed (default 0.05)'],
]

/** `power`: what a design would see, and how often it would cry wolf. */
export function addPowerCommand(program: Command): void {
  const command = program
    .command('power')
    .description('simulate the very gate that runs: false alarms, power, trials, smallest drop seen')
    .option('--plot', 'add a plot of power against the size of the drop')
    .option('--json', 'print one JSON document')
  for (const [name, placeholder, description] of OPTIONS) command.option(`--${name} <${placeholder}>`, description)
  command.action((options: { plot?: true; json?: true }) => conclude(async () => power(options)))
}

function power(options: { readonly plot?: true; readonly json?: true }): ExitCode {
  const raw = Object.fromEntries(OPTIONS.map(([name]) => [name, textOption({ ...options }, name)]))
  const question = readInputs(raw, (read) => {
    const k = read.integer('k', { min: 1, max: 100, fallback: 3 })
    const rates = (read.list('p-base') ?? ['0.95']).map(Number)
    if (rates.some((rate) => !(rate >= 0 && rate <= 1))) read.problem('p-base', 'must be numbers from 0 to 1, separated by commas')
    return {
      runs: read.integer('runs', { min: 1, max: 1_000_000, fallback: 2000 }),
      seed: read.integer('seed', { min: 0, max: 2 ** 31 - 1, fallback: 1 }),
      baseline_n: read.integer('baseline-n', { min: 1, max: 10_000, fallback: 30 }),
      ...(read.flag('paired', false) ? { paired: true } : {}),
      k,
      tasks: read.integer('tasks', { min: 1, max: 1000, fallback: 10 }),
      p_base: rates.length === 1 ? (rates[0] ?? 0.95) : rates,
      p_head: read.number('p-head', { min: 0, max: 1, fallback: 0.3 }),
      changed: read.integer('changed', { min: 0, max: 1000, fallback: 0 }),
      max_trials: read.integer('max-trials', { min: 1, max: 1000, fallback: defaultMaxTrials(k) }),
      alpha: read.number('alpha', { min: 0.0001, max: 0.5, fallback: 0.05 }),
    }
  })
  const report = measurePower(question)
  if (options.json === true) printJson({ schema: 'genui-eval/power@1', ...report })
  else {
    process.stdout.write(`${describePower(report)}\n`)
    if (options.plot === true) process.stdout.write(`\n${plotPower(question, 200)}\n`)
  }
  return EXIT.pass
}
