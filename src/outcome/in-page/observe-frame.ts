import type { ObservedControl, SelectorMatch, StateText } from '../../model/outcome.ts'
import type { ControlCollector } from './controls.ts'
import type { ListenerEvents } from './listener-register.ts'
import type { PaintCollector } from './paint.ts'
import type { TextCollector } from './text.ts'
import type { Walk } from './walk.ts'

/** What one frame looks like. */
export interface FrameObservation {
  /** Place of the frame in its parent, from the top frame down; empty for the top frame. */
  readonly path: readonly number[]
  readonly text: StateText
  readonly controls: readonly ObservedControl[]
  readonly selectors: Readonly<Record<string, SelectorMatch>>
  readonly canvas_hash: string | null
  readonly painted: boolean
}

export interface ObserverParts {
  plain<T extends object>(node: T): T
  createWalk(plain: ObserverParts['plain']): Walk
  createTextCollector(longest: number, plain: ObserverParts['plain']): TextCollector
  createControlCollector(listening: ReadonlySet<Element>, framePrefix: string, plain: ObserverParts['plain']): ControlCollector
  createPaintCollector(): PaintCollector
}

/** Runs in the observer's isolated world. Self-contained: sent to the page as source, its parts are passed in. */
export function observeFrame(
  parts: ObserverParts,
  events: ListenerEvents,
  longestText: number,
  selectors: Readonly<Record<string, readonly string[]>>,
): FrameObservation {
  const { plain } = parts
  function framePath(): number[] {
    const path: number[] = []
    for (let at: Window = window; at !== at.parent; at = at.parent) {
      let place = 0
      while (place < at.parent.length && at.parent[place] !== at) place += 1
      path.unshift(place)
    }
    return path
  }

  function listeningElements(): Set<Element> {
    const listening = new Set<Element>()
    const note = (event: Event): void => {
      const target = event.composedPath()[0]
      if (target instanceof Element) listening.add(target)
      event.stopImmediatePropagation()
    }
    const page = plain(document)
    page.addEventListener(events.tell, note, true)
    page.dispatchEvent(new Event(events.ask))
    page.removeEventListener(events.tell, note, true)
    return listening
  }

  function isFrameShown(): boolean {
    if (window === window.parent) return true
    if (innerWidth === 0 || innerHeight === 0) return false
    try {
      return window.frameElement?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? true
    } catch {
      return true
    }
  }

  function match(roots: readonly (Document | ShadowRoot)[], alternatives: readonly string[]): SelectorMatch {
    const matched = new Set<Element>()
    let matchedBy: string | null = null
    for (const alternative of alternatives) {
      for (const root of roots) {
        let elements: Iterable<Element>
        try {
          elements = root.querySelectorAll(alternative)
        } catch {
          continue
        }
        for (const element of elements) {
          matchedBy ??= alternative
          matched.add(element)
        }
      }
    }
    return { count: matched.size, matched_by: matchedBy }
  }

  const path = framePath()
  const prefix = path.map((place) => `frame:${place}|`).join('')
  const text = parts.createTextCollector(longestText, plain)
  const controls = parts.createControlCollector(listeningElements(), prefix, plain)
  const paint = parts.createPaintCollector()
  const roots = parts.createWalk(plain).visit({
    enter(element, facts) {
      text.enter(element, facts)
      controls.enter(element, facts)
      paint.enter(element, facts)
    },
    text(node, facts) {
      text.text(node, facts)
    },
    leave(element, facts) {
      text.leave(element, facts)
      controls.leave(element, facts)
    },
  })
  const collected = text.result()
  const shown = isFrameShown()
  const visibleText: StateText = shown
    ? collected
    : { ...collected, rendered: '', hidden: `${collected.hidden}\n${collected.rendered}`.trim() }
  const painting = paint.result()
  const matches: Record<string, SelectorMatch> = {}
  for (const [selector, alternatives] of Object.entries(selectors)) matches[selector] = match(roots, alternatives)
  return {
    path,
    text: visibleText,
    controls: shown ? controls.result() : [],
    selectors: matches,
    canvas_hash: painting.canvas_hash,
    painted: shown && (painting.painted || visibleText.rendered !== ''),
  }
}
