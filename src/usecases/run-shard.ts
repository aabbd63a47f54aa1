import type { RunConfig } from '../model/config.ts'
import { loadTasks } from '../tasks/load.ts'
import type { Shard } from './action-inputs.ts'
import { openRun, type RunSurroundings } from './open-run.ts'
import { planTrials } from './plan-trials.ts'
import { repeatCommand, shortPath } from './repeat-command.ts'
import { taskDigests } from './resume-run.ts'
import { runTrials } from './run-trials.ts'
import { expectedTrials, SHARD_FILE, SHARD_SCHEMA_VERSION, tasksOfShard, type ShardPlan } from './shard-plan.ts'

/** Why a paired run has no shards. */
export const PAIRED_SHARD = 'does not go with shard: shards are held against the stored baseline'

export interface ShardSettings {
  readonly shard: Shard
  /** Trials of each task. */
  readonly trials: number
  readonly run_id: number
  readonly run_attempt: number
  readonly paths_from: string
}

export interface ShardRun {
  readonly plan: ShardPlan
  readonly planned: number
  /** Planned trials that have a record. */
  readonly made: number
}

/**
 * Makes one shard's trials and writes its plan beside the records. The number of trials is fixed: whether a task is in doubt depends on the
 * suite as a whole, which no shard sees.
 */
export async function runShard(config: RunConfig, settings: ShardSettings, surroundings: RunSurroundings): Promise<ShardRun> {
  const began = Date.now()
  const filter = { suite: config.suite, ...(config.task_ids === null ? {} : { ids: config.task_ids }) }
  const whole = taskDigests(await loadTasks(config.tasks_folder, filter))
  const own = tasksOfShard(Object.keys(whole), settings.shard)
  await using run = await openRun({ ...config, task_ids: own }, surroundings)
  const { tasks, loop, kept, plugin } = run
  const requests = own.map((task_id) => ({ task_id, trials: settings.trials }))
  const planned = planTrials(tasks, requests, 0, ['head'], config.seed, new Map())
  const done = new Set(kept.map((record) => record.trial_id))
  const pending = planned.filter((trial) => !done.has(trial.trial_id))
  loop.onProgress({ kind: 'stage', stage: 0, trials: pending.length })
  const records = [...kept, ...(await runTrials(pending, loop))]
  const plan: ShardPlan = {
    schema: SHARD_SCHEMA_VERSION,
    ...settings.shard,
    run_id: settings.run_id,
    run_attempt: settings.run_attempt,
    suite: config.suite,
    trials: settings.trials,
    seed: config.seed,
    tasks: whole,
    own,
    fingerprint: loop.equipment.fingerprint,
    plugin: {
      path: shortPath(config.plugin_folder, settings.paths_from),
      name: plugin.name,
      version: plugin.version,
      digest: plugin.digest,
    },
    notices: [...plugin.notices, ...run.judge.notices],
    repeat_command: repeatCommand(config, settings.paths_from),
    wall_ms: Date.now() - began,
  }
  await loop.equipment.folder.write(SHARD_FILE, `${JSON.stringify(plan, null, 1)}\n`)
  const made = new Set(records.map((record) => record.trial_id))
  return { plan, planned: planned.length, made: expectedTrials(plan).filter((id) => made.has(id)).length }
}
