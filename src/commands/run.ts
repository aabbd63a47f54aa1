import type { Command } from 'commander'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { parseRunConfig, type RunConfig } from '../model/config.ts'
import { EXIT, UserError, type ExitCode } from '../model/errors.ts'
import { readInputs, type RawInputs } from '../model/inputs.ts'
import { readShard, shardTrials, type Shard } from '../usecases/action-inputs.ts'
import { stopIfAborted } from '../usecases/cancellation.ts'
import { describeResults } from '../usecases/describe-results.ts'
import { localRepository } from '../usecases/local-repository.ts'
import { exitCodeFor } from '../usecases/exit-codes.ts'
import { runGate } from '../usecases/run-gate.ts'
import { PAIRED_SHARD, runShard } from '../usecases/run-shard.ts'
import { conclude, printJson, say } from './conclude.ts'
import { startProgress } from './progress.ts'
import { addRunOptions, rawRunInputs } from './run-options.ts'
import { stoppable } from './signals.ts'
import { textOption } from './text-option.ts'

/** `run`: the whole gate. */
export function addRunCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('run')
    .description('run a suite against a plugin build, grade, compare with the baseline, decide')
    .option('--shard <i/n>', 'make only part i of n, with a fixed number of trials; "merge" joins the parts and decides')
    .option('--fresh', 'do not go on with an interrupted run')
    .option('--json', 'print the results as one JSON document')
  addRunOptions(command).action((options: { fresh?: true; json?: true }) => conclude(() => run(options, defaultTasks)))
}

/** What becomes of a run that is stopped. */
export function keptSentence(folder: string): string {
  return `Stopped: finished trials stay in ${folder}; the same command goes on from there.`
}

async function run(options: { readonly fresh?: true; readonly json?: true }, defaultTasks: string): Promise<ExitCode> {
  const raw = rawRunInputs({ ...options }, process.env)
  const config = parseRunConfig({ ...raw, 'tasks-folder': raw['tasks-folder'] ?? defaultTasks }, (path) => resolve(path))
  const shard = readInputs({ shard: textOption({ ...options }, 'shard') }, readShard)
  if (shard !== null) return runPart(raw, config, shard, options)
  const progress = startProgress(process.stderr)
  const results = await stoppable(keptSentence(config.output_folder), async (signal) => {
    const repository = await localRepository(process.cwd())
    const surroundings = { ...repository, base_event: { kind: 'local' } as const, fresh: options.fresh === true }
    const made = await runGate(config, { ...surroundings, signal, onProgress: progress.show })
    if (made.totals.missing > 0) stopIfAborted(signal)
    return made
  }).finally(() => progress.end())
  if (options.json === true) printJson(results)
  else process.stdout.write(describeResults(results, pc.isColorSupported && process.stdout.isTTY, process.stdout.columns))
  say(pc.dim(`report: ${resolve(config.output_folder, 'report.html')}`))
  return exitCodeFor(results, config.on_inconclusive)
}

/** `run --shard`: no verdict, which is the merge's; passes when every planned trial has a record. */
async function runPart(
  raw: RawInputs,
  config: RunConfig,
  shard: Shard,
  options: { readonly fresh?: true; readonly json?: true },
): Promise<ExitCode> {
  if (config.paired) throw new UserError([{ where: 'input "paired"', at: '', message: PAIRED_SHARD }])
  const progress = startProgress(process.stderr)
  const { plan, planned, made } = await stoppable(keptSentence(config.output_folder), (signal) =>
    runShard(
      config,
      { shard, trials: shardTrials(raw, config.gate.k), run_id: 0, run_attempt: 1, paths_from: process.cwd() },
      { fresh: options.fresh === true, signal, onProgress: progress.show },
    ),
  ).finally(() => progress.end())
  const { output_folder: folder } = config
  if (options.json === true)
    printJson({ schema: 'genui-eval/shard-run@1', shard, tasks: plan.own, trials: { planned, made }, run_folder: folder })
  else
    say(`Shard ${shard.number}/${shard.of}: ${made} of ${planned} trials of ${plan.own.join(', ')} recorded in ${folder}; "merge" decides.`)
  return made === planned ? EXIT.pass : EXIT.inconclusive
}
