import { join } from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Results } from '../model/results.ts'
import type { Task } from '../model/task.ts'
import { loadTasks } from '../tasks/load.ts'
import { readRecordedRun, type RecordedRun } from './recorded-run.ts'
import { writeReports } from './write-reports.ts'

export interface RebuiltReport {
  readonly results: Results
  /** What a reader of the report should know of how it was made. */
  readonly remarks: readonly string[]
}

/**
 * Makes the reports of a run anew from its results, records and pictures.
 * @param tasksFolder where the schemas of callbacks come from; tasks that changed since the run are shown without
 * @throws UserError when there are no results, or results and records are not of one run
 */
export async function rebuildReport(runFolder: string, tasksFolder: string): Promise<RebuiltReport> {
  const run = await readRecordedRun(runFolder)
  const results = joined(run)
  const { tasks, remarks } = await unchangedTasks(results, tasksFolder)
  await writeReports(results, run.folder, tasks)
  return { results, remarks }
}

/** Results with the records as they are on disk, in plan order. */
function joined({ folder, results, records }: RecordedRun): Results {
  if (results === null) {
    const message =
      'holds records but no results.json, so the run ended before its verdict; repeat the "run" command, which goes on with it'
    throw new UserError([{ where: folder.path, at: '', message }])
  }
  const byId = new Map(records.map((record) => [record.trial_id, record]))
  const counted = new Map(results.trials.map((trial) => [trial.trial_id, trial.run_id]))
  const ids = new Set([...byId.keys(), ...counted.keys()])
  const strange = [...ids].filter((id) => byId.get(id)?.run_id !== counted.get(id))
  if (strange.length > 0) {
    const names = `${strange.slice(0, 3).join(', ')}${strange.length > 3 ? ` and ${strange.length - 3} more` : ''}`
    const message = `and records.jsonl are not of one run: they differ in ${names}; "regrade" makes new results from the records`
    throw new UserError([{ where: join(folder.path, 'results.json'), at: '', message }])
  }
  return { ...results, trials: results.trials.map((trial) => byId.get(trial.trial_id) ?? trial) }
}

async function unchangedTasks(results: Results, tasksFolder: string): Promise<{ tasks: readonly Task[]; remarks: readonly string[] }> {
  const digests = new Map(results.trials.map((trial) => [trial.task_id, trial.task_digest]))
  try {
    const loaded = await loadTasks(tasksFolder, {})
    const same = loaded.filter(({ task, digest }) => digests.get(task.task_id) === digest)
    const other = [...digests.keys()].filter((id) => !same.some(({ task }) => task.task_id === id)).sort()
    const remark = `changed since the run, so their callback schemas are not shown: ${other.join(', ')}`
    return { tasks: same.map(({ task }) => task), remarks: other.length === 0 ? [] : [remark] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { tasks: [], remarks: [`without callback schemas: ${error.message.split('\n')[0]}`] }
  }
}
