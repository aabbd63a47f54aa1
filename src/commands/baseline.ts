import type { Command } from 'commander'
import { resolve } from 'node:path'
import { parseRunConfig } from '../model/config.ts'
import { EXIT, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { localRepository } from '../usecases/local-repository.ts'
import { runBaseline } from '../usecases/run-baseline.ts'
import { conclude, printJson, say } from './conclude.ts'
import { startProgress } from './progress.ts'
import { keptSentence } from './run.ts'
import { addRunOptions, rawRunInputs } from './run-options.ts'
import { stoppable } from './signals.ts'
import { textOption } from './text-option.ts'

/** Commit that stands for a build outside of git. */
const NO_COMMIT = '0'.repeat(40)

/** `baseline`: run with a fixed number of trials and pool the counts into a baseline file. */
export function addBaselineCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('baseline')
    .description('run a suite with a fixed number of trials and pool the counts into a baseline file')
    .option('--trials <number>', 'trials of each task (default 10)')
    .option('--output <file>', 'baseline file to write (default: --baseline-path in this folder)')
    .option('--accept-regression <reason>', 'why a baseline that became worse is right')
    .option('--note <text>', 'sentence kept in the file')
    .option('--fresh', 'do not go on with an interrupted run')
    .option('--json', 'print one JSON document')
  addRunOptions(command).action((options: { fresh?: true; json?: true }) => conclude(() => baseline(options, defaultTasks)))
}

async function baseline(options: { readonly fresh?: true; readonly json?: true }, defaultTasks: string): Promise<ExitCode> {
  const given = { ...options }
  const raw = rawRunInputs(given, process.env)
  const config = parseRunConfig({ ...raw, 'tasks-folder': raw['tasks-folder'] ?? defaultTasks }, (path) => resolve(path))
  const names = ['trials', 'output', 'accept-regression', 'note'] as const
  const settings = readInputs(Object.fromEntries(names.map((name) => [name, textOption(given, name)])), (read) => ({
    trials: read.integer('trials', { min: 1, max: 1000, fallback: 10 }),
    target: { kind: 'file', file: resolve(read.text('output', config.baseline_path)) } as const,
    accept_regression: read.optional('accept-regression'),
    note: read.optional('note'),
  }))
  const progress = startProgress(process.stderr)
  const run = await stoppable(keptSentence(config.output_folder), async (signal) => {
    const { head_commit: commit } = await localRepository(process.cwd())
    const surroundings = { fresh: options.fresh === true, signal, onProgress: progress.show }
    return runBaseline(config, { ...settings, commit: commit ?? NO_COMMIT }, surroundings)
  }).finally(() => progress.end())
  const { records, ...refresh } = run
  if (options.json === true)
    printJson({ schema: 'genui-eval/baseline-refresh@1', ...refresh, file: settings.target.file, trials: records.length })
  else say(`${settings.target.file}: ${refresh.kind}. ${refresh.why}`)
  return EXIT.pass
}
