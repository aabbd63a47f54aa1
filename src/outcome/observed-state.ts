import type { ObservedState, SelectorMatch } from '../model/outcome.ts'
import type { FrameObservation } from './in-page/observe-frame.ts'

/** A state without what only its place in the trial gives it. */
export type View = Omit<ObservedState, 'index' | 'label' | 'screenshot'>

/** Joins what the frames of a page show, the top frame first. */
export function joinFrames(frames: readonly FrameObservation[], selectors: readonly string[]): View {
  const join = (part: (frame: FrameObservation) => string): string =>
    frames
      .map(part)
      .filter((text) => text !== '')
      .join('\n')
  const canvases = frames.flatMap((frame) => (frame.canvas_hash === null ? [] : [frame.canvas_hash]))
  return {
    text: {
      rendered: join(({ text }) => text.rendered),
      hidden: join(({ text }) => text.hidden),
      attributes: join(({ text }) => text.attributes),
      form_values: join(({ text }) => text.form_values),
    },
    controls: frames.flatMap(({ controls }) => controls),
    selectors: Object.fromEntries(selectors.map((selector) => [selector, joinMatches(frames, selector)])),
    canvas_hash: canvases.length === 0 ? null : canvases.join('-'),
    painted: frames.some(({ painted }) => painted),
  }
}

function joinMatches(frames: readonly FrameObservation[], selector: string): SelectorMatch {
  const matches = frames.flatMap((frame) => frame.selectors[selector] ?? [])
  const literal = matches.find(({ matched_by }) => matched_by === selector)
  const first = literal ?? matches.find(({ matched_by }) => matched_by !== null)
  return { count: matches.reduce((sum, { count }) => sum + count, 0), matched_by: first?.matched_by ?? null }
}

/** Whether two states look alike to the observer. */
export function sameView(state: ObservedState, view: View): boolean {
  const { index: _index, label: _label, screenshot: _screenshot, ...rest } = state
  return JSON.stringify(rest) === JSON.stringify(view)
}
