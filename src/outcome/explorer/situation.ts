import { choicesInRows, isPressable } from './choice-rows.ts'
import { formOf, identityOf, viewOf, type Memory } from './memory.ts'
import type { Candidate } from './probe/candidate.ts'
import type { PageScan } from './scan.ts'
import { isSelfRating, plainWords, readName, type Reading } from './words.ts'

export type ActionKind =
  | 'click'
  | 'check'
  | 'uncheck'
  | 'fill'
  | 'select'
  | 'set_range'
  | 'sweep'
  | 'drag'
  | 'hold'
  | 'press_enter'
  | 'scroll'
  | 'dismiss'

/** What to do next, and how much a person would be drawn to it. */
export interface Choice {
  readonly action: ActionKind
  readonly target: Candidate
  readonly value: string | null
  /** 100 = sure, 50 = a thing to try, below 10 = only when nothing else is left. */
  readonly score: number
  readonly why: string
}

/** How this drive differs from the plain one (see `vary`). */
export interface Taste {
  /** Which member of a choice is taken; 0 = the first. */
  readonly turn: number
  /** How many controls that have an answer already get another one before the final action. */
  readonly perturb: number
}

export const PLAIN_TASTE: Taste = { turn: 0, perturb: 0 }

export interface Situation {
  readonly scan: PageScan
  readonly memory: Memory
  readonly taste: Taste
  readonly form: string
  readonly view: string
  /** Members by group. */
  readonly groups: ReadonlyMap<string, readonly Candidate[]>
  readonly readings: ReadonlyMap<Candidate, Reading>
  /** A final button is there but disabled, or was pressed in vain: something is still to be done. */
  readonly need: boolean
  readonly finalVisible: boolean
  /** A button is there but disabled. */
  readonly sleeping: boolean
  /** How many controls were given another answer so far. */
  readonly perturbed: number
}

export function situate(scan: PageScan, memory: Memory, taste: Taste): Situation {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of scan.candidates) groups.set(candidate.group, [...(groups.get(candidate.group) ?? []), candidate])
  const buttons = scan.candidates.filter((candidate) => isPressable(candidate))
  const open = buttons.filter((button) => !button.blocked)
  const removals = open.filter((candidate) => /^(delete|remove)\b/.test(plainWords(candidate.name))).length
  const readings = new Map<Candidate, Reading>()
  for (const button of buttons) {
    let reading = readName(button.name, button.submit)
    // Several "Delete" buttons belong to rows; one alone is the action itself.
    if (removals > 1 && /^(delete|remove)\b/.test(plainWords(button.name)) && !button.submit) reading = { intent: 'back', strength: 0 }
    // One of many alike (a node of a map, a card of a list) is not the final action, whatever its name.
    if (reading.intent === 'final' && reading.strength < 8 && (groups.get(button.group)?.length ?? 0) > 5)
      reading = { intent: 'neutral', strength: 0 }
    readings.set(button, reading)
    if (
      taste.turn > 0 &&
      isSelfRating(button.name) &&
      reading.intent === 'back' &&
      open.some((other) => other.group === button.group && readName(other.name, false).intent === 'check')
    )
      readings.set(button, { intent: 'check', strength: 1 })
  }
  for (const button of choicesInRows(scan)) readings.set(button, { intent: 'neutral', strength: 0 })
  const finals = open.filter((button) => readings.get(button)?.intent === 'final' && button.kind !== 'tab')
  const sleeping = open.some((button) => !button.enabled && readings.get(button)?.intent !== 'back')
  return {
    scan,
    memory,
    taste,
    form: formOf(scan),
    view: viewOf(scan),
    groups,
    readings,
    need: memory.finalFailed || sleeping,
    finalVisible: finals.length > 0,
    sleeping,
    perturbed: [...memory.deeds.keys()].filter((key) => key.startsWith(PERTURBED)).length,
  }
}

/** Whether the last deed opened the tab that is now open. */
export function hasJustOpenedTab({ scan, memory }: Situation): boolean {
  return scan.candidates.some((each) => each.kind === 'tab' && each.checked === true && each.key === memory.last?.key)
}

export const PERTURBED = 'otherwise '

/** Under which name the perturbing of a group is remembered. */
export function perturbedKey(group: string): string {
  return PERTURBED + group
}

export function choice(action: ActionKind, target: Candidate, value: string | null, score: number, why: string): Choice | null {
  return score > 0 ? { action, target, value, score, why } : null
}

export function times(candidate: Candidate, { memory }: Situation): number {
  return memory.deeds.get(identityOf(candidate))?.count ?? 0
}

export function mayPerturb(candidate: Candidate, { taste, perturbed, memory }: Situation): boolean {
  return perturbed < taste.perturb && !memory.deeds.has(perturbedKey(candidate.group))
}

/** How far a member is from the one wanted, counted around. */
export function distance(place: number, turn: number, count: number): number {
  return count === 0 ? 0 : (place - (turn % count) + count) % count
}
