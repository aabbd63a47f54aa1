/** pass^k of both arms with their 95% intervals as a small picture: baseline above in grey, this build below. */
import type { Interval } from '../../model/verdict.ts'
import { intervalText, percent } from '../figures.ts'
import { markup, type Markup } from './markup.ts'

export interface Arm {
  readonly pass_k: number | null
  readonly interval: Interval | null
}

const WIDTH = 180
const LEFT = 6
const SPAN = WIDTH - 2 * LEFT

function x(rate: number): string {
  return (LEFT + Math.min(1, Math.max(0, rate)) * SPAN).toFixed(1)
}

function arm(which: 'base' | 'head', y: number, { pass_k, interval }: Arm): Markup | null {
  if (interval === null && pass_k === null) return null
  const line = interval === null ? null : markup`<line class="reach" x1="${x(interval.low)}" x2="${x(interval.high)}" y1="${y}" y2="${y}"/>`
  const dot = pass_k === null ? null : markup`<circle cx="${x(pass_k)}" cy="${y}" r="${which === 'head' ? 4.5 : 3.5}"/>`
  return markup`<g class="${which}">${line}${dot}</g>`
}

function spoken(name: string, { pass_k, interval }: Arm): string {
  return `${name} ${percent(pass_k)} (${intervalText(interval)})`
}

export function intervalBar(baseline: Arm | null, head: Arm | null): Markup {
  const said = [...(baseline === null ? [] : [spoken('baseline', baseline)]), ...(head === null ? [] : [spoken('this build', head)])].join(
    ', ',
  )
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (rate) => markup`<line class="${rate === 0 || rate === 1 ? 'edge' : 'tick'}" x1="${x(rate)}" x2="${x(rate)}" y1="3" y2="27"/>`,
  )
  return markup`<svg class="bar" viewBox="0 0 ${WIDTH} 30" role="img" aria-label="${said}"><title>${said}</title>${ticks}${
    baseline === null ? null : arm('base', 9, baseline)
  }${head === null ? null : arm('head', 21, head)}</svg>`
}
