import type { Command } from 'commander'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { EXIT, type ExitCode } from '../model/errors.ts'
import type { GradeChange } from '../usecases/grade-change.ts'
import { regradeRun, type Regrading } from '../usecases/regrade.ts'
import { conclude, printJson, say } from './conclude.ts'
import { addJudgeOptions, readJudgeOptions } from './judge-options.ts'
import { addRenderingOptions, readRenderingOptions } from './rendering-options.ts'

interface RegradeCommandOptions {
  readonly tasksFolder: string
  readonly outputFolder?: string
  readonly baselineFile?: string
  readonly json?: true
}

/** `regrade RUN_FOLDER`: today's graders over what was recorded. */
export function addRegradeCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('regrade <run-folder>')
    .description(
      "run today's graders over a recorded run (no model but a judge, if one is named) and say what changes: exit 0 when all could be graded, 3 when not",
    )
    .option('--tasks-folder <folder>', 'folder of task folders', defaultTasks)
    .option('--output-folder <folder>', 'run folder to write (default: <run-folder>-regraded)')
    .option('--baseline-file <file>', 'baseline that the new counts are held against (default: none, nothing is gated)')
    .option('--json', 'print one JSON document')
  addJudgeOptions(addRenderingOptions(command)).action((runFolder: string, options: RegradeCommandOptions) =>
    conclude(() => regrade(runFolder, options)),
  )
}

async function regrade(runFolder: string, options: RegradeCommandOptions): Promise<ExitCode> {
  const output = resolve(options.outputFolder ?? `${resolve(runFolder)}-regraded`)
  const regrading = await regradeRun({
    ...readRenderingOptions({ ...options }),
    ...readJudgeOptions({ ...options }, process.env),
    run_folder: resolve(runFolder),
    tasks_folder: options.tasksFolder,
    output_folder: output,
    baseline_file: options.baselineFile === undefined ? null : resolve(options.baselineFile),
    onRegraded: (change, done, planned) => {
      if (change.changed || done % 10 === 0 || done === planned)
        say(`${change.changed ? describe(change) : pc.dim('…')} ${pc.dim(`${done}/${planned}`)}`)
    },
  })
  if (options.json === true) printJson(document(regrading, resolve(runFolder), output))
  else process.stdout.write(`${summary(regrading, output)}\n`)
  const lost = regrading.changes.some(({ changed, after }) => changed && after.verdict === 'infra')
  return lost ? EXIT.inconclusive : EXIT.pass
}

function document({ results, changes, left_out, conditions_changed }: Regrading, runFolder: string, output: string) {
  const changed = changes.filter((change) => change.changed)
  return {
    schema: 'genui-eval/regrade@1',
    run_folder: runFolder,
    output_folder: output,
    trials: { total: changes.length, changed: changed.length, left_out: left_out.length },
    changes: changed,
    checks_changed: changes
      .filter((change) => !change.changed && change.checks.length > 0)
      .map(({ trial_id, checks }) => ({ trial_id, checks })),
    left_out,
    conditions_changed,
    verdict: results.decision.verdict,
    reason: results.decision.reason,
  }
}

function summary({ changes, left_out: leftOut, conditions_changed: conditions }: Regrading, output: string): string {
  const changed = changes.filter((change) => change.changed)
  const quiet = changes.filter((change) => !change.changed && change.checks.length > 0).length
  return [
    `${changes.length} trials graded anew: ${changed.length} changed, ${changes.length - changed.length} as before${quiet === 0 ? '' : ` (${quiet} of them with other checks)`}`,
    ...changed.flatMap((change) => [describe(change), ...change.checks.map((check) => `    ${check}`)]),
    ...conditions.map((condition) => `conditions of grading: ${condition}`),
    ...leftOut.map((what) => `left out: ${what}`),
    `run folder: ${output}`,
  ].join('\n')
}

function describe({ trial_id: id, before, after }: GradeChange): string {
  const sign = after.verdict === 'pass' ? pc.green('✔') : after.verdict === 'fail' ? pc.red('✘') : pc.yellow('?')
  return `${sign} ${id}: ${inBrief(before)} → ${inBrief(after)}${after.verdict === 'pass' ? '' : `: ${after.detail}`}`
}

function inBrief({ verdict, failure_class: failure, infra_class: infra }: GradeChange['before']): string {
  const what = failure ?? infra
  return what === null ? verdict : `${verdict} (${what})`
}
