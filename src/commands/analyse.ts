import type { Command } from 'commander'
import { EXIT } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { analyseRuns, describeAnalysis } from '../usecases/analyse-runs.ts'
import { conclude, printJson } from './conclude.ts'

interface AnalyseCommandOptions {
  readonly k?: string
  readonly tasksFolder: string
  readonly json?: true
}

/** `analyse RUN_FOLDER [OTHER_RUN_FOLDER]`: figures of one run, or two side by side. */
export function addAnalyseCommand(program: Command, defaultTasks: string): void {
  program
    .command('analyse <run-folder> [other-run-folder]')
    .description('success, consistency, cost a success, steps, latency and failures of a run; two runs are compared over the same tasks')
    .option('--k <number>', "trials that must all pass (default: the first run's own)")
    .option(
      '--tasks-folder <folder>',
      'folder of task folders: names rubric twins, and describes the tasks of a run that was interrupted',
      defaultTasks,
    )
    .option('--json', 'print one JSON document')
    .action((runFolder: string, other: string | undefined, options: AnalyseCommandOptions) =>
      conclude(async () => {
        const { k } = readInputs({ k: options.k }, (read) => ({ k: read.optionalInteger('k', { min: 1, max: 100 }) }))
        const analysis = await analyseRuns({
          run_folder: runFolder,
          other_run_folder: other ?? null,
          tasks_folder: options.tasksFolder,
          k,
        })
        if (options.json === true) printJson(analysis)
        else process.stdout.write(`${describeAnalysis(analysis)}\n`)
        return EXIT.pass
      }),
    )
}
