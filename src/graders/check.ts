import type { Check, Evidence, FailureClass, GraderName } from '../model/check.ts'
import type { ObservedState } from '../model/outcome.ts'
import type { CheckId } from '../model/task.ts'

export function passed(id: CheckId, evidence: Evidence): Check {
  return { ...named(id), status: 'pass', failure_class: null, diagnostic: false, evidence }
}

export function failed(id: CheckId, failureClass: FailureClass, evidence: Evidence): Check {
  return { ...named(id), status: 'fail', failure_class: failureClass, diagnostic: false, evidence }
}

/** `why` says what the task or page lacks for this check to apply. */
export function skipped(id: CheckId, why: string): Check {
  return { ...named(id), status: 'skipped', failure_class: null, diagnostic: false, evidence: { message: why } }
}

export function diagnostic(check: Check): Check {
  return { ...check, failure_class: null, diagnostic: true }
}

function named(id: CheckId): { grader: GraderName; name: string } {
  const dot = id.indexOf('.')
  const grader = id.slice(0, dot)
  if (grader !== 'transcript' && grader !== 'dom' && grader !== 'interaction' && grader !== 'callback') {
    throw new Error(`no deterministic grader is called ${grader}`)
  }
  return { grader, name: id.slice(dot + 1) }
}

export function idOf(check: Check): string {
  return `${check.grader}.${check.name}`
}

/** Where a state was seen, for evidence. */
export function placeOf(state: ObservedState | undefined): Pick<Evidence, 'state' | 'screenshot'> {
  if (state === undefined) return {}
  return state.screenshot === null ? { state: state.index } : { state: state.index, screenshot: state.screenshot }
}

/** A value as one line of JSON, cut to `limit` characters. */
export function shown(value: unknown, limit = 300): string {
  return cut(value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value), limit)
}

export function cut(text: string, limit = 300): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`
}

/** `"a", "b" and 3 more`. */
export function listed(names: readonly string[], limit = 5): string {
  const first = names.slice(0, limit).map((name) => `"${cut(name, 80)}"`)
  return names.length > limit ? `${first.join(', ')} and ${names.length - limit} more` : first.join(', ')
}
