import { fileStore } from '../baseline/file-store.ts'
import { gitStore } from '../baseline/git-store.ts'
import type { BaselineStore } from '../baseline/refresh-store.ts'
import type { RunConfig } from '../model/config.ts'
import type { TrialRecord } from '../model/record.ts'
import { stopIfAborted } from './cancellation.ts'
import { openRun, type RunSurroundings } from './open-run.ts'
import { planTrials } from './plan-trials.ts'
import { refreshBaseline, refreshTasks, type BaselineRefresh } from './refresh-baseline.ts'
import { runTrials } from './run-trials.ts'
import { wireNotice } from './wire-audit.ts'

/** Where the refreshed baseline is written. */
export type BaselineTarget =
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'commit'
      readonly repo_folder: string
      readonly branch: string
      readonly author: { readonly name: string; readonly email: string }
    }
  /** Opened once the trials are made. */
  | { readonly kind: 'store'; readonly open: () => Promise<BaselineStore> }

export interface BaselineSettings {
  /** Trials of each task; fixed in advance, so that no stopping rule bends the counts. */
  readonly trials: number
  readonly target: BaselineTarget
  /** Full SHA of the commit whose build is run. */
  readonly commit: string
  readonly accept_regression: string | null
  readonly note: string | null
}

export type BaselineRun = BaselineRefresh & { readonly records: readonly TrialRecord[] }

/** Runs the suite on main with a fixed number of trials and pools the counts into the stored baseline. */
export async function runBaseline(config: RunConfig, settings: BaselineSettings, surroundings: RunSurroundings): Promise<BaselineRun> {
  await using run = await openRun(config, surroundings)
  const { tasks, loop, kept } = run
  const requests = tasks.map(({ task }) => ({ task_id: task.task_id, trials: settings.trials }))
  const planned = planTrials(tasks, requests, 0, ['head'], config.seed, new Map())
  const done = new Set(kept.map((record) => record.trial_id))
  const pending = planned.filter((trial) => !done.has(trial.trial_id))
  loop.onProgress({ kind: 'stage', stage: 0, trials: pending.length })
  const records = [...kept, ...(await runTrials(pending, loop))]
  if (records.length < planned.length) stopIfAborted(surroundings.signal)
  for (const text of wireNotice(records)) surroundings.onProgress({ kind: 'remark', text })
  const refresh = await refreshBaseline(
    await openStore(settings.target, config.baseline_path),
    {
      suite: config.suite,
      fingerprint: loop.equipment.fingerprint,
      commit: settings.commit,
      date: run.started_at,
      whole_suite: config.task_ids === null,
      accept_regression: settings.accept_regression,
      note: settings.note,
      tasks: refreshTasks(
        tasks.map(({ task, digest }) => ({
          task_id: task.task_id,
          digest,
          golden: task.golden ?? !task.expected_tool_trigger,
          planned: settings.trials,
        })),
        records,
      ),
    },
    config.gate,
  )
  return { ...refresh, records }
}

async function openStore(target: BaselineTarget, path: string): Promise<BaselineStore> {
  switch (target.kind) {
    case 'file':
      return fileStore(target.file)
    case 'commit':
      return gitStore({ repo_folder: target.repo_folder, branch: target.branch, path, author: target.author })
    case 'store':
      return target.open()
  }
}
