import { Command, CommanderError } from 'commander'
import { existsSync } from 'node:fs'
import { addAnalyseCommand } from './commands/analyse.ts'
import { addBaselineCommand } from './commands/baseline.ts'
import { addCompareCommand } from './commands/compare.ts'
import { addDatasetCommands } from './commands/dataset.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addGradeCommand } from './commands/grade.ts'
import { addInitCommand } from './commands/init.ts'
import { addLabelCommand } from './commands/label.ts'
import { addMergeCommand } from './commands/merge.ts'
import { addPowerCommand } from './commands/power.ts'
import { addRegradeCommand } from './commands/regrade.ts'
import { addReportCommand } from './commands/report.ts'
import { addRunCommand } from './commands/run.ts'
import { addValidateCommand } from './commands/validate.ts'
import { listenForSignals } from './commands/signals.ts'
import { EXIT } from './model/errors.ts'
import { ownTasksFolder } from './own-tasks-folder.ts'
import { VERSION } from './version.ts'

/** The command line. `argv` as Node gives it. */
async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('genui-eval')
    .description('Evaluate a Hermes Agent generative-UI plugin: real agent, real Chromium, pass^k against a baseline with evidence.')
    .addHelpText('after', '\nExit codes: 0 pass · 1 regression · 2 bad usage or config · 3 inconclusive · 4 internal error.')
    .version(VERSION, '-V, --version', 'print the version')
    .exitOverride()
    .showSuggestionAfterError()
  const tasks = existsSync('tasks') ? 'tasks' : ownTasksFolder()
  addRunCommand(program, tasks)
  addBaselineCommand(program, tasks)
  addGradeCommand(program, tasks)
  addValidateCommand(program, tasks)
  addLabelCommand(program, tasks)
  addCompareCommand(program)
  addMergeCommand(program, tasks)
  addPowerCommand(program)
  addDatasetCommands(program, tasks)
  addReportCommand(program, tasks)
  addRegradeCommand(program, tasks)
  addAnalyseCommand(program, tasks)
  addDoctorCommand(program)
  addInitCommand(program)
  for (const command of program.commands) command.exitOverride()
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? EXIT.pass : EXIT.usage
  }
}

// A reader that has seen enough (`| head`) closes the pipe: nobody reads on, so the work ends. A command that has its verdict keeps it.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? EXIT.inconclusive) : EXIT.internal),
  )

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `error: Node 24 or newer is needed; this is ${process.versions.node}. Run it through npm or npx in the project, or with a newer node.\n`,
  )
  process.exitCode = EXIT.usage
} else {
  listenForSignals()
  await runCli(process.argv)
}
