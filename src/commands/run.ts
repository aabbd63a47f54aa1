import type { Command } from 'commander'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { parseRunConfig } from '../model/config.ts'
import type { ExitCode } from '../model/errors.ts'
import { describeResults } from '../usecases/describe-results.ts'
import { localRepository } from '../usecases/local-repository.ts'
import { exitCodeFor } from '../usecases/exit-codes.ts'
import { runGate } from '../usecases/run-gate.ts'
import { conclude, printJson, say } from './conclude.ts'
import { startProgress } from './progress.ts'
import { addRunOptions, rawRunInputs } from './run-options.ts'

/** `run`: the whole gate. */
export function addRunCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('run')
    .description('run a suite against a plugin build, grade, compare with the baseline, decide')
    .option('--fresh', 'do not go on with an interrupted run')
    .option('--json', 'print the results as one JSON document')
  addRunOptions(command).action((options: { fresh?: true; json?: true }) => conclude(() => run(options, defaultTasks)))
}

async function run(options: { readonly fresh?: true; readonly json?: true }, defaultTasks: string): Promise<ExitCode> {
  const raw = rawRunInputs({ ...options }, process.env)
  const config = parseRunConfig({ ...raw, 'tasks-folder': raw['tasks-folder'] ?? defaultTasks }, (path) => resolve(path))
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
  const progress = startProgress(process.stderr)
  const repository = await localRepository(process.cwd())
  const results = await runGate(config, {
    ...repository,
    base_event: { kind: 'local' },
    fresh: options.fresh === true,
    signal: abort.signal,
    onProgress: progress.show,
  }).finally(() => progress.end())
  if (options.json === true) printJson(results)
  else process.stdout.write(describeResults(results, pc.isColorSupported && process.stdout.isTTY, process.stdout.columns))
  say(pc.dim(`report: ${resolve(config.output_folder, 'report.html')}`))
  return exitCodeFor(results, config.on_inconclusive)
}
