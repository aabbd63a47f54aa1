import type { GateSettings, GateTask } from '../model/verdict.ts'
import { passAllK, passAllKInterval } from '../statistics/estimates.ts'
import type { GateContext } from './context.ts'

/**
 * An edited task has nothing to be held against, so a change could weaken its own exam and fail it in green. It is therefore asked for what a
 * golden task is: an estimate of pass^k that reaches the golden floor. False for accepted edits and for tasks that could not be measured.
 */
export function failsAsEdited(task: GateTask, settings: GateSettings, context: GateContext): boolean {
  const { head, changed, task_id: id } = task
  if (head === null || !changed || context.accepted_changes.includes(id)) return false
  const passAll = passAllK(head.n, head.c, settings.k)
  return passAll !== null && passAll < settings.golden_floor
}

/** One unlucky trial is no failing task: more trials may settle it, unless even the high end of the interval lies below the floor. */
export function mayYetPassAsEdited(task: GateTask, settings: GateSettings, context: GateContext): boolean {
  const { head } = task
  if (head === null || !failsAsEdited(task, settings, context)) return false
  return passAllKInterval(head.n, head.c, settings.k).high >= settings.golden_floor
}
