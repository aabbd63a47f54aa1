import type { ObservedState, Outcome } from '../model/outcome.ts'
import { sourceText } from './document-source.ts'
import { containsText, searchable, type SearchableText } from './text-search.ts'

/** How a user meets a string, best first. `hidden` stands in the DOM but never showed; `source` stands in the document outside comments. */
export type Meeting = 'rendered' | 'revealed' | 'form_value' | 'attribute' | 'hidden' | 'source'

export interface Sighting {
  readonly meeting: Meeting
  /** The observed state it was met in; null for `source`. */
  readonly state: ObservedState | null
}

export interface Grounding {
  /** The best way in which a user can meet the string; null when there is none. */
  find(wanted: string): Sighting | null
  /** The first state in which the string is visible (text or form value); null when it never is. */
  visibleIn(wanted: string): ObservedState | null
  /** Whether the string is visible in this state. */
  visibleAt(state: ObservedState, wanted: string): boolean
}

const UNSEEN = [
  ['attribute', 'attributes'],
  ['hidden', 'hidden'],
] as const

/** Looks for strings in everything that was observed of one micro-app. Texts are normalised once, and only when asked for. */
export function groundingOf(outcome: Outcome): Grounding {
  const texts = new Map<string, SearchableText>()
  const has = (text: string, wanted: string): boolean => {
    if (text === '') return false
    const known = texts.get(text) ?? searchable(text)
    texts.set(text, known)
    return containsText(known, wanted)
  }
  let source: string | null = null
  const inSource = (wanted: string): boolean => {
    source ??= sourceText(outcome.source)
    return has(source, wanted)
  }
  const rendered = (state: ObservedState, wanted: string): boolean => {
    if (has(state.text.rendered, wanted)) return true
    // `p<sup>k</sup>` is painted without its mark: take "pk" for "p^k" only where the document writes an exponent there.
    const flat = withoutExponents(wanted)
    return flat !== wanted && has(state.text.rendered, flat) && inSource(wanted)
  }
  const visibleAt = (state: ObservedState, wanted: string): boolean => rendered(state, wanted) || has(state.text.form_values, wanted)

  return {
    visibleAt,
    visibleIn: (wanted) => outcome.states.find((state) => visibleAt(state, wanted)) ?? null,
    find(wanted) {
      const shownIn = outcome.states.find((state) => rendered(state, wanted))
      if (shownIn !== undefined) return { meeting: shownIn.index === 0 ? 'rendered' : 'revealed', state: shownIn }
      const typedIn = outcome.states.find((state) => has(state.text.form_values, wanted))
      if (typedIn !== undefined) return { meeting: 'form_value', state: typedIn }
      for (const [meeting, key] of UNSEEN) {
        const state = outcome.states.find(({ text }) => has(text[key], wanted))
        if (state !== undefined) return { meeting, state }
      }
      return inSource(wanted) ? { meeting: 'source', state: null } : null
    },
  }
}

function withoutExponents(wanted: string): string {
  return wanted.replace(/\^\{?\(?([\p{L}\p{N}]+)\)?\}?/gu, '$1')
}

/** In words, for evidence. */
export function describeSighting(sighting: Sighting): string {
  const where = sighting.state === null ? '' : ` (state ${sighting.state.index}, ${sighting.state.label})`
  switch (sighting.meeting) {
    case 'rendered':
      return `rendered${where}`
    case 'revealed':
      return `revealed${where}`
    case 'form_value':
      return `form value${where}`
    case 'attribute':
      return `attribute${where}`
    case 'hidden':
      return `hidden: in the page but never visible${where}`
    case 'source':
      return 'source: in the document, never seen on the page'
  }
}
