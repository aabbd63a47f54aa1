import type { Suite } from '../model/task.ts'
import { loadTasks } from '../tasks/load.ts'
import { openBrowser } from './open-browser.ts'
import type { RenderingOptions } from './grade-files.ts'
import { validateSuite, type ValidationProgress } from './validate.ts'
import type { ValidationReport } from './validation-report.ts'
import { validityDocument } from './validity-document.ts'
import { GRADERS_VERSION } from '../graders/grade.ts'

export interface ValidateTasksOptions extends RenderingOptions {
  readonly tasks_folder: string
  readonly suite: Suite | null
  readonly task_ids: readonly string[] | null
  readonly mutants: boolean
  readonly onProgress: (event: ValidationProgress) => void
}

export interface ValidatedTasks {
  readonly report: ValidationReport
  /** The report as a Markdown page. */
  readonly page: string
}

/** Proves task folders without a model, in one browser. */
export async function validateTasks(options: ValidateTasksOptions): Promise<ValidatedTasks> {
  const tasks = await loadTasks(options.tasks_folder, {
    ...(options.suite === null ? {} : { suite: options.suite }),
    ...(options.task_ids === null ? {} : { ids: options.task_ids }),
  })
  const engine = await openBrowser(options)
  try {
    const { mutants, concurrency, onProgress } = options
    const report = await validateSuite({ tasks, engine, mutants, concurrency, onProgress })
    return { report, page: validityDocument(report, { graders: GRADERS_VERSION, browser: `chromium ${engine.major}` }) }
  } finally {
    await engine.close()
  }
}
