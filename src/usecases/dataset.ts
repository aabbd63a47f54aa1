import { UserError } from '../model/errors.ts'
import { SUITES } from '../model/task.ts'
import { exportTasks } from '../tasks/export.ts'
import { importTasks } from '../tasks/import.ts'
import { loadTasks } from '../tasks/load.ts'

/** Dataset rows → task folders. Returns what was written and every problem met. */
export function importDataset(file: string, tasksFolder: string, overwrite: boolean): ReturnType<typeof importTasks> {
  return importTasks(file, tasksFolder, { overwrite })
}

/** Task folders → dataset rows. Returns the ids of the tasks written. */
export async function exportDataset(file: string, tasksFolder: string, suite: string | undefined): Promise<readonly string[]> {
  const known = SUITES.find((name) => name === suite)
  if (suite !== undefined && known === undefined) throw new UserError(`there is no suite "${suite}"; choose ${SUITES.join(' or ')}`)
  const tasks = await loadTasks(tasksFolder, known === undefined ? {} : { suite: known })
  await exportTasks(tasks, file)
  return tasks.map((task) => task.task.task_id)
}
