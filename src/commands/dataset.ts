import type { Command } from 'commander'
import { EXIT, formatProblem } from '../model/errors.ts'
import { exportDataset, importDataset } from '../usecases/dataset.ts'
import { conclude, printJson, say } from './conclude.ts'

/** `import FILE` and `export FILE`: dataset rows to task folders and back. */
export function addDatasetCommands(program: Command, defaultTasks: string): void {
  program
    .command('import <file>')
    .description('turn dataset rows (JSON, JSONL, CSV, Parquet) into task folders')
    .option('--tasks-folder <folder>', 'where the folders go', defaultTasks)
    .option('--overwrite', 'replace the columns of tasks that exist already')
    .option('--json', 'print one JSON document')
    .action((file: string, options: { tasksFolder: string; overwrite?: true; json?: true }) =>
      conclude(async () => {
        const imported = await importDataset(file, options.tasksFolder, options.overwrite === true)
        if (options.json === true) printJson(imported)
        else {
          say(`${imported.written.length} task(s) written to ${options.tasksFolder}: ${imported.written.join(', ')}`)
          for (const problem of imported.problems) say(`problem: ${formatProblem(problem)}`)
        }
        return imported.problems.length === 0 ? EXIT.pass : EXIT.usage
      }),
    )

  program
    .command('export <file>')
    .description('write task folders as dataset rows; the format follows the extension (json, jsonl, csv, parquet)')
    .option('--tasks-folder <folder>', 'folder of task folders', defaultTasks)
    .option('--suite <name>', 'only this suite')
    .option('--json', 'print one JSON document')
    .action((file: string, options: { tasksFolder: string; suite?: string; json?: true }) =>
      conclude(async () => {
        const exported = await exportDataset(file, options.tasksFolder, options.suite)
        if (options.json === true) printJson({ file, ...exported })
        else {
          say(`${exported.tasks.length} task(s) written to ${file}, the benchmark's 13 columns of each.`)
          if (exported.left_out.length > 0)
            say(
              `Not in the file, for it has no column for them: ${exported.left_out.join(', ')}. Importing it over these folders keeps them.`,
            )
        }
        return EXIT.pass
      }),
    )
}
