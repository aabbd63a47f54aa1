import type { Check } from '../model/check.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { failed, passed, placeOf, shown, skipped } from './check.ts'
import { compilePayloadSchema } from './payload.ts'
import { pressedButtons } from './pressed-buttons.ts'

const ID = 'callback.payload_reflects_state'
/** Fields that name what happened, not what the user chose. */
const LABEL_FIELDS = new Set(['action', 'topic', 'type', 'event', 'kind', 'source', 'version', 'task_id', 'id'])
/** Fields that differ from run to run by themselves. */
const VOLATILE =
  /(?:^|_)(?:time|timestamp|ts|date|at|now|uuid|guid|nonce|session|session_id|request_id|trace|elapsed|duration|latency|took|time_spent|ms|seconds|secs)$/u
const CHOICE_KINDS = new Set(['checkbox', 'radio', 'range', 'text', 'select', 'editable', 'custom'])

/** Fields of the schema that carry what the user chose. */
function choiceFields(schema: Readonly<Record<string, unknown>>): { required: string[]; optional: string[] } {
  const { properties, required } = schema
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])
  const choices = [...new Set([...names, ...needed])].filter((name) => !LABEL_FIELDS.has(name))
  return { required: choices.filter((name) => needed.has(name)), optional: choices.filter((name) => !needed.has(name)) }
}

/** Whether the task can ever ask for this check: its own word first, else whether its schema has a field for choices. */
export function mayReflectState(task: Task): boolean {
  const schema = task.expected_callback_schema
  if (schema === null) return false
  const fields = choiceFields(schema)
  return task.own_assertions?.payload_reflects_state ?? fields.required.length + fields.optional.length > 0
}

/** The payload must change when the user chooses differently. */
export function payloadReflectsState(task: Task, schema: Readonly<Record<string, unknown>>, outcome: Outcome): Check {
  if (task.own_assertions?.payload_reflects_state === false) return skipped(ID, 'The payload of this task need not carry choices.')
  const { accepts } = compilePayloadSchema(schema)
  const base = outcome.bridge_calls.find((call) => call.ok && call.step > 0 && accepts(call.payload))
  if (base === undefined || !base.ok) return skipped(ID, 'No valid payload to compare with.')
  const fields = choiceFields(schema)
  const sent = typeof base.payload === 'object' && base.payload !== null ? Object.keys(base.payload) : []
  const carries = fields.required.length > 0 || fields.optional.some((name) => sent.includes(name))
  if (task.own_assertions?.payload_reflects_state !== true && !carries) return skipped(ID, 'The payload carries no choice of the user.')

  const declared = new Set([...fields.required, ...fields.optional])
  const others = (outcome.variations ?? []).map((variation) => ({ variation, payloads: variation.payloads.filter(accepts) }))
  const compared = others.filter(({ payloads }) => payloads.length > 0)
  const same = comparable(base.payload, declared)
  const items = compared.map(({ variation, payloads }) => {
    const other = payloads.find((payload) => comparable(payload, declared) !== same)
    return {
      requirement: variation.difference,
      met: other !== undefined,
      how: other === undefined ? 'the same payload' : shown(other, 200),
    }
  })
  if (items.some((item) => item.met))
    return passed(ID, { message: 'The payload follows what the user chooses.', seen: shown(base.payload), step: base.step, items })
  if (compared.length > 0) {
    return failed(ID, 'constant_payload', {
      message: `The payload stays the same whatever the user chooses (${compared.length} other way${compared.length === 1 ? '' : 's'} tried: ${items.map((item) => item.requirement).join('; ')}).`,
      expected: 'another payload after other choices',
      seen: shown(base.payload),
      step: base.step,
      ...placeOf(outcome.states.find((state) => state.index === base.step) ?? outcome.states.at(-1)),
      items,
    })
  }
  if (others.length === 0 && fields.required.length > 0 && offersNoChoice(outcome)) {
    return failed(ID, 'constant_payload', {
      message: `The payload carries ${fields.required.join(', ')}, but the page offers nothing to choose: no field, no box, no button that changes anything before the one that sends.`,
      expected: 'a control by which the user decides what is sent',
      seen: shown(base.payload),
      step: base.step,
      ...placeOf(outcome.states[0]),
    })
  }
  return skipped(
    ID,
    others.length === 0
      ? 'Nothing was found that could be chosen otherwise.'
      : 'Other choices led to no valid payload, so that there was nothing to compare.',
  )
}

/** No control that takes a choice in any state, and no button that did anything but send. */
function offersNoChoice(outcome: Outcome): boolean {
  const fields = outcome.states.some((state) => state.controls.some((control) => CHOICE_KINDS.has(control.kind)))
  return !fields && pressedButtons(outcome).filter((button) => button.live).length <= 1
}

/** The payload in one form, without fields that differ by themselves (unless the schema asks for them). */
function comparable(payload: unknown, declared: ReadonlySet<string>): string {
  return JSON.stringify(payload, (key: string, value: unknown) => {
    if (VOLATILE.test(snakeCase(key)) && !declared.has(key)) return undefined
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  })
}

function snakeCase(key: string): string {
  return key.replace(/(?<=[a-z\d])(?=[A-Z])/gu, '_').toLowerCase()
}
