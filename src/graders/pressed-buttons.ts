import type { Outcome, PerformedStep } from '../model/outcome.ts'

/** A button that was pressed at least once, over declared, explorer and variation steps. */
export interface PressedButton {
  readonly target: string
  readonly name: string
  readonly steps: readonly PerformedStep[]
  /** Sent a callback in some press. */
  readonly sends: boolean
  /** Changed something observable, or sent, in some press. */
  readonly live: boolean
}

/** Controls whose own value changes on a click; whether they do more is another question. */
const VALUE_KINDS = new Set(['checkbox', 'radio', 'range', 'text', 'select', 'editable'])

/** Buttons that were pressed and looked at, in order of their first press. */
export function pressedButtons(outcome: Outcome): PressedButton[] {
  const kinds = new Map<string, Set<string>>()
  for (const control of outcome.states.flatMap((state) => state.controls)) {
    kinds.set(control.name, (kinds.get(control.name) ?? new Set()).add(control.kind))
  }
  const isButton = (step: PerformedStep): boolean => {
    const known = kinds.get(step.name)
    return known === undefined || [...known].some((kind) => !VALUE_KINDS.has(kind))
  }
  const steps = [...outcome.steps, ...(outcome.variations ?? []).flatMap((variation) => variation.steps)]
  const groups = new Map<string, PerformedStep[]>()
  for (const step of steps) {
    if (step.action !== 'click' || step.status !== 'done' || !isButton(step)) continue
    if (step.changed === null && !step.sent) continue
    const button = `${controlOf(step)}\n${step.name}`
    groups.set(button, [...(groups.get(button) ?? []), step])
  }
  return [...groups.values()].map((presses) => ({
    target: presses[0]?.target ?? '',
    name: presses[0]?.name ?? '',
    steps: presses,
    sends: presses.some((step) => step.sent),
    live: presses.some((step) => step.sent || step.changed === true),
  }))
}

/** A declared step's target is a selector; its detail says on which control it landed (`on <key>`), as other steps' targets do. */
export function controlOf(step: PerformedStep): string {
  return (step.by === 'declared' ? /^on (.+?)(?:; |$)/u.exec(step.detail)?.[1] : undefined) ?? step.target
}
