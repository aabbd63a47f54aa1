import { gradeTrial } from '../graders/grade.ts'
import { outcomeRequestFor } from '../graders/outcome-request.ts'
import type { Grade } from '../model/check.ts'
import { InfraError } from '../model/errors.ts'
import { DEFAULT_OUTCOME_LIMITS, type Outcome, type OutcomeLimits } from '../model/outcome.ts'
import type { Specimen, Task } from '../model/task.ts'
import { RENDER_TOOL, type Transcript } from '../model/transcript.ts'
import type { BrowserEngine } from '../outcome/engine.ts'

/** Something to grade that no agent made: as if an agent had rendered the document, or answered with the text. */
export type SpecimenContent = Pick<Specimen, 'kind' | 'content' | 'tool_calls'>

export interface GradedSpecimen {
  readonly grade: Grade
  readonly outcome: Outcome | null
  /** Why it could not be measured; null when it was. */
  readonly trouble: string | null
}

/** A browser that failed once gets a second chance; a specimen that breaks it twice is reported as infra. */
const ATTEMPTS = 2

/** Renders (a document) and grades one specimen. */
export async function gradeSpecimen(
  task: Task,
  specimen: SpecimenContent,
  engine: BrowserEngine,
  screenshotFolder: string | null,
  limits: OutcomeLimits = DEFAULT_OUTCOME_LIMITS,
): Promise<GradedSpecimen> {
  const transcript = transcriptOf(specimen)
  const app = specimen.kind === 'app' ? ({ html: specimen.content, from: 'arguments' } as const) : null
  const trial = { task, transcript, app, rubrics: [] }
  if (app === null || !task.expected_tool_trigger) {
    return { grade: gradeTrial({ ...trial, agent: { status: 'completed' }, outcome: null }), outcome: null, trouble: null }
  }
  const request = { ...outcomeRequestFor(task), html: app.html, screenshot_folder: screenshotFolder, limits }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await engine.observe(request)
      return { grade: gradeTrial({ ...trial, agent: { status: 'completed' }, outcome }), outcome, trouble: null }
    } catch (error) {
      if (!(error instanceof InfraError)) throw error
      if (attempt < ATTEMPTS) continue
      const agent = { status: 'infra', infra_class: error.infraClass, detail: error.message } as const
      return { grade: gradeTrial({ ...trial, agent, outcome: null }), outcome: null, trouble: error.message }
    }
  }
}

/** An agent that did nothing: no call, no text. */
export const NOTHING_DONE: Transcript = { messages: [], tool_calls: [], final_text: '', tools_offered: [RENDER_TOOL] }

/** The transcript of an agent that made the specimen: the calls before it, then the rendering or the words. */
export function transcriptOf(specimen: SpecimenContent): Transcript {
  const before = (specimen.tool_calls ?? []).map((call, index) => ({ id: `call_${index + 1}`, ...call, status: 'ok', ms: 0 }) as const)
  if (specimen.kind === 'text') {
    const messages = [{ role: 'assistant', content: specimen.content } as const]
    return { ...NOTHING_DONE, messages, tool_calls: before, final_text: specimen.content }
  }
  const id = `call_${before.length + 1}`
  const call = { id, name: RENDER_TOOL, args: { html: specimen.content }, result: '{"ok":true}', status: 'ok', ms: 0 } as const
  return { ...NOTHING_DONE, tool_calls: [...before, call] }
}
