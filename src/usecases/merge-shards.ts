import { writeFile } from 'node:fs/promises'
import type { BaseEvent } from '../baseline/base-commit.ts'
import type { RunConfig } from '../model/config.ts'
import { EXIT, UserError, type ExitCode } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import type { LoadedTask } from '../model/task.ts'
import { RunFolder } from '../records/run-folder.ts'
import { loadTasks } from '../tasks/load.ts'
import type { CollectedShards } from './collect-shards.ts'
import { copyTrialFiles } from './copy-trial-files.ts'
import { decideRecords, disagreementsAmong } from './decide-records.ts'
import { exitCodeFor } from './exit-codes.ts'
import { findBaseline } from './find-baseline.ts'
import { writeReports } from './write-reports.ts'

/** Where shards are merged, and for which commit. */
export interface MergeSurroundings {
  readonly run_id: string
  readonly head_commit: string | null
  /** Checkout that the baseline is read from; null outside of git. */
  readonly repo_folder: string | null
  readonly base_event: BaseEvent
  /** Folders that hold files of trials, by shard number; a shard without one is shown without pictures and transcripts. */
  readonly media: ReadonlyMap<number, string>
}

/** Joins shards into one run folder with all reports: counted anew, held against the planned set, decided as one run. */
export async function mergeShards(config: RunConfig, shards: CollectedShards, surroundings: MergeSurroundings): Promise<Results> {
  const [first] = shards.plans
  if (first === undefined) throw new UserError(`No shard can be counted. ${shards.gaps.join(' ')}`)
  if (first.suite !== config.suite) {
    throw new UserError([{ where: 'input "suite"', at: '', message: `is ${config.suite}, but the shards ran ${first.suite}` }])
  }
  const tasks = await loadTasks(config.tasks_folder, { suite: config.suite, ids: Object.keys(first.tasks) })
  const results = await decideShards(config, shards, tasks, surroundings)
  const folder = new RunFolder(config.output_folder)
  await folder.clear()
  await folder.create()
  await writeFile(folder.recordsFile, shards.records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  for (const plan of shards.plans) {
    const from = surroundings.media.get(plan.number)
    const own = new Set(plan.own)
    if (from !== undefined) {
      const records: readonly TrialRecord[] = shards.records.filter((record) => own.has(record.task_id))
      await copyTrialFiles(records, from, folder.path)
    }
  }
  await writeReports(
    results,
    folder,
    tasks.map(({ task }) => task),
  )
  return results
}

/** A lost shard is never waved through: `warn` is for what could not be decided, not for what was not looked at. */
export function mergeExitCode(results: Results, { gaps }: CollectedShards, onInconclusive: RunConfig['on_inconclusive']): ExitCode {
  const decided = exitCodeFor(results, gaps.length > 0 ? 'fail' : onInconclusive)
  return gaps.length > 0 && decided === EXIT.pass ? EXIT.inconclusive : decided
}

async function decideShards(
  config: RunConfig,
  { plans, records, planned, gaps }: CollectedShards,
  tasks: readonly LoadedTask[],
  surroundings: MergeSurroundings,
): Promise<Results> {
  const [first] = plans
  if (first === undefined) throw new Error('no shard to decide over')
  const started = records.map((record) => record.started_at).sort()
  const task_ids = config.task_ids ?? (await onlySome(config, Object.keys(first.tasks)))
  const baseline = await findBaseline({ ...config, task_ids }, surroundings.repo_folder, surroundings.base_event)
  return decideRecords(
    config,
    {
      run: {
        id: surroundings.run_id,
        started_at: started[0] ?? new Date().toISOString(),
        finished_at: new Date().toISOString(),
        plugin: { path: first.plugin.path, name: first.plugin.name, version: first.plugin.version },
        head_commit: surroundings.head_commit,
        fingerprint: first.fingerprint,
        repeat_command: first.repeat_command,
      },
      tasks,
      digests: new Map(Object.entries(first.tasks)),
      records,
      planned,
      adaptive: false,
      incomplete: gaps.length === 0 ? null : gaps.join(' '),
      disagreements: disagreementsAmong(plans.map(({ number, of, fingerprint }) => ({ of: `shard ${number}/${of}`, fingerprint }))),
      notices: [...new Set(plans.flatMap(({ notices }) => notices)), ...gaps],
      wall_ms: Math.max(...plans.map(({ wall_ms: ms }) => ms)),
    },
    baseline,
  )
}

/** Null when the shards ran the whole suite: then a task of the baseline that none of them had was removed. */
async function onlySome(config: RunConfig, planned: readonly string[]): Promise<readonly string[] | null> {
  const suite = await loadTasks(config.tasks_folder, { suite: config.suite })
  return suite.every(({ task }) => planned.includes(task.task_id)) ? null : planned
}
