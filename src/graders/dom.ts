import type { Check, Evidence } from '../model/check.ts'
import type { ObservedControl, ObservedState, Outcome, ScriptError } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { cut, failed, listed, passed, placeOf, skipped } from './check.ts'
import { describeSighting, type Grounding } from './grounding.ts'

const VISIBLE = new Set(['rendered', 'revealed', 'form_value'])

/** Judges what the browser saw, in the order of CHECK_IDS; `page_alive` apart. */
export function domChecks(task: Task, outcome: Outcome, grounding: Grounding): Check[] {
  return [
    zeroJsErrors(task, outcome),
    notBlank(outcome),
    mustContainStrings(task, grounding, outcome),
    mustBeRendered(task, grounding, outcome),
    requiredSelectors(task, outcome),
    minInteractiveElements(task, outcome),
  ]
}

/** The page came to its end by itself: no loop, no crash. */
export function pageAlive(outcome: Outcome): Check {
  const id = 'dom.page_alive'
  if (outcome.end === 'observed') return passed(id, { message: 'The page stayed responsive to the end.' })
  const last = outcome.steps.at(-1)
  const when = endedWhen(outcome, last)
  const what = outcome.end === 'js_hang' ? 'stopped answering: a script ran without end' : 'crashed the renderer'
  return failed(id, outcome.end, {
    message: `The page ${what} ${when}.`,
    expected: 'a page that answers within its time budget',
    seen: cut(outcome.end_detail),
    step: last?.number ?? 0,
    ...placeOf(outcome.states.at(-1)),
  })
}

/** A step that never came to its end is in no list of steps; what ended the page says its number. */
function endedWhen({ end_detail: detail }: Outcome, last: Outcome['steps'][number] | undefined): string {
  const number = Number(/\(at step (\d+)\)$/.exec(detail)?.[1] ?? 0)
  const named = last === undefined ? '' : `step ${last.number} (${last.action} "${cut(last.name || last.target, 80)}")`
  if (number > (last?.number ?? 0)) return `in step ${number}, after ${named === '' ? 'it had loaded' : named}`
  return named === '' ? 'while it loaded' : `in ${named}`
}

const ERROR_KINDS = { exception: 'uncaught exception', rejection: 'unhandled rejection', console_error: 'console.error' } as const

