import type { Check } from '../model/check.ts'
import type { BridgeCall, Outcome } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { cut, failed, listed, passed, placeOf, shown, skipped } from './check.ts'
import { payloadPatterns } from './payload-patterns.ts'
import { payloadReflectsState } from './payload-reflects-state.ts'
import { compilePayloadSchema, type PayloadError } from './payload.ts'

const PREMATURE = 'callback.premature_callback'
const RECEIVED = 'callback.received'
const SCHEMA = 'callback.schema'
const CHECKS = [PREMATURE, RECEIVED, SCHEMA, 'callback.payload_patterns', 'callback.payload_reflects_state'] as const

/** Judges what the app sent through `window.hermes.sendAction`, in the order of CHECK_IDS. */
export function callbackChecks(task: Task, outcome: Outcome): Check[] {
  const schema = task.expected_callback_schema
  if (schema === null) {
    const none = 'The task expects no callback.'
    return CHECKS.map((id) => skipped(id, none))
  }
  const answered = outcome.bridge_calls.filter((call) => call.step > 0)
  return [
    premature(outcome),
    received(outcome, answered),
    validPayload(schema, outcome, answered),
    payloadPatterns(task, schema, answered),
    payloadReflectsState(task, schema, outcome),
  ]
}

function premature(outcome: Outcome): Check {
  const early = outcome.bridge_calls.find((call) => call.step === 0)
  if (early === undefined) return passed(PREMATURE, { message: 'Nothing was sent before the first interaction.' })
  return failed(PREMATURE, 'premature_callback', {
    message: `A callback was sent ${Math.round(early.t_ms)} ms after load, before the user did anything: an agent must not act without its user.`,
    expected: 'no callback before the first interaction',
    seen: describeCall(early),
    step: 0,
    ...placeOf(outcome.states[0]),
  })
}

function received(outcome: Outcome, answered: readonly BridgeCall[]): Check {
  const [first] = answered
  if (first !== undefined) {
    return passed(RECEIVED, {
      message: `${answered.length} callback${answered.length === 1 ? '' : 's'}, the first in step ${first.step}.`,
      seen: describeCall(first),
      step: first.step,
    })
  }
  const done = outcome.steps.filter((step) => step.status === 'done')
  const pressed = [...new Set(done.filter((step) => step.action === 'click').map((step) => step.name || step.target))]
  const last = outcome.steps.at(-1)
  return failed(RECEIVED, 'no_callback', {
    message:
      done.length === 0
        ? 'No callback came: nothing on the page could be operated.'
        : `No callback came in ${done.length} step${done.length === 1 ? '' : 's'}${pressed.length === 0 ? '' : `; pressed: ${listed(pressed, 8)}`}.`,
    expected: 'a call of window.hermes.sendAction(payload)',
    seen:
      last === undefined
        ? 'no step was done'
        : `the last step was ${last.action} "${cut(last.name || last.target, 80)}" (${last.status}${last.detail === '' ? '' : `: ${last.detail}`})`,
    ...(last === undefined ? {} : { step: last.number }),
    ...placeOf(outcome.states.at(-1)),
  })
}

function validPayload(schema: Readonly<Record<string, unknown>>, outcome: Outcome, answered: readonly BridgeCall[]): Check {
  if (answered.length === 0) return skipped(SCHEMA, 'No payload came after the first interaction.')
  const compiled = compilePayloadSchema(schema)
  const judged = answered.map((call) => ({ call, errors: call.ok ? compiled.errors(call.payload) : [notJson(call.reason)] }))
  const items = judged.slice(0, 20).map(({ call, errors }) => ({
    requirement: `payload of step ${call.step}`,
    met: errors.length === 0,
    how:
      errors.length === 0
        ? `valid: ${describeCall(call)}`
        : errors.map((error) => `${error.path}: expected ${error.expected}, got ${error.got}`).join('; '),
  }))
  const good = judged.find(({ errors }) => errors.length === 0)
  if (good !== undefined)
    return passed(SCHEMA, {
      message: `The payload of step ${good.call.step} satisfies the schema.`,
      seen: describeCall(good.call),
      step: good.call.step,
      items,
    })
  const best = judged.reduce((left, right) => (right.errors.length < left.errors.length ? right : left))
  const [error] = best.errors
  return failed(SCHEMA, 'invalid_callback', {
    message: `${judged.length === 1 ? 'The payload does not satisfy' : `None of ${judged.length} payloads satisfies`} expected_callback_schema: at ${error?.path ?? '$'} expected ${error?.expected ?? 'a valid value'}, got ${error?.got ?? 'nothing'}${best.errors.length > 1 ? ` (and ${best.errors.length - 1} more)` : ''}.`,
    expected: shown(schema, 400),
    seen: describeCall(best.call),
    step: best.call.step,
    ...placeOf(outcome.states.find((state) => state.index === best.call.step) ?? outcome.states.at(-1)),
    items,
  })
}

function notJson(reason: string): PayloadError {
  return { path: '$', expected: 'a payload that can be sent as JSON', got: cut(reason, 160) }
}

function describeCall(call: BridgeCall): string {
  return call.ok ? shown(call.payload, 300) : `a payload that is no JSON: ${cut(call.reason, 160)}`
}
