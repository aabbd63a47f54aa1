import type { Check } from '../model/check.ts'
import type { ObservedControl, ObservedState, Outcome, PerformedStep } from '../model/outcome.ts'
import type { Task } from '../model/task.ts'
import { cut, diagnostic, failed, listed, passed, placeOf, skipped } from './check.ts'
import type { Grounding } from './grounding.ts'
import { controlOf, pressedButtons } from './pressed-buttons.ts'
import { recomputed } from './recomputed.ts'
import { containsText, searchable } from './text-search.ts'

/** Judges how the app behaved when it was used, in the order of CHECK_IDS. */
export function interactionChecks(task: Task, outcome: Outcome, grounding: Grounding): Check[] {
  return [
    declaredSteps(task, outcome),
    reactivity(task, outcome),
    liveControls(task, outcome),
    answersHidden(task, outcome, grounding),
    initialState(task, outcome),
    recomputed(task, outcome),
  ]
}

/** Diagnostic: the published steps fit few good apps, so that an app is judged by its behaviour, not by them. */
function declaredSteps(task: Task, outcome: Outcome): Check {
  const id = 'interaction.declared_steps'
  if (task.outcome_interaction_steps.length === 0) return skipped(id, 'The task declares no step.')
  const done = outcome.steps.filter((step) => step.by === 'declared')
  const items = done.map((step) => ({
    requirement: `${step.action} ${step.target}${step.value === null ? '' : ` = ${step.value}`}`,
    met: step.status === 'done',
    how:
      step.status === 'done'
        ? `done on "${cut(step.name, 80)}"`
        : step.status === 'no_match'
          ? `nothing suitable was visible and enabled${step.detail === '' ? '' : `: ${step.detail}`}`
          : `the page refused: ${step.detail}`,
  }))
  const missed = done.find((step) => step.status !== 'done')
  if (missed === undefined && done.length >= task.outcome_interaction_steps.length)
    return diagnostic(passed(id, { message: 'All declared steps could be done.', items }))
  return diagnostic(
    failed(id, 'dead_control', {
      message:
        missed === undefined
          ? `Only ${done.length} of ${task.outcome_interaction_steps.length} declared steps were tried.`
          : `The declared step "${missed.action} ${missed.target}" found nothing suitable; the app is judged by its behaviour.`,
      ...(missed === undefined ? {} : { step: missed.number, selector: missed.target }),
      items,
    }),
  )
}

/** A range that is moved must change something besides its own value. */
function reactivity(task: Task, outcome: Outcome): Check {
  const id = 'interaction.reactivity'
  if (task.own_assertions?.reactivity === false) return skipped(id, 'The task switches it off.')
  const moved = new Map<string, PerformedStep[]>()
  for (const step of outcome.steps) {
    if (step.action !== 'set_range' || step.status !== 'done' || step.changed === null) continue
    const range = controlOf(step)
    moved.set(range, [...(moved.get(range) ?? []), step])
  }
  if (moved.size === 0) return skipped(id, 'No range was moved.')
  const items = [...moved.values()].map((steps) => {
    const alive = steps.find((step) => step.changed === true)
    const [first] = steps
    const name = first === undefined ? '' : first.name || first.target
    return {
      requirement: `range "${cut(name, 80)}" shows an effect`,
      met: alive !== undefined,
      how:
        alive === undefined
          ? `moved to ${steps.map((step) => step.value ?? '?').join(', ')}: nothing else on the page changed`
          : `moved to ${alive.value ?? '?'} in step ${alive.number}: the page changed`,
    }
  })
  const dead = [...moved.values()].find((steps) => steps.every((step) => step.changed === false))?.[0]
  if (dead === undefined)
    return passed(id, { message: `Moving ${moved.size === 1 ? 'the range' : `each of ${moved.size} ranges`} changed the page.`, items })
  return failed(id, 'dead_control', {
    message: `The range "${cut(dead.name || dead.target, 80)}" was moved to ${dead.value ?? '?'} and nothing on the page changed but its own value.`,
    expected: 'text, a chart or another control that follows the range',
    seen: 'the same text, controls, canvas and layout before and after',
    selector: dead.target,
    step: dead.number,
    ...placeOf(stateAfter(outcome, dead.number)),
    items,
  })
}

