import type { Check } from '../model/check.ts'
import type { BridgeCall } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { cut, failed, passed, shown, skipped } from './check.ts'
import { compilePayloadSchema } from './payload.ts'

const ID = 'callback.payload_patterns'
/** Characters of a field that are read: a pattern must not run for ever on what an app sends. */
const LONGEST = 1000
/** Payloads that are judged: the first ones. */
const JUDGED = 200

/**
 * Fields of the payload match the task's own patterns: what a schema as published leaves open, such as a cron expression.
 * Of the payloads that satisfy the schema, at least one must match in all fields.
 * @param answered what was sent after the first interaction
 */
export function payloadPatterns(task: Task, schema: Readonly<Record<string, unknown>>, answered: readonly BridgeCall[]): Check {
  const patterns = Object.entries(task.own_assertions?.payload_patterns ?? {})
  if (patterns.length === 0) return skipped(ID, 'The task names no pattern.')
  const { accepts } = compilePayloadSchema(schema)
  const accepted = answered
    .filter((call) => call.ok)
    .slice(0, JUDGED)
    .filter(({ payload }) => accepts(payload))
  if (accepted.length === 0) return skipped(ID, 'No payload satisfied the schema.')
  const judged = accepted.map((call) => ({
    call,
    items: patterns.map(([field, pattern]) => {
      const value = fieldOf(call.payload, field)
      const met = typeof value === 'string' && value.length <= LONGEST && new RegExp(pattern, 'u').test(value.trim())
      return { requirement: `${field} matches ${pattern}`, met, how: `step ${call.step}: ${shown(value, 120)}` }
    }),
  }))
  const good = judged.find(({ items }) => items.every(({ met }) => met))
  if (good !== undefined)
    return passed(ID, { message: 'The payload matches the patterns of the task.', step: good.call.step, items: good.items })
  const [first] = judged
  const wrong = first?.items.find(({ met }) => !met)
  return failed(ID, 'invalid_callback', {
    message: `No payload is as the task needs it: ${wrong?.requirement ?? ''}, but was ${cut(wrong?.how ?? 'nothing', 160)}.`,
    expected: patterns.map(([field, pattern]) => `${field} matches ${pattern}`).join('; '),
    seen: shown(first?.call.payload),
    ...(first === undefined ? {} : { step: first.call.step }),
    items: first?.items ?? [],
  })
}

function fieldOf(payload: unknown, field: string): unknown {
  return typeof payload === 'object' && payload !== null && Object.hasOwn(payload, field) ? Reflect.get(payload, field) : undefined
}
