import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { NetworkPolicy, Webview } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import type { Problem } from '../model/schema.ts'
import { loadTasks } from '../tasks/load.ts'
import { openBrowser } from './open-browser.ts'
import { gradeMicroApps, type AppToGrade, type GradedApp } from './grade.ts'

/** How pages are rendered by commands that make no run. */
export interface RenderingOptions {
  readonly browser_path: string | null
  readonly network: NetworkPolicy
  readonly webview: Webview
  readonly concurrency: number
}

export interface GradeFilesOptions extends RenderingOptions {
  readonly tasks_folder: string
  readonly apps: readonly AppToGrade[]
  readonly screenshot_folder: string | null
  readonly onGraded: (app: GradedApp, done: number) => void
}

/** Grades micro-apps that exist already, in one browser. */
export async function gradeFiles(options: GradeFilesOptions): Promise<GradedApp[]> {
  const ids = [...new Set(options.apps.map((app) => app.task_id))]
  const tasks = await loadTasks(options.tasks_folder, { ids })
  const engine = await openBrowser(options)
  try {
    return await gradeMicroApps({
      items: options.apps,
      tasks,
      engine,
      concurrency: options.concurrency,
      screenshotFolder: options.screenshot_folder,
      onGraded: options.onGraded,
    })
  } finally {
    await engine.close()
  }
}

/** One app from a file. Throws UserError when it cannot be read. */
export async function readApp(taskId: string, file: string): Promise<AppToGrade> {
  return { id: file, task_id: taskId, html: await readText(file) }
}

/**
 * Apps of a JSONL manifest: lines `{"task_id", "html", "id"?}`, where `html` is a document or the path of one, relative to the manifest.
 * Throws UserError with every bad line at once.
 */
export async function readManifest(file: string): Promise<AppToGrade[]> {
  const lines = (await readText(file)).split('\n')
  const problems: Problem[] = []
  const apps: AppToGrade[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const at = `line ${index + 1}`
    const entry = parseLine(line)
    if (typeof entry === 'string') {
      problems.push({ where: file, at, message: entry })
      continue
    }
    const inline = entry.html.trimStart().startsWith('<')
    const html = inline ? entry.html : await readFile(resolve(dirname(file), entry.html), 'utf8').catch(() => null)
    if (html === null) problems.push({ where: file, at, message: `"html" names ${entry.html}, which cannot be read` })
    else apps.push({ id: entry.id ?? (inline ? `${entry.task_id}-${index + 1}` : entry.html), task_id: entry.task_id, html })
  }
  if (problems.length > 0) throw new UserError(problems)
  if (apps.length === 0) throw new UserError([{ where: file, at: '', message: 'holds no line; give lines {"task_id", "html"}' }])
  return apps
}

function parseLine(line: string): { task_id: string; html: string; id: string | null } | string {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null) return 'must be an object {"task_id", "html", "id"?}'
    const { task_id: taskId, html, id }: { task_id?: unknown; html?: unknown; id?: unknown } = value
    if (typeof taskId !== 'string' || typeof html !== 'string') return 'must have "task_id" and "html" as text'
    if (id !== undefined && typeof id !== 'string') return '"id" must be text'
    return { task_id: taskId, html, id: id ?? null }
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UserError([{ where: file, at: '', message: 'cannot be read; give the path of an existing file' }])
  }
}