/** Most buttons, the sender apart, must change or send something in some state in which they are pressed. */
function liveControls(task: Task, outcome: Outcome): Check {
  const id = 'interaction.live_controls'
  if (task.own_assertions?.live_controls === false) return skipped(id, 'The task switches it off.')
  const buttons = pressedButtons(outcome).filter((button) => !button.sends)
  if (buttons.length === 0) return skipped(id, 'No button was pressed but the one that sends.')
  const dead = buttons.filter((button) => !button.live)
  const items = buttons.map((button) => ({
    requirement: `button "${cut(button.name || button.target, 80)}" does something`,
    met: button.live,
    how: button.live
      ? 'changed the page'
      : `pressed in step ${button.steps.map((step) => step.number).join(', ')}: nothing changed, nothing was sent`,
  }))
  const [firstDead] = dead
  // One idle button is no fault (a filter that is already on, Reset at the start), unless nothing else reacts either; most of them are.
  const enough = reactsAnywhere(outcome) ? 2 : 1
  if (firstDead === undefined || dead.length < enough || dead.length * 2 <= buttons.length) {
    return passed(id, {
      message: `${buttons.length - dead.length} of ${buttons.length} pressed buttons did something, the sender apart.`,
      items,
    })
  }
  const [step] = firstDead.steps
  return failed(id, 'dead_control', {
    message: `${dead.length} of ${buttons.length} pressed buttons, the sender apart, do nothing: ${listed(dead.map((button) => button.name || button.target))}.`,
    expected: 'most buttons change something that can be seen, or send',
    seen: `pressing "${cut(firstDead.name || firstDead.target, 80)}" changed nothing and sent nothing`,
    selector: firstDead.target,
    ...(step === undefined ? {} : { step: step.number, ...placeOf(stateAfter(outcome, step.number)) }),
    items,
  })
}

/** Whether anything but sending ever changed the page. */
function reactsAnywhere(outcome: Outcome): boolean {
  const steps = [...outcome.steps, ...(outcome.variations ?? []).flatMap((variation) => variation.steps)]
  return steps.some((step) => step.status === 'done' && step.changed === true && !step.sent)
}

function answersHidden(task: Task, outcome: Outcome, grounding: Grounding): Check {
  const id = 'interaction.answers_hidden'
  const answers = task.own_assertions?.answers_hidden ?? []
  const [first] = outcome.states
  if (answers.length === 0) return skipped(id, 'The task names no answer that must be hidden at first.')
  if (first === undefined) return skipped(id, 'No state was observed.')
  const items = answers.map((requirement) => {
    const visible = grounding.visibleAt(first, requirement)
    return {
      requirement,
      met: !visible,
      how: visible ? 'visible before the first interaction' : 'not visible before the first interaction',
    }
  })
  const open = items.filter((item) => !item.met).map((item) => item.requirement)
  if (open.length === 0) return passed(id, { message: 'No answer is visible before the first interaction.', items })
  return failed(id, 'rubric_fail', {
    message: `Answers are visible before the user does anything: ${listed(open)}.`,
    expected: 'answers hidden until the user asks for them',
    seen: `${open.length} of ${answers.length} answers in the text of the first state`,
    step: 0,
    ...placeOf(first),
    items,
  })
}

function initialState(task: Task, outcome: Outcome): Check {
  const id = 'interaction.initial_state'
  const wanted = [
    ...(task.own_assertions?.initially_checked ?? []).map((label) => ({ label, checked: true })),
    ...(task.own_assertions?.initially_unchecked ?? []).map((label) => ({ label, checked: false })),
  ]
  if (wanted.length === 0) return skipped(id, 'The task says nothing about boxes that are ticked at first.')
  const items = wanted.map(({ label, checked }) => {
    const requirement = `"${label}" is ${checked ? 'ticked' : 'not ticked'} at first`
    const found = firstBoxes(outcome.states, label)
    // A file that cannot be ticked at all is protected as well as one that is not ticked.
    if (found === null) return { requirement, met: !checked, how: 'no enabled box with this label was seen' }
    const met = found.boxes.every((box) => box.checked === checked)
    return {
      requirement,
      met,
      how: `${found.boxes[0]?.checked === true ? 'ticked' : 'not ticked'} when first seen (state ${found.state.index}, ${found.state.label})`,
    }
  })
  const wrong = items.filter((item) => !item.met)
  const [firstWrong] = wrong
  if (firstWrong === undefined) return passed(id, { message: 'Boxes are ticked at first as they should be.', items })
  return failed(id, 'rubric_fail', {
    message: `Wrong at first: ${wrong.map((item) => `${item.requirement}, but was ${item.how}`).join('; ')}.`,
    expected: items.map((item) => item.requirement).join('; '),
    seen: firstWrong.how,
    step: 0,
    ...placeOf(outcome.states[0]),
    items,
  })
}

/** Boxes with this label in the first state that shows any: a start screen may come before them. */
function firstBoxes(states: readonly ObservedState[], label: string): { state: ObservedState; boxes: ObservedControl[] } | null {
  for (const state of states) {
    const boxes = state.controls.filter((control) => control.checked !== null && containsText(searchable(control.name), label))
    if (boxes.length > 0) return { state, boxes }
  }
  return null
}

function stateAfter(outcome: Outcome, step: number): ObservedState | undefined {
  return outcome.states.find((state) => state.index === step) ?? outcome.states.at(-1)
}
