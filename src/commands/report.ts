import type { Command } from 'commander'
import { resolve } from 'node:path'
import { EXIT } from '../model/errors.ts'
import { rebuildReport } from '../usecases/rebuild-report.ts'
import { conclude, printJson, say } from './conclude.ts'

const FILES = ['report.html', 'junit.xml', 'comment.md', 'summary.md'] as const

/** `report RUN_FOLDER`: the reports of a run, anew. */
export function addReportCommand(program: Command, defaultTasks: string): void {
  program
    .command('report <run-folder>')
    .description("make a run's reports anew from its results, records and screenshots: report.html, junit.xml, comment.md, summary.md")
    .option('--tasks-folder <folder>', 'folder of task folders, for the schemas of callbacks', defaultTasks)
    .option('--json', 'print one JSON document')
    .action((runFolder: string, options: { tasksFolder: string; json?: true }) =>
      conclude(async () => {
        const { results, remarks } = await rebuildReport(runFolder, options.tasksFolder)
        const files = Object.fromEntries(FILES.map((name) => [name, resolve(runFolder, name)]))
        const { verdict, reason } = results.decision
        if (options.json === true)
          printJson({ schema: 'genui-eval/report@1', run_folder: resolve(runFolder), verdict, reason, files, remarks })
        else process.stdout.write(`${Object.values(files).join('\n')}\n`)
        for (const remark of remarks) say(remark)
        return EXIT.pass
      }),
    )
}