function zeroJsErrors(task: Task, outcome: Outcome): Check {
  const id = 'dom.zero_js_errors'
  if (task.outcome_dom_assertions.zero_js_errors !== true) return skipped(id, 'The task does not ask for it.')
  const own = outcome.script_errors.filter((error) => !error.from_blocking)
  const first = own[0]
  if (first === undefined) {
    const ignored = outcome.script_errors.length
    return passed(id, {
      message: ignored === 0 ? 'No script error.' : `No script error of the page's own (${ignored} came only from the blocked network).`,
    })
  }
  const counts = new Map<string, { error: ScriptError; count: number }>()
  for (const error of own) {
    const key = `${error.kind} ${error.message}`
    counts.set(key, { error, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const step = outcome.steps.find(({ number }) => number === first.step)
  const when =
    first.step === 0
      ? 'during load'
      : `after step ${first.step}${step === undefined ? '' : ` (${step.action} "${cut(step.name || step.target, 60)}")`}`
  return failed(id, 'js_error', {
    message: `${capitalised(ERROR_KINDS[first.kind])} ${when}: ${cut(first.message, 200)}`,
    expected: 'no uncaught exception, unhandled rejection or console.error',
    seen: `${own.length} script error${own.length === 1 ? '' : 's'}`,
    step: first.step,
    ...placeOf(outcome.states.find((state) => state.index >= first.step) ?? outcome.states.at(-1)),
    items: [...counts.values()].slice(0, 20).map(({ error, count }) => ({
      requirement: cut(error.message, 200),
      met: false,
      how: `${ERROR_KINDS[error.kind]}, ${error.step === 0 ? 'during load' : `step ${error.step}`}${count === 1 ? '' : `, ${count} times`}`,
    })),
  })
}

function notBlank(outcome: Outcome): Check {
  const id = 'dom.not_blank'
  const painted = outcome.states.find((state) => state.painted)
  if (painted !== undefined) return passed(id, { message: `Something is painted (${painted.label}).`, ...placeOf(painted) })
  return failed(id, 'blank', {
    message: 'Nothing is painted: the user sees an empty page.',
    expected: 'visible text, or pixels that differ from the background',
    seen: `${outcome.states.length} observed state${outcome.states.length === 1 ? '' : 's'}, all empty; ${outcome.source.length} characters of HTML`,
    ...placeOf(outcome.states[0]),
  })
}

function mustContainStrings(task: Task, grounding: Grounding, outcome: Outcome): Check {
  const id = 'dom.must_contain_strings'
  const wanted = task.outcome_dom_assertions.must_contain_strings ?? []
  if (wanted.length === 0) return skipped(id, 'The task names no string.')
  const items = wanted.map((requirement) => {
    const sighting = grounding.find(requirement)
    return {
      requirement,
      met: sighting !== null,
      how: sighting === null ? 'nowhere: not in any observed state, nor in the document outside comments' : describeSighting(sighting),
    }
  })
  return stringsCheck(id, items, outcome, {
    good: 'All required data stands where a user can meet it.',
    bad: 'The app does not hold',
  })
}

function mustBeRendered(task: Task, grounding: Grounding, outcome: Outcome): Check {
  const id = 'dom.must_be_rendered_strings'
  const visible = task.own_assertions?.must_be_rendered_strings ?? []
  const revealed = task.own_assertions?.revealed_by_interaction ?? []
  if (visible.length + revealed.length === 0) return skipped(id, 'The task names no string that must be visible.')
  const items = [...new Set([...visible, ...revealed])].map((requirement) => {
    const sighting = grounding.find(requirement)
    const met = sighting !== null && VISIBLE.has(sighting.meeting)
    return { requirement, met, how: sighting === null ? 'nowhere' : describeSighting(sighting) }
  })
  return stringsCheck(id, items, outcome, {
    good: 'All strings that must be visible were seen.',
    bad: 'Never visible in any observed state:',
  })
}

function stringsCheck(
  id: 'dom.must_contain_strings' | 'dom.must_be_rendered_strings',
  items: NonNullable<Evidence['items']>,
  outcome: Outcome,
  words: { readonly good: string; readonly bad: string },
): Check {
  const missing = items.filter((item) => !item.met).map((item) => item.requirement)
  if (missing.length === 0) return passed(id, { message: words.good, items })
  const first = outcome.states[0]
  return failed(id, 'missing_grounding', {
    message: `${words.bad} ${listed(missing)}.`,
    expected: listed(
      items.map((item) => item.requirement),
      10,
    ),
    seen: `${items.length - missing.length} of ${items.length} found; the page begins "${cut(first?.text.rendered ?? '', 160)}"`,
    ...placeOf(first),
    items,
  })
}

function requiredSelectors(task: Task, outcome: Outcome): Check {
  const id = 'dom.required_selectors'
  const wanted = task.outcome_dom_assertions.required_selectors ?? []
  if (wanted.length === 0) return skipped(id, 'The task names no selector.')
  const items = wanted.map((requirement) => {
    const state = outcome.states.find((candidate) => (candidate.selectors[requirement]?.count ?? 0) > 0)
    const match = state?.selectors[requirement]
    if (state === undefined || match === undefined)
      return { requirement, met: false, how: `no match in ${outcome.states.length} observed states, ARIA equivalents included` }
    const by = match.matched_by === null || match.matched_by === requirement ? '' : ` by its equivalent ${match.matched_by}`
    return {
      requirement,
      met: true,
      how: `${match.count} match${match.count === 1 ? '' : 'es'}${by} (state ${state.index}, ${state.label})`,
    }
  })
  const missing = items.filter((item) => !item.met).map((item) => item.requirement)
  const [firstMissing] = missing
  if (firstMissing === undefined) return passed(id, { message: 'All required controls are there.', items })
  return failed(id, 'missing_control', {
    message: `No element matches ${missing.join(', ')}, nor an ARIA equivalent of it.`,
    expected: wanted.join(', '),
    seen: controlsSeen(outcome.states),
    selector: firstMissing,
    ...placeOf(outcome.states[0]),
    items,
  })
}

function minInteractiveElements(task: Task, outcome: Outcome): Check {
  const id = 'dom.min_interactive_elements'
  const wanted = task.outcome_dom_assertions.min_interactive_elements ?? 0
  if (wanted === 0) return skipped(id, 'The task names no number of controls.')
  const controls = distinctControls(outcome.states)
  const seen = `${controls.length} distinct control${controls.length === 1 ? '' : 's'}: ${describeControls(controls)}`
  if (controls.length >= wanted) return passed(id, { message: `${seen}.`, expected: `at least ${wanted}` })
  return failed(id, 'missing_control', {
    message: `A user can operate only ${controls.length} of at least ${wanted} controls (visible and enabled, over ${outcome.states.length} observed states).`,
    expected: `at least ${wanted} distinct visible, enabled controls`,
    seen,
    ...placeOf(outcome.states[0]),
  })
}

function distinctControls(states: readonly ObservedState[]): ObservedControl[] {
  const byKey = new Map<string, ObservedControl>()
  for (const control of states.flatMap((state) => state.controls)) {
    const key = `${control.kind} ${control.key}`
    if (!byKey.has(key)) byKey.set(key, control)
  }
  return [...byKey.values()]
}

function controlsSeen(states: readonly ObservedState[]): string {
  const controls = distinctControls(states)
  return controls.length === 0 ? 'no control at all' : `these controls: ${describeControls(controls)}`
}

function describeControls(controls: readonly ObservedControl[]): string {
  if (controls.length === 0) return 'none'
  const words = controls.slice(0, 8).map((control) => `${control.kind} "${cut(control.name, 40)}"`)
  return controls.length > 8 ? `${words.join(', ')} and ${controls.length - 8} more` : words.join(', ')
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
