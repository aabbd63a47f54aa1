import type { ObservedControl, ObservedState } from '../model/outcome.ts'
import type { Block } from './block.ts'
import { visibleCharacters, visibleLine } from './visible-characters.ts'

/** What is shown of a state, with its share of the state's room. */
const FIELDS = [
  { name: 'text on screen', share: 0.5, of: ({ text }: ObservedState) => text.rendered },
  { name: 'controls that can be used', share: 0.25, of: ({ controls }: ObservedState) => controls.map(controlLine).join('\n') },
  { name: 'values of form fields', share: 0.1, of: ({ text }: ObservedState) => text.form_values },
  { name: 'text in the page that is not visible', share: 0.1, of: ({ text }: ObservedState) => text.hidden },
  { name: 'texts in attributes (alt, title, aria-label …)', share: 0.05, of: ({ text }: ObservedState) => text.attributes },
] as const

/** Share of the room of all states that the first gets; the others divide the rest. */
const FIRST_SHARE = 0.4

/**
 * The first state in full, then per state what appeared and what is gone since the state shown before it, line by line.
 * Of more than `most` states the first, the last and evenly spread ones between are shown; as changes are told from one shown
 * state to the next, nothing that lasted is lost.
 * @param weight of all states together
 */
export function stateBlocks(states: readonly ObservedState[], most: number, weight: number): Block[] {
  const shown = evenly(states, most)
  const [first, ...later] = shown
  if (first === undefined) return [{ heading: 'Screens observed', text: '', weight }]
  const blank = shown.filter(({ painted }) => !painted).map(({ index }) => index)
  const labels: Block = {
    heading:
      `Screens observed (${states.length}, of which ${shown.length} are told below; what is not told did not change` +
      `${blank.length === 0 ? '' : `; nothing at all is painted on ${blank.join(', ')}`})`,
    text: shown.map(({ index, label }) => `${index}. ${visibleLine(label)}`).join('\n'),
    weight: weight * 0.05,
  }
  const firstWeight = later.length === 0 ? weight : weight * FIRST_SHARE
  const laterWeight = (weight * (1 - FIRST_SHARE)) / Math.max(1, later.length)
  return [
    labels,
    ...FIELDS.map(({ name, share, of }) => screenBlock(first, name, of(first), firstWeight * share)),
    ...later.flatMap((state, place) => changes(shown[place] ?? first, state, laterWeight)),
  ]
}

function changes(before: ObservedState, after: ObservedState, weight: number): Block[] {
  return FIELDS.flatMap(({ name, share, of }) => {
    const old = of(before)
    const now = of(after)
    const appeared = linesOnlyIn(now, old)
    const gone = linesOnlyIn(old, now)
    return [
      ...(appeared === '' ? [] : [screenBlock(after, `${name}: appeared`, appeared, weight * share)]),
      ...(gone === '' ? [] : [screenBlock(after, `${name}: gone`, gone, (weight * share) / 3)]),
    ]
  })
}

function screenBlock({ index }: ObservedState, name: string, text: string, weight: number): Block {
  return { heading: `Screen ${index}: ${name}`, text: visibleCharacters(text), weight }
}

/** Lines of one text that the other has not, each as often as it is there more often, in order. */
function linesOnlyIn(text: string, other: string): string {
  const spare = new Map<string, number>()
  for (const line of other.split('\n')) spare.set(line, (spare.get(line) ?? 0) + 1)
  return text
    .split('\n')
    .filter((line) => {
      const left = spare.get(line) ?? 0
      spare.set(line, left - 1)
      return left <= 0
    })
    .join('\n')
    .trim()
}

/** The state stands before the name, where the name cannot forge it. */
function controlLine({ kind, name, checked }: ObservedControl): string {
  const ticked = checked === null ? '' : checked ? ', checked' : ', not checked'
  return `${kind}${ticked}: ${JSON.stringify(visibleLine(name))}`
}

/** At most `most` of the items: the last when only one, else the first, the last and evenly spread ones between. */
export function evenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  if (most <= 1) return items.slice(items.length - most)
  return Array.from({ length: most }, (_, place) => Math.round((place * (items.length - 1)) / (most - 1))).flatMap((index) =>
    items.slice(index, index + 1),
  )
}
