import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcomeRequestFor } from '../graders/outcome-request.ts'
import { InfraError } from '../model/errors.ts'
import type { JudgeMaterial } from '../model/judge.ts'
import { DEFAULT_OUTCOME_LIMITS, type Outcome } from '../model/outcome.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import type { JudgeExample } from './judge-examples.ts'
import { materialOf } from './judge-trial.ts'

/** A browser that failed once gets a second chance. */
const ATTEMPTS = 2

/**
 * Renders and operates an example as a trial's app is, and makes of it what a judge would be shown in a run.
 * @throws InfraError when the browser fails twice
 */
export async function exampleMaterial(example: JudgeExample, engine: BrowserEngine | null, screenshots: boolean): Promise<JudgeMaterial> {
  const folder = screenshots ? await mkdtemp(join(tmpdir(), 'genui-judge-')) : null
  try {
    const outcome = await observe(example, engine, folder)
    return await materialOf({ ...example, agent: { status: 'completed' }, outcome }, folder)
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Whether there is an app that a run would operate; one of a negative control is judged by having been shown at all. */
export function isOperated({ task, app }: JudgeExample): boolean {
  return app !== null && task.expected_tool_trigger
}

async function observe(example: JudgeExample, engine: BrowserEngine | null, folder: string | null): Promise<Outcome | null> {
  const { task, app } = example
  if (app === null || engine === null || !isOperated(example)) return null
  // A judge is not shown what came of other choices.
  const request = { ...outcomeRequestFor(task), html: app.html, vary: false, screenshot_folder: folder, limits: DEFAULT_OUTCOME_LIMITS }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.observe(request)
    } catch (error) {
      if (attempt >= ATTEMPTS || !(error instanceof InfraError)) throw error
    }
  }
}
