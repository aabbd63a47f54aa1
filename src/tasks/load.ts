import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'
import { SUITES, type LoadedTask, type Specimen, type SpecimenToolCall, type Suite, type Task, type Trap } from '../model/task.ts'
import { taskDigest } from './digest.ts'
import { parseTaskFile } from './task-file.ts'

export interface TaskFilter {
  /** Only tasks of this suite; all suites when absent. */
  readonly suite?: Suite
  /** Only these tasks; all when absent or empty. */
  readonly ids?: readonly string[]
}

/**
 * Reads and validates task folders, sorted by id.
 *
 * With `ids` only those folders are read; else every `task.json` must be valid, but only tasks of the suite must be complete (reference and traps present).
 * @throws UserError with all problems of all files at once.
 */
export async function loadTasks(tasksFolder: string, filter: TaskFilter): Promise<LoadedTask[]> {
  const root = resolve(tasksFolder)
  const { suite } = filter
  if (suite !== undefined && !SUITES.includes(suite)) {
    throw new UserError([{ where: 'suite', at: '', message: `there is no suite "${suite}"; choose ${SUITES.join(' or ')}` }])
  }
  const known = await taskFolders(root, tasksFolder)
  const ids = filter.ids === undefined || filter.ids.length === 0 ? null : [...new Set(filter.ids)].sort()
  const problems: Problem[] = []
  for (const id of ids ?? []) {
    if (!known.includes(id)) {
      problems.push({ where: tasksFolder, at: '', message: `there is no task "${id}"; it holds ${known.join(', ') || 'no tasks'}` })
    }
  }

  const tasks: LoadedTask[] = []
  for (const id of known.filter((name) => ids === null || ids.includes(name))) {
    const where = join(tasksFolder, id, 'task.json')
    const text = await readText(join(root, id, 'task.json'))
    if (text === null) {
      problems.push({ where, at: '', message: 'is missing; every folder here must hold a task.json' })
      continue
    }
    const file = await parseTaskFile(text, where, id)
    if (!file.ok) {
      problems.push(...file.problems)
      continue
    }
    if (suite !== undefined && file.task.suite_type !== suite) {
      if (ids !== null)
        problems.push({ where, at: '$.suite_type', message: `${id} is a ${file.task.suite_type} task, not of the suite ${suite}` })
      continue
    }
    const loaded = await withSpecimens(file.task, join(root, id), join(tasksFolder, id), problems)
    if (loaded !== null) tasks.push(loaded)
  }
  if (problems.length > 0) throw new UserError(problems)
  if (tasks.length === 0) {
    throw new UserError([{ where: tasksFolder, at: '', message: `holds no ${suite === undefined ? '' : `${suite} `}tasks` }])
  }
  return tasks
}

async function taskFolders(root: string, shown: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'does not exist' : 'cannot be read as a folder'
    throw new UserError([{ where: shown, at: '', message: `the tasks folder ${reason}` }])
  }
}

/** Adds reference and traps; pushes a problem for each that is missing, empty or not registered. */
async function withSpecimens(task: Task, folder: string, shown: string, problems: Problem[]): Promise<LoadedTask | null> {
  const before = problems.length
  const read = async (path: string, calls: readonly SpecimenToolCall[] | undefined): Promise<Specimen | null> => {
    const content = await readText(join(folder, path))
    const reason = content === null ? 'is missing' : content.trim() === '' ? 'is empty' : null
    if (reason !== null) problems.push({ where: join(shown, path), at: '', message: `${reason}, though task.json names it` })
    const made = calls === undefined ? {} : { tool_calls: calls }
    return content === null ? null : { file: path, kind: path.endsWith('.html') ? 'app' : 'text', content, ...made }
  }
  const reference = await read(task.reference_solution, task.reference_tool_calls)
  const traps: Trap[] = []
  for (const { file, fails, also_fails: also, why, tool_calls: calls } of task.traps ?? []) {
    const specimen = await read(`traps/${file}`, calls)
    if (specimen !== null) traps.push({ ...specimen, fails, why, ...(also === undefined ? {} : { also_fails: also }) })
  }
  const registered = new Set((task.traps ?? []).map(({ file }) => file))
  const present = await readdir(join(folder, 'traps')).catch((): string[] => [])
  for (const file of present.filter((name) => /\.(html|md)$/.test(name) && !registered.has(name)).sort()) {
    problems.push({
      where: join(shown, 'traps', file),
      at: '',
      message: 'is not registered under "traps" in task.json; say there which check must catch it',
    })
  }
  return reference === null || problems.length > before ? null : { task, folder, digest: taskDigest(task), reference, traps }
}

/** The file's text, or null when there is none. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR'))
      return null
    throw error
  }
}
