import type { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import pc from 'picocolors'
import { EXIT, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { SUITES } from '../model/task.ts'
import { validateTasks } from '../usecases/validate-tasks.ts'
import type { Miss, ValidationReport } from '../usecases/validation-report.ts'
import { conclude, printJson, say } from './conclude.ts'
import { addRenderingOptions, readRenderingOptions } from './rendering-options.ts'
import { addValidateJudgeOptions, refuseWithoutJudge, validateJudgeCommand, type ValidateJudgeCommandOptions } from './validate-judge.ts'

interface ValidateCommandOptions extends ValidateJudgeCommandOptions {
  readonly mutants: boolean
  readonly write?: string
}

/** `validate`: prove the suite without a model; with `--judge`, measure the judge. */
export function addValidateCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('validate')
    .description(
      'prove the suite without a model: references pass, doing nothing, traps, fakes and mutants fail; with --judge NAME, measure that judge instead',
    )
    .option('--tasks-folder <folder>', 'folder of task folders', defaultTasks)
    .option('--suite <name>', 'only this suite')
    .option('--tasks <ids>', 'only these tasks, separated by commas')
    .option('--no-mutants', 'leave the mutants out (they take the most time)')
    .option('--write <file>', 'also write the result as a Markdown page')
    .option('--json', 'print one JSON document')
  addValidateJudgeOptions(addRenderingOptions(command)).action((options: ValidateCommandOptions) =>
    conclude(() => ((options.judge ?? 'off') === 'off' ? validate(options) : validateJudgeCommand(options))),
  )
}

async function validate(options: ValidateCommandOptions): Promise<ExitCode> {
  refuseWithoutJudge(options)
  const chosen = readInputs({ suite: options.suite, tasks: options.tasks }, (read) => ({
    suite: options.suite === undefined ? null : read.choice('suite', SUITES, 'regression'),
    task_ids: read.list('tasks'),
  }))
  const { report, page } = await validateTasks({
    ...readRenderingOptions({ ...options }),
    ...chosen,
    tasks_folder: options.tasksFolder,
    mutants: options.mutants,
    onProgress: (event) => {
      if (event.miss !== null) say(`${pc.red('✘')} ${describeMiss(event.miss)}`)
      else if (event.done % 25 === 0 || event.done === event.planned) say(pc.dim(`${event.done}/${event.planned}`))
    },
  })
  if (options.write !== undefined) await writeFile(options.write, page)
  if (options.json === true) printJson({ schema: 'genui-eval/validation@1', ...report })
  else process.stdout.write(`${summary(report)}\n`)
  return isValid(report) ? EXIT.pass : EXIT.regression
}

/** The share of mutants that must be killed. */
const MUTATION_SCORE = 0.95

function isValid({ references, do_nothing: nothing, traps, rubric_only: rubricOnly, fakes, mutants }: ValidationReport): boolean {
  const killed = mutants.total === 0 || mutants.killed / mutants.total >= MUTATION_SCORE
  const unseen = rubricOnly.passed === rubricOnly.total
  return (
    references.passed === references.total && nothing.passed === 0 && traps.caught === traps.total && unseen && fakes.passed === 0 && killed
  )
}

function summary({
  references,
  do_nothing: nothing,
  traps,
  rubric_only: rubricOnly,
  fakes,
  reactive_fakes: reactive,
  mutants,
}: ValidationReport): string {
  const score =
    mutants.total === 0
      ? 'left out'
      : `${mutants.killed}/${mutants.total} killed (${((100 * mutants.killed) / mutants.total).toFixed(1)} %)`
  return [
    `references   ${references.passed}/${references.total} pass every deterministic check`,
    `do-nothing   ${nothing.passed}/${nothing.total} pass (must be 0)`,
    `traps        ${traps.caught}/${traps.total} caught at the named check; ${traps.needs_judge.length} more need the judge`,
    `rubric only  ${rubricOnly.passed}/${rubricOnly.total} pass every deterministic check (must be all)`,
    `row fakes    ${fakes.passed}/${fakes.total} pass (must be 0)`,
    `reactive     ${reactive.passed}/${reactive.total} pass (shown only)`,
    `mutants      ${score}`,
    ...mutants.survivors.map((survivor) => `  survivor: ${describeMiss(survivor)}`),
  ].join('\n')
}

function describeMiss(miss: Miss): string {
  return `${miss.task_id} ${miss.specimen}: expected ${miss.expected}; ${miss.seen}`
}
