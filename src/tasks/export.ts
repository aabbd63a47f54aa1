import type { LoadedTask } from '../model/task.ts'
import { COLUMNS, type DatasetRow } from './columns.ts'
import { writeRows } from './row-files.ts'

/** A task as a row of the benchmark's 13 columns; `reference_solution` holds the reference itself. Own keys and traps have no column. */
export function rowOfTask({ task, reference }: LoadedTask): DatasetRow {
  return Object.fromEntries(COLUMNS.map((column) => [column, column === 'reference_solution' ? reference.content : task[column]]))
}

/**
 * Writes tasks as dataset rows; the format (JSON, JSONL, CSV, Parquet) follows the file's extension.
 * @throws UserError when the extension names no format.
 */
export async function exportTasks(tasks: readonly LoadedTask[], file: string): Promise<void> {
  await writeRows(file, tasks.map(rowOfTask))
}
