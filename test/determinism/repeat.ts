import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import { gradeFiles, readApp } from '../../src/usecases/grade-files.ts'
import type { AppToGrade } from '../../src/usecases/grade.ts'

const TASKS = path.join(import.meta.dirname, '..', '..', 'tasks')

/** Reference apps of the suite; those named, else all. */
export async function referenceApps(ids?: readonly string[]): Promise<AppToGrade[]> {
  const apps: AppToGrade[] = []
  for (const id of ids ?? (await readdir(TASKS)).sort()) {
    const file = path.join(TASKS, id, 'reference.html')
    const exists = await access(file).then(
      () => true,
      () => false,
    )
    if (exists) apps.push({ ...(await readApp(id, file)), id })
  }
  return apps
}

/** What an app was graded as: verdict, class, failing checks. Equal strings are equal grades. */
export async function gradeAll(
  apps: readonly AppToGrade[],
  concurrency: number,
  onGraded: (id: string, grade: string) => void,
): Promise<void> {
  await gradeFiles({
    tasks_folder: TASKS,
    apps,
    screenshot_folder: null,
    browser_path: null,
    network: { kind: 'mirror' },
    webview: { kind: 'top' },
    concurrency,
    onGraded: (app) => {
      const failing = app.checks.filter((check) => check.status === 'fail').map((check) => `${check.grader}.${check.name}`)
      onGraded(app.id, [app.verdict, app.failure_class ?? '-', app.reached_by ?? 'no callback', ...failing].join(' '))
    },
  })
}

/**
 * Grades each app so many times; by app, the different grades with how often each came.
 * @param concurrency pages at once
 * @param onRound told after each round over all apps
 */
export async function gradeRepeatedly(
  apps: readonly AppToGrade[],
  times: number,
  concurrency = 1,
  onRound: (done: number) => void = () => undefined,
): Promise<Map<string, Map<string, number>>> {
  const grades = new Map<string, Map<string, number>>()
  for (let round = 0; round < times; round += 1) {
    await gradeAll(apps, concurrency, (id, grade) => {
      const ofApp = grades.get(id) ?? new Map<string, number>()
      grades.set(id, ofApp.set(grade, (ofApp.get(grade) ?? 0) + 1))
    })
    onRound(round + 1)
  }
  return grades
}

/** Work done while a second process grades other apps. */
export async function underLoad<T>(work: () => Promise<T>): Promise<T> {
  const load = spawn(process.execPath, [path.join(import.meta.dirname, 'load.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(load, 'exit')
  try {
    // At work, not merely started.
    await Promise.race([once(load.stdout, 'data'), gone])
    if (load.exitCode !== null) throw new Error(`the load ended with exit code ${load.exitCode}`)
    load.stdout.resume()
    return await work()
  } finally {
    load.kill('SIGTERM')
    await gone
  }
}
