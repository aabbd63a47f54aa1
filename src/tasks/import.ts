import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'
import { COLUMNS, decodeCell, type Column, type DatasetRow } from './columns.ts'
import { jsonPath } from './json-position.ts'
import { readRows } from './row-files.ts'
import { taskSchemaText } from './schema-file.ts'
import { taskFindings } from './task-file.ts'

export interface ImportOptions {
  /** Replace the 13 columns of tasks that exist already; their own keys and traps stay. Default false. */
  readonly overwrite?: boolean
}

export interface ImportResult {
  /** Ids of the tasks written, in the order of the rows. */
  readonly written: readonly string[]
  /** What the user has still to do: rows that were refused, and cells that were cut and are left out of the files written. */
  readonly problems: readonly Problem[]
}

/** What stands in for a cut cell while the rest of its row is validated. */
const STAND_INS: Readonly<Partial<Record<Column, unknown>>> = {
  acceptable_ui_archetypes: [],
  user_prompt: 'cut',
  mock_tool_context: [],
  outcome_dom_assertions: {},
  outcome_interaction_steps: [],
  expected_callback_schema: null,
  model_grader_rubrics: [],
  reference_solution: 'cut',
}

interface DecodedRow {
  readonly id: string
  readonly cells: ReadonlyMap<Column, unknown>
  readonly cut: readonly Column[]
}

/**
 * Turns dataset rows into task folders. A cell that the dataset holds only in part is left out of `task.json`, so that the task is refused until
 * somebody completes it; a row with any other fault is not written at all.
 * @throws UserError when the file cannot be read or holds no rows.
 */
export async function importTasks(file: string, tasksFolder: string, options: ImportOptions = {}): Promise<ImportResult> {
  const rows = await readRows(file)
  if (rows.length === 0) throw new UserError([{ where: file, at: '', message: 'holds no rows' }])
  const root = resolve(tasksFolder)
  const written: string[] = []
  const problems: Problem[] = []
  for (const [index, row] of rows.entries()) {
    const decoded = decodeRow(row, file, index, problems)
    if (decoded === null) continue
    const { id, cut } = decoded
    if (written.includes(id)) {
      problems.push({ where: file, at: `row ${index + 1}`, message: `repeats the task_id ${id}; the row is left out` })
      continue
    }
    const folder = join(root, id)
    const exists = await access(join(folder, 'task.json')).then(
      () => true,
      () => false,
    )
    if (exists && options.overwrite !== true) {
      problems.push({ where: join(tasksFolder, id), at: '', message: 'exists already; pass --overwrite to replace its columns' })
      continue
    }
    await writeTask(folder, decoded)
    written.push(id)
    for (const column of cut) {
      problems.push({
        where: join(tasksFolder, id),
        at: `$.${column}`,
        message:
          column === 'reference_solution'
            ? 'the cell was cut in the dataset; write a whole reference solution'
            : `the cell was cut in the dataset and is left out; complete it and name it in "completed_fields"`,
      })
    }
  }
  if (written.length > 0) await writeFile(join(root, 'task.schema.json'), taskSchemaText())
  return { written, problems }
}

/** The row's cells, or null after its problems were pushed. */
function decodeRow(row: DatasetRow, file: string, index: number, problems: Problem[]): DecodedRow | null {
  const id = typeof row['task_id'] === 'string' ? row['task_id'] : ''
  const where = `${file} row ${index + 1}${id === '' ? '' : ` (${id})`}`
  const before = problems.length
  const namedAsCut = cutColumns(row['truncated_fields'])
  const cells = new Map<Column, unknown>()
  const cut: Column[] = []
  for (const column of COLUMNS) {
    const cell = decodeCell(column, row[column], namedAsCut.includes(column))
    if (cell.state === 'whole') cells.set(column, cell.value)
    else if (cell.state === 'cut' && column in STAND_INS) cut.push(column)
    else problems.push({ where, at: `$.${column}`, message: cell.state === 'cut' ? 'was cut in the dataset' : cell.reason })
  }
  const known = new Set<string>([...COLUMNS, 'truncated_fields'])
  for (const column of Object.keys(row).filter((name) => !known.has(name))) {
    problems.push({ where, at: `$.${column}`, message: 'is no column of the benchmark; remove it' })
  }
  if (problems.length > before) return null
  const whole = Object.fromEntries(COLUMNS.map((column) => [column, cut.includes(column) ? STAND_INS[column] : cells.get(column)]))
  for (const { pointer, message } of taskFindings({ ...whole, reference_solution: referenceFile(cells) }, id)) {
    problems.push({ where, at: jsonPath(pointer), message })
  }
  return problems.length > before ? null : { id, cells, cut }
}

/** `truncated_fields` as a list, a JSON list in a string, or nothing. */
function cutColumns(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || value.trim() === '') return []
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list : [value]
  } catch {
    return value.split(',').map((name) => name.trim())
  }
}

function referenceFile(cells: ReadonlyMap<Column, unknown>): 'reference.html' | 'reference.md' {
  return cells.get('expected_tool_trigger') === true ? 'reference.html' : 'reference.md'
}

async function writeTask(folder: string, { cells, cut }: DecodedRow): Promise<void> {
  const reference = referenceFile(cells)
  const columns = COLUMNS.filter((column) => !cut.includes(column) || column === 'reference_solution').map((column) => [
    column,
    column === 'reference_solution' ? reference : cells.get(column),
  ])
  const task = { $schema: '../task.schema.json', ...Object.fromEntries(columns), ...(await ownKeys(folder)) }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'task.json'), `${JSON.stringify(task, null, 2)}\n`)
  const content = cells.get('reference_solution')
  if (typeof content === 'string') await writeFile(join(folder, reference), content)
}

/** The keys of an existing task that no dataset column holds. */
async function ownKeys(folder: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(folder, 'task.json'), 'utf8').catch(() => '{}')
  let present: unknown
  try {
    present = JSON.parse(text)
  } catch {
    return {}
  }
  const columns = new Set<string>([...COLUMNS, '$schema'])
  return Object.fromEntries(Object.entries(present ?? {}).filter(([key]) => !columns.has(key)))
}
