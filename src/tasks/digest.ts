import { createHash } from 'node:crypto'
import type { Task } from '../model/task.ts'

/** Keys that do not decide a grade. */
const NOT_DECIDING = new Set(['$schema', 'traps', 'rubric_twins', 'reference_solution', 'reference_tool_calls'])

/**
 * `sha256:` over what decides a grade: the task without `$schema`, specimens (reference, traps) and the names of twins.
 * Independent of key order and white space of the file.
 */
export function taskDigest(task: Task): string {
  const deciding = Object.fromEntries(Object.entries(task).filter(([key]) => !NOT_DECIDING.has(key)))
  return `sha256:${createHash('sha256').update(canonicalJson(deciding)).digest('hex')}`
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
