import type { Command } from 'commander'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pc from 'picocolors'
import { parseRunConfig } from '../model/config.ts'
import { UserError, type ExitCode } from '../model/errors.ts'
import { collectShards, type ShardFolder } from '../usecases/collect-shards.ts'
import { describeResults } from '../usecases/describe-results.ts'
import { localRepository } from '../usecases/local-repository.ts'
import { mergeExitCode, mergeShards } from '../usecases/merge-shards.ts'
import { SHARD_FILE } from '../usecases/shard-plan.ts'
import { conclude, printJson, say } from './conclude.ts'
import { RUN_OPTIONS } from './run-options.ts'
import { textOption } from './text-option.ts'

/** Options of `run` that say how recorded trials are judged. */
const JUDGING = [
  'tasks-folder',
  'k',
  'gate',
  'alpha',
  'golden-floor',
  'on-inconclusive',
  'baseline-path',
  'baseline-file',
  'base-ref',
  'accepted-removals',
  'accepted-changes',
  'max-cost-increase',
  'max-tokens-increase',
  'max-time-increase',
  'max-tool-calls-increase',
]

/** `merge FOLDER…`: shards of one run become one run with one verdict. */
export function addMergeCommand(program: Command, defaultTasks: string): void {
  const command = program
    .command('merge <folders...>')
    .description(
      `join shards into one run with one verdict. FOLDERS: run folders of "run --shard", or unpacked shard artifacts of the Action, or a folder that holds them; a missing shard makes the run inconclusive`,
    )
    .option('--output-folder <folder>', 'run folder to write (default .genui-eval/merged)')
    .option('--scripted-model <flag>', 'true says in every report that the model is a scripted stand-in')
    .option('--json', 'print the results as one JSON document')
  for (const [name, placeholder, description] of RUN_OPTIONS) {
    if (JUDGING.includes(name)) command.option(`--${name} <${placeholder}>`, description)
  }
  command.action((folders: readonly string[], options: { json?: true }) => conclude(() => merge(folders, options, defaultTasks)))
}

async function merge(folders: readonly string[], options: { readonly json?: true }, defaultTasks: string): Promise<ExitCode> {
  const found = await shardFolders(folders)
  const shards = await collectShards(found)
  const given = Object.fromEntries([...JUDGING, 'output-folder', 'scripted-model'].map((name) => [name, textOption({ ...options }, name)]))
  // agent, plugin and model are those of the shards: no trial is made here
  const idle = { agent: 'builtin', plugin: '.', model: 'recorded', suite: shards.plans[0]?.suite }
  const defaults = { 'tasks-folder': defaultTasks, 'output-folder': '.genui-eval/merged' }
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const config = parseRunConfig({ ...defaults, ...named, ...idle }, (path) => resolve(path))
  refuseOverwriting(config.output_folder, found)
  const repository = await localRepository(process.cwd())
  const results = await mergeShards(config, shards, {
    run_id: `merged-${shards.plans.map(({ run_id: id }) => id).find((id) => id > 0) ?? 'local'}`,
    ...repository,
    base_event: { kind: 'local' },
    media: new Map(shards.folders.map(({ number, folder }) => [number, folder])),
  })
  if (options.json === true) printJson(results)
  else process.stdout.write(describeResults(results, pc.isColorSupported && process.stdout.isTTY, process.stdout.columns))
  say(pc.dim(`report: ${join(config.output_folder, 'report.html')}`))
  return mergeExitCode(results, shards, config.on_inconclusive)
}

/** Each folder that holds a shard's plan, itself or one level below. Throws UserError for a folder that holds none. */
async function shardFolders(folders: readonly string[]): Promise<ShardFolder[]> {
  const all = await Promise.all(folders.map(shardsIn))
  const empty = folders.filter((_, index) => all[index]?.length === 0)
  if (empty.length === 0) return all.flat()
  throw new UserError(
    empty.map((where) => ({
      where,
      at: '',
      message: `holds no ${SHARD_FILE}, nor do the folders in it; is it the run folder of a shard?`,
    })),
  )
}

async function shardsIn(folder: string): Promise<ShardFolder[]> {
  if (await isFile(join(folder, SHARD_FILE))) return [{ name: folder, folder: resolve(folder) }]
  const names: string[] = await readdir(folder).catch(() => [])
  const below = names.toSorted().map((name) => join(folder, name))
  const holding = await Promise.all(below.map((path) => isFile(join(path, SHARD_FILE))))
  return below.filter((_, index) => holding[index]).map((path) => ({ name: path, folder: resolve(path) }))
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

function refuseOverwriting(output: string, shards: readonly ShardFolder[]): void {
  if (shards.every(({ folder }) => folder !== output)) return
  throw new UserError([{ where: output, at: '', message: 'is the folder of a shard; name another with --output-folder' }])
}
