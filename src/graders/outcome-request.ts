import type { OutcomeRequest } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { mayReflectState } from './payload-reflects-state.ts'
import { compilePayloadSchema } from './payload.ts'

/**
 * What the browser is asked to do for the graders of this task; the document, folder and limits are the caller's.
 * @throws UserError when `expected_callback_schema` is no JSON Schema
 */
export function outcomeRequestFor(task: Task): Pick<OutcomeRequest, 'selectors' | 'steps' | 'accepts_payload' | 'explore' | 'vary'> {
  const schema = task.expected_callback_schema
  return {
    selectors: task.outcome_dom_assertions.required_selectors ?? [],
    steps: task.outcome_interaction_steps,
    accepts_payload: schema === null ? null : compilePayloadSchema(schema).accepts,
    explore: schema !== null,
    // Ways that were not taken are also where dummy buttons get pressed.
    vary: mayReflectState(task) || (schema !== null && task.own_assertions?.live_controls !== false),
  }
}
