import type { Command } from 'commander'
import pc from 'picocolors'
import { EXIT, UserError, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { SUITES } from '../model/task.ts'
import { judgeHealthLines } from '../usecases/describe-judge-health.ts'
import { stopIfAborted } from '../usecases/cancellation.ts'
import { hideKeys } from '../usecases/hide-keys.ts'
import { isMissed } from '../usecases/measure-judge.ts'
import { validateJudge } from '../usecases/validate-judge.ts'
import { printJson, say } from './conclude.ts'
import { addJudgeOptions, readJudgeOptions } from './judge-options.ts'
import { readRenderingOptions } from './rendering-options.ts'
import { stoppable } from './signals.ts'

export interface ValidateJudgeCommandOptions {
  readonly tasksFolder: string
  readonly suite?: string
  readonly tasks?: string
  readonly judge?: string
  readonly repeat?: string
  readonly labels?: string
  readonly run?: string
  readonly writeHealth?: string
  readonly maxCost?: string
  readonly json?: true
}

/** Options of `validate` that have to do with the judge. */
export function addValidateJudgeOptions(command: Command): Command {
  return addJudgeOptions(command)
    .option(
      '--repeat <number>',
      'with --judge: ask every question so often, past the cache, to see whether the judge agrees with itself (default 1)',
    )
    .option('--labels <file>', 'with --judge: labels made with "genui-eval label"; needs --run')
    .option('--run <folder>', 'with --labels: the run that was labelled')
    .option('--write-health <file>', 'with --judge: keep the judge\'s health for "judge-health" of a run')
    .option('--max-cost <dollars>', 'with --judge: stop asking when this much is spent')
}

const ONLY_WITH_JUDGE = ['repeat', 'labels', 'run', 'writeHealth', 'maxCost'] as const

/** Throws UserError when an option of the judge's was given without a judge. */
export function refuseWithoutJudge(options: ValidateJudgeCommandOptions): void {
  const given = ONLY_WITH_JUDGE.filter((name) => options[name] !== undefined).map(
    (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  )
  if (given.length > 0) throw new UserError(`${given.join(', ')}: only of use with --judge NAME, the model that judges`)
}

/** `validate --judge`: how far a judge can be trusted. Exit code 0 healthy, 1 not, 3 when it could not be measured. */
export async function validateJudgeCommand(options: ValidateJudgeCommandOptions): Promise<ExitCode> {
  const { judge, prices, retries } = readJudgeOptions({ ...options }, process.env)
  const rendering = readRenderingOptions({ ...options })
  const raw = {
    suite: options.suite,
    tasks: options.tasks,
    repeat: options.repeat,
    labels: options.labels,
    run: options.run,
    'max-cost': options.maxCost,
  }
  const chosen = readInputs(raw, (read) => {
    const [labels, run] = [read.optional('labels'), read.optional('run')]
    if ((labels === null) !== (run === null))
      read.problem(labels === null ? 'labels' : 'run', 'is needed too: labels speak of the trials of one run')
    return {
      suite: options.suite === undefined ? null : read.choice('suite', SUITES, 'regression'),
      task_ids: read.list('tasks'),
      repeat: read.integer('repeat', { min: 1, max: 100, fallback: 1 }),
      labels: labels === null || run === null ? null : { file: labels, run_folder: run },
      max_cost_usd: read.optionalNumber('max-cost', { min: 0, max: 1_000_000 }),
    }
  })
  if (judge.kind === 'off') throw new UserError('give the model that judges with --judge NAME')
  hideKeys()
  const health = await stoppable('Stopped: the judge was not measured.', async (signal) => {
    const measured = await validateJudge({
      ...rendering,
      ...chosen,
      tasks_folder: options.tasksFolder,
      judge,
      prices,
      retries,
      health_file: options.writeHealth ?? null,
      signal,
      onJudged: (judged, done, planned) => {
        for (const each of judged.filter(isMissed))
          say(
            `${pc.red('✘')} ${each.example.task.task_id} ${each.example.specimen}: ${each.rubric_id} must be ${each.expected}, is ${each.seen ?? 'without a verdict'}`,
          )
        if (done % 25 === 0 || done === planned) say(pc.dim(`${done}/${planned}`))
      },
    })
    stopIfAborted(signal)
    return measured
  })
  if (options.json === true) printJson(health)
  else process.stdout.write(`${judgeHealthLines(health).join('\n')}\n`)
  if (health.unmeasured > 0) return EXIT.inconclusive
  return health.healthy ? EXIT.pass : EXIT.regression
}
