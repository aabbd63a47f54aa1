import { UserError } from '../model/errors.ts'
import { SUITES } from '../model/task.ts'
import type { LoadedTask } from '../model/task.ts'
import { COLUMNS } from '../tasks/columns.ts'
import { exportTasks } from '../tasks/export.ts'
import { importTasks } from '../tasks/import.ts'
import { loadTasks } from '../tasks/load.ts'

/** Dataset rows → task folders. Returns what was written and every problem met. */
export function importDataset(file: string, tasksFolder: string, overwrite: boolean): ReturnType<typeof importTasks> {
  return importTasks(file, tasksFolder, { overwrite })
}

/** What an export wrote, and what of the tasks the benchmark's columns cannot hold. */
export interface ExportedDataset {
  /** Ids of the tasks written. */
  readonly tasks: readonly string[]
  /** In words: `golden (4 tasks)`, `36 traps`. */
  readonly left_out: readonly string[]
}

function leftOut(tasks: readonly LoadedTask[]): string[] {
  const columns = new Set<string>([...COLUMNS, '$schema', 'traps'])
  const keys = tasks.flatMap(({ task }) => Object.keys(task).filter((key) => !columns.has(key)))
  const counted = [...Map.groupBy(keys.sort(), (key) => key)].map(
    ([key, { length }]) => `${key} (${length} task${length === 1 ? '' : 's'})`,
  )
  const traps = tasks.reduce((sum, task) => sum + task.traps.length, 0)
  return [...counted, ...(traps === 0 ? [] : [`${traps} trap${traps === 1 ? '' : 's'}`])]
}

/** Task folders → dataset rows. */
export async function exportDataset(file: string, tasksFolder: string, suite: string | undefined): Promise<ExportedDataset> {
  const known = SUITES.find((name) => name === suite)
  if (suite !== undefined && known === undefined) throw new UserError(`there is no suite "${suite}"; choose ${SUITES.join(' or ')}`)
  const tasks = await loadTasks(tasksFolder, known === undefined ? {} : { suite: known })
  await exportTasks(tasks, file)
  return { tasks: tasks.map((task) => task.task.task_id), left_out: leftOut(tasks) }
}
