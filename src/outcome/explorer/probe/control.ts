import type { DomProbe } from './dom.ts'

/** Where to press, in CSS pixels of the frame's viewport. */
export interface Aim {
  readonly found: boolean
  /** The page scrolls or the element is being moved just now: a press might miss. */
  readonly moving: boolean
  /** Key of the element that would receive the press instead; null when the press arrives. */
  readonly covered_by: string | null
  readonly x: number
  readonly y: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface ControlState {
  readonly value: string
  readonly checked: boolean | null
  readonly enabled: boolean
  readonly focused: boolean
}

export interface ControlProbe {
  /** Scrolls the element into view and finds a point of it that a press reaches. */
  aim(key: string): Aim
  state(key: string): ControlState | null
  /** A slider's value, and whether one of the buttons that were disabled is so no more. */
  glance(key: string, sleeping: readonly string[]): { readonly value: string; readonly focused: boolean; readonly awake: boolean }
  /** Keys of elements that can be scrolled down further, the page itself last. */
  scrollable(): string[]
  focus(key: string): boolean
  blur(key: string): void
  /** Last resort where real input cannot reach a value: sets it and fires untrusted events. */
  assign(key: string, value: string): boolean
  /** First visible and enabled match of one of the selectors, roots pierced, that also admits the value. */
  match(query: {
    readonly selectors: readonly string[]
    readonly admits: number | null
  }): { readonly key: string; readonly name: string; readonly by: string; readonly kind: string } | { readonly problem: string }
}

/** Self-contained: its source text runs in the page's isolated world. */
export function controlProbe(dom: DomProbe): ControlProbe {
  const { plain } = dom
  const page = plain(document)
  const reach = (el: Element, aim: Element): { x: number; y: number; hit: Element | null; ok: boolean } => {
    const points: [number, number][] = []
    const add = (box: DOMRect): void => {
      for (const [fx, fy] of [
        [0.5, 0.5],
        [0.25, 0.5],
        [0.75, 0.5],
        [0.5, 0.25],
        [0.5, 0.75],
        [0.1, 0.1],
        [0.9, 0.9],
      ] as const)
        points.push([box.left + box.width * fx, box.top + box.height * fy])
    }
    add(plain(aim).getBoundingClientRect())
    const line = plain(aim).getClientRects()[0]
    if (line) points.push([line.left + line.width / 2, line.top + line.height / 2])
    if (aim instanceof SVGElement)
      for (const part of aim.querySelectorAll('circle, rect, path, polygon, ellipse, text')) add(part.getBoundingClientRect())
    let first: Element | null = null
    for (const [x, y] of points) {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue
      const hit = dom.hitAt(x, y)
      first ??= hit
      if (dom.reaches(el, hit) || dom.reaches(aim, hit)) {
        // A press on a link or button inside a card would do something else.
        const inner = aim !== el || !hit ? null : plain(hit).closest('button, a[href], input, select, textarea')
        if (!inner || inner === el || !dom.contains(el, inner) || plain(el).matches('button, a')) return { x, y, hit, ok: true }
      }
    }
    const box = plain(aim).getBoundingClientRect()
    return { x: box.left + box.width / 2, y: box.top + box.height / 2, hit: first, ok: false }
  }
  // Counted down by the page's own timer: while the page is held up, it has not come to rest.
  let ticksToRest = 0
  const tick = (): void => {
    ticksToRest -= 1
    if (ticksToRest > 0) setTimeout(tick, 30)
  }
  const scrolled = (): void => {
    if (ticksToRest <= 0) setTimeout(tick, 30)
    ticksToRest = 5
  }
  addEventListener('scroll', scrolled, { capture: true, passive: true })
  const isMoving = (el: Element): boolean => {
    if (ticksToRest > 0) return true
    for (let at: Element | null = el; at; at = dom.parentOf(at)) {
      for (const animation of plain(at).getAnimations())
        if (animation.playState === 'running' && animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) return true
    }
    return false
  }
  const aim = (key: string): Aim => {
    const el = dom.find(key)
    if (!el) return { found: false, moving: false, covered_by: null, x: 0, y: 0, left: 0, top: 0, width: 0, height: 0 }
    const target = dom.aimOf(el)
    let at = reach(el, target)
    for (const block of ['center', 'end', 'start'] as const) {
      if (at.ok) break
      plain(target).scrollIntoView({ block, inline: 'center', behavior: 'instant' })
      at = reach(el, target)
    }
    const box = plain(target).getBoundingClientRect()
    return {
      found: true,
      moving: isMoving(target),
      covered_by: at.ok ? null : at.hit ? dom.keyOf(at.hit) : '',
      x: at.x,
      y: at.y,
      left: box.left,
      top: box.top,
      width: box.width,
      height: box.height,
    }
  }
  const isEnabled = (el: Element): boolean => !plain(el).matches(':disabled') && plain(el).getAttribute('aria-disabled') !== 'true'
  const state = (key: string): ControlState | null => {
    const real = dom.find(key)
    if (!real) return null
    const el = plain(real)
    const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement
    const ticked = el.getAttribute('aria-checked') ?? el.getAttribute('aria-pressed')
    const root = plain(el.getRootNode())
    return {
      value: field ? el.value : (el.getAttribute('aria-valuenow') ?? (el.textContent ?? '').trim()),
      checked: el instanceof HTMLInputElement ? el.checked : ticked === null ? null : ticked === 'true',
      enabled: isEnabled(real),
      focused: (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === real,
    }
  }
  const glance: ControlProbe['glance'] = (key, sleeping) => {
    const now = state(key)
    const awake = sleeping.some((each) => {
      const el = dom.find(each)
      return el !== null && isEnabled(el)
    })
    return { value: now?.value ?? '', focused: now?.focused ?? false, awake }
  }
  const scrollable = (): string[] => {
    const found = dom.all().filter((real) => {
      const el = plain(real)
      if (el.scrollHeight - el.clientHeight - el.scrollTop < 8 || el.clientHeight < 30 || !dom.isVisible(real)) return false
      return real === page.documentElement || (real !== page.body && /auto|scroll/.test(getComputedStyle(real).overflowY))
    })
    return found
      .sort((a, b) => Number(a === page.documentElement) - Number(b === page.documentElement))
      .slice(0, 6)
      .map((el) => dom.keyOf(el))
  }
  const focus = (key: string): boolean => {
    const el = dom.find(key)
    if (!(el instanceof HTMLElement || el instanceof SVGElement)) return false
    plain(el).focus({ preventScroll: false })
    return true
  }
  const blur = (key: string): void => {
    const el = dom.find(key)
    if (el instanceof HTMLElement) plain(el).blur()
  }
  const assign = (key: string, value: string): boolean => {
    const el = dom.find(key)
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) el.value = value
    else return false
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    el.dispatchEvent(new Event('change', { bubbles: true }))
    return el.value === value
  }
  const admits = (el: Element, value: number): boolean => {
    const bound = (native: string | undefined, aria: string, fallback: number): number => {
      const text = native ?? plain(el).getAttribute(aria) ?? ''
      return text === '' || !Number.isFinite(Number(text)) ? fallback : Number(text)
    }
    const input = el instanceof HTMLInputElement ? el : null
    return value >= bound(input?.min, 'aria-valuemin', 0) && value <= bound(input?.max, 'aria-valuemax', 100)
  }
  const match: ControlProbe['match'] = ({ selectors, admits: value }) => {
    const elements = dom.all()
    const layer = dom.layer()
    let problem = 'nothing matches'
    for (const selector of selectors) {
      for (const el of elements) {
        try {
          if (!plain(el).matches(selector)) continue
        } catch {
          problem = `the selector ${selector} does not parse`
          break
        }
        if (problem === 'nothing matches') problem = 'no match is visible and enabled'
        if (!dom.isVisible(el) && !dom.isVisible(dom.aimOf(el))) continue
        if (!isEnabled(el)) continue
        if (layer && !dom.contains(layer, el)) {
          problem = 'the match lies behind an overlay'
          continue
        }
        if (value !== null && !admits(el, value)) {
          problem = `no range admits ${value}`
          continue
        }
        return {
          key: dom.keyOf(el),
          name: dom.nameOf(el),
          by: selector,
          kind: el instanceof HTMLInputElement ? el.type : (plain(el).getAttribute('role') ?? plain(el).localName),
        }
      }
    }
    return { problem }
  }
  return { aim, state, glance, scrollable, focus, blur, assign, match }
}
