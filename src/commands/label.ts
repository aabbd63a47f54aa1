import type { Command } from 'commander'
import pc from 'picocolors'
import { EXIT, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { openLabelSession, type LabelSession } from '../usecases/label-run.ts'
import { conclude, say } from './conclude.ts'
import { stoppable } from './signals.ts'

interface LabelCommandOptions {
  readonly run: string
  readonly labels?: string
  readonly tasksFolder: string
  readonly port?: string
}

/** `label`: a person says of a run's trials what the judge should say. */
export function addLabelCommand(program: Command, defaultTasks: string): void {
  program
    .command('label')
    .description(
      'open a local page to label trials PASS or FAIL by keys, rubric by rubric; "validate --judge --labels" holds a judge against them',
    )
    .requiredOption('--run <folder>', 'run folder whose trials are labelled')
    .option('--labels <file>', 'label file that is written and gone on with (default: labels.jsonl in the run folder)')
    .option('--tasks-folder <folder>', 'folder of task folders', defaultTasks)
    .option('--port <number>', 'port on 127.0.0.1 (default: any free one)')
    .action((options: LabelCommandOptions) => conclude(() => label(options)))
}

async function label(options: LabelCommandOptions): Promise<ExitCode> {
  const port = readInputs({ port: options.port }, (read) => read.integer('port', { min: 0, max: 65_535, fallback: 0 }))
  const session = await openLabelSession({
    run_folder: options.run,
    tasks_folder: options.tasksFolder,
    label_file: options.labels ?? null,
    port,
  })
  say(
    `${session.total} to label${session.already === 0 ? '' : `, ${session.already} of them labelled before`}. Open this page (the address is the key to it):`,
  )
  process.stdout.write(`${session.url}\n`)
  say(pc.dim('Ctrl-C ends the session; every label is saved at once.'))
  await stoppable('Ended: every label is saved.', async (signal) => {
    const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => interrupt(), { once: true })
    await Promise.race([session.ended, interrupted])
    await session.close()
  })
  say(summary(session))
  return EXIT.pass
}

function summary(session: LabelSession): string {
  const labels = session.standing()
  const passes = labels.filter(({ verdict }) => verdict === 'PASS').length
  return `${labels.length} of ${session.total} labelled (${passes} pass, ${labels.length - passes} fail): ${session.label_file}`
}
