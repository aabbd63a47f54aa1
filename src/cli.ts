import { Command, CommanderError } from 'commander'
import { existsSync } from 'node:fs'
import { addAnalyseCommand } from './commands/analyse.ts'
import { addBaselineCommand } from './commands/baseline.ts'
import { addCompareCommand } from './commands/compare.ts'
import { addDatasetCommands } from './commands/dataset.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addGradeCommand } from './commands/grade.ts'
import { addInitCommand } from './commands/init.ts'
import { addPowerCommand } from './commands/power.ts'
import { addRegradeCommand } from './commands/regrade.ts'
import { addReportCommand } from './commands/report.ts'
import { addRunCommand } from './commands/run.ts'
import { addValidateCommand } from './commands/validate.ts'
import { EXIT } from './model/errors.ts'
import { ownTasksFolder } from './own-tasks-folder.ts'

/** The command line. `argv` as Node gives it. */
async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('genui-eval')
    .description('Evaluate a Hermes Agent generative-UI plugin: real agent, real Chromium, pass^k against a baseline with evidence.')
    .addHelpText('after', '\nExit codes: 0 pass · 1 regression · 2 bad usage or config · 3 inconclusive · 4 internal error.')
    .exitOverride()
    .showSuggestionAfterError()
  const tasks = existsSync('tasks') ? 'tasks' : ownTasksFolder()
  addRunCommand(program, tasks)
  addBaselineCommand(program, tasks)
  addGradeCommand(program, tasks)
  addValidateCommand(program, tasks)
  addCompareCommand(program)
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

// A reader that has seen enough (`| head`) closes the pipe: that is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => error.code !== 'EPIPE' && process.exit(EXIT.internal))

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `error: Node 24 or newer is needed; this is ${process.versions.node}. Run it through npm or npx in the project, or with a newer node.\n`,
  )
  process.exitCode = EXIT.usage
} else {
  await runCli(process.argv)
}
