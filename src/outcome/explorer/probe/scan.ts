import type { Candidate, CandidateKind, FrameScan } from './candidate.ts'
import type { DomProbe } from './dom.ts'

/** What has to be known of a field to set it. */
export interface FieldFacts {
  readonly input_type: string
  readonly min: number
  readonly max: number
  /** Null for a slider without steps. */
  readonly step: number | null
  readonly options: Candidate['options']
}

export interface ScanProbe {
  scan(): FrameScan
  /** Null when it is not there. */
  field(key: string): FieldFacts | null
}

/** Self-contained: its source text runs in the page's isolated world. */
export function scanProbe(dom: DomProbe): ScanProbe {
  const { plain } = dom
  const page = plain(document)
  const byRole: Readonly<Record<string, CandidateKind>> = {
    button: 'button',
    link: 'link',
    checkbox: 'checkbox',
    switch: 'checkbox',
    menuitemcheckbox: 'checkbox',
    radio: 'radio',
    menuitemradio: 'radio',
    option: 'custom',
    treeitem: 'custom',
    menuitem: 'button',
    tab: 'tab',
    slider: 'range',
    spinbutton: 'range',
    textbox: 'editable',
    searchbox: 'editable',
  }
  const marked = /^(is-|has-)?(on|active|selected|current|checked|chosen|picked|sel|pressed)$/i
  const barLike = /(^|[-_ ])(tabs?|tablist|nav|navbar|sidebar|steps?|stepper|menu|segmented)($|[-_ ])/i

  const kindOf = (real: Element): CandidateKind | null => {
    const el = plain(real)
    const role = byRole[el.getAttribute('role') ?? '']
    const tag = el.localName
    if (el instanceof HTMLInputElement) {
      if (el.type === 'hidden' || el.type === 'file') return null
      if (el.type === 'radio' || el.type === 'range') return el.type
      if (el.type === 'checkbox') return 'checkbox'
      return /^(submit|button|reset|image)$/.test(el.type) ? 'button' : 'text'
    }
    if (tag === 'textarea') return 'text'
    if (tag === 'select') return 'select'
    if (tag === 'summary') return el.parentElement instanceof HTMLDetailsElement ? 'summary' : null
    if (tag === 'button') return role ?? (inBar(real) || el.hasAttribute('aria-current') ? 'tab' : 'button')
    if (role) return role === 'editable' && !(el instanceof HTMLElement && el.isContentEditable) ? null : role
    if (el instanceof HTMLElement && el.isContentEditable && !(el.parentElement && plain(el.parentElement).isContentEditable))
      return 'editable'
    if (tag === 'a') return el.hasAttribute('href') || isPointer(real) ? 'link' : null
    if (tag === 'canvas') return dom.listening.has(real) || isPointer(real) ? 'canvas' : null
    if (tag === 'label') return null
    if (tag === 'option' || tag === 'html' || tag === 'body' || el.closest('button, a[href], label, summary, [role=button]')) return null
    if (el.hasAttribute('onclick') || dom.listening.has(real)) return 'custom'
    if (isListed(real)) return 'custom'
    const focusable = el.getAttribute('tabindex')
    if (focusable !== null && Number(focusable) >= 0 && !el.querySelector('button, input, a[href], select, textarea')) return 'custom'
    return isPointer(real) && !(el.parentElement && isPointer(el.parentElement)) ? 'custom' : null
  }
  /** One of several like children of an element that listens for them. */
  const isListed = (el: Element): boolean => {
    const { parentElement, localName } = plain(el)
    if (!parentElement || !dom.listening.has(parentElement)) return false
    const parent = plain(parentElement)
    if (parent.hasAttribute('onclick')) return false
    const style = (each: Element): string | undefined => plain(each).getAttribute('class')?.split(' ')[0]
    let alike = 0
    for (const child of parent.children) if (plain(child).localName === localName && style(child) === style(el)) alike += 1
    return alike > 1 && !parent.querySelector('button, input, a[href], select, textarea, [role=button], [tabindex]')
  }
  const isPointer = (el: Element): boolean => getComputedStyle(el).cursor === 'pointer'
  const inBar = (el: Element): boolean => {
    const { parentElement } = plain(el)
    if (!parentElement) return false
    const parent = plain(parentElement)
    return (
      parent.localName === 'nav' ||
      parent.getAttribute('role') === 'tablist' ||
      barLike.test(parent.getAttribute('class') ?? '') ||
      barLike.test(parent.id)
    )
  }
  const stateOf = (real: Element): boolean | null => {
    const el = plain(real)
    if (el instanceof HTMLInputElement && (el.type === 'radio' || el.type === 'checkbox')) return el.checked
    for (const name of ['aria-checked', 'aria-pressed', 'aria-selected', 'aria-current', 'data-selected', 'data-checked', 'data-active']) {
      const value = el.getAttribute(name)
      if (value !== null) return value !== 'false' && value !== ''
    }
    const state = el.getAttribute('data-state')
    if (state !== null && /^(on|off|active|inactive|checked|unchecked)$/.test(state)) return /^(on|active|checked)$/.test(state)
    return [...el.classList].some((token) => marked.test(token)) ? true : null
  }
  const groupOf = (real: Element, kind: CandidateKind, same: ReadonlySet<Element>): string => {
    const el = plain(real)
    if (el instanceof HTMLInputElement && el.type === 'radio' && el.name) return `radio ${el.form ? dom.keyOf(el.form) : ''} ${el.name}`
    if (kind === 'radio') {
      const box = el.closest('[role=radiogroup], fieldset')
      if (box) return `radio ${dom.keyOf(box)}`
    }
    let at = el.parentElement
    for (let level = 0; at && level < 4; level += 1, at = plain(at).parentElement) {
      let members = 0
      for (const other of same) if (plain(at).contains(other)) members += 1
      if (members > 1) return `${kind} ${dom.keyOf(at)}`
    }
    const root = el.getRootNode()
    return `${kind} ${root instanceof ShadowRoot ? dom.keyOf(root.host) : el.parentElement ? dom.keyOf(el.parentElement) : ''}`
  }
  const number = (text: string | null | undefined): number | null =>
    text === null || text === undefined || text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text)
  const scaleOf = (el: Element, isRange: boolean): Pick<Candidate, 'min' | 'max' | 'step'> => {
    const input = el instanceof HTMLInputElement ? el : null
    return {
      min: number(input?.min ?? el.getAttribute('aria-valuemin')) ?? (isRange ? 0 : null),
      max: number(input?.max ?? el.getAttribute('aria-valuemax')) ?? (isRange ? 100 : null),
      step: number(input?.step) ?? (isRange && input && input.step !== 'any' ? 1 : null),
    }
  }
  const optionsOf = (el: Element): Candidate['options'] =>
    el instanceof HTMLSelectElement
      ? [...el.options].slice(0, 100).map((option) => ({
          value: option.value,
          label: option.label.slice(0, 80),
          disabled: option.disabled || option.hidden !== false,
        }))
      : []
  const field = (key: string): FieldFacts | null => {
    const real = dom.find(key)
    if (!real) return null
    const el = plain(real)
    const { min, max, step } = scaleOf(el, kindOf(real) === 'range')
    return {
      input_type: el instanceof HTMLInputElement ? el.type : el.localName,
      min: min ?? 0,
      max: max ?? 100,
      step,
      options: optionsOf(el),
    }
  }
  const hintOf = (real: Element): string => {
    const el = plain(real)
    const parts: string[] = []
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement)
      for (const label of el.labels ?? []) parts.push(dom.markedText(label, 200))
    for (const name of ['aria-label', 'placeholder', 'title', 'name', 'id']) parts.push(el.getAttribute(name) ?? '')
    let around = ''
    for (let at = dom.parentOf(real), level = 0; at && level < 4 && around.length < 40; at = dom.parentOf(at), level += 1)
      around = dom.markedText(at, 300)
    parts.push(around)
    return parts.filter(Boolean).join(' | ').slice(0, 500)
  }
  const covered = (el: Element, layer: Element | null): boolean => {
    const aim = dom.aimOf(el)
    const box = plain(aim).getBoundingClientRect()
    const left = Math.max(box.left, 0)
    const right = Math.min(box.right, innerWidth)
    const top = Math.max(box.top, 0)
    const bottom = Math.min(box.bottom, innerHeight)
    if (right - left < 2 || bottom - top < 2) return layer !== null && !dom.contains(layer, el)
    for (const [fx, fy] of [
      [0.5, 0.5],
      [0.2, 0.5],
      [0.8, 0.5],
      [0.5, 0.2],
      [0.5, 0.8],
    ] as const) {
      const hit = dom.hitAt(left + (right - left) * fx, top + (bottom - top) * fy)
      if (dom.reaches(el, hit) || dom.reaches(aim, hit)) return false
    }
    // A sticky bar over the element is no obstacle: scrolling brings it out.
    return layer !== null ? !dom.contains(layer, el) : aim instanceof SVGElement ? false : fixedAbove(left, right, top, bottom)
  }
  const fixedAbove = (left: number, right: number, top: number, bottom: number): boolean => {
    const hit = dom.hitAt((left + right) / 2, (top + bottom) / 2)
    for (let at = hit; at; at = dom.parentOf(at))
      if (getComputedStyle(at).position === 'fixed') return page.documentElement.scrollHeight <= innerHeight + 4
    return false
  }

  const scan = (): FrameScan => {
    const layer = dom.layer()
    const found: { el: Element; kind: CandidateKind }[] = []
    for (const el of dom.all()) {
      if (found.length >= 400) break
      const kind = kindOf(el)
      if (kind && (dom.isVisible(el) || dom.isVisible(dom.aimOf(el)))) found.push({ el, kind })
    }
    const kinds = new Map<CandidateKind, Set<Element>>()
    // What listens only on behalf of the controls in it is no control itself.
    const delegates = found.filter(
      ({ el, kind }) =>
        kind === 'custom' &&
        dom.listening.has(el) &&
        !isPointer(el) &&
        found.some((other) => other.el !== el && dom.contains(el, other.el)),
    )
    for (const each of delegates) found.splice(found.indexOf(each), 1)
    for (const { el, kind } of found) {
      const set = kinds.get(kind) ?? new Set<Element>()
      kinds.set(kind, set.add(el))
    }
    const candidates: Candidate[] = []
    for (const { el: real, kind } of found) {
      const el = plain(real)
      const same = kinds.get(kind) ?? new Set<Element>()
      const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement
      const input = el instanceof HTMLInputElement ? el : null
      const readOnly = (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) && el.readOnly
      const enabled =
        !el.matches(':disabled') &&
        el.getAttribute('aria-disabled') !== 'true' &&
        !readOnly &&
        getComputedStyle(dom.aimOf(real)).pointerEvents !== 'none'
      const invalid = (field && el.willValidate && !el.validity.valid) || el.getAttribute('aria-invalid') === 'true'
      const value = field ? el.value : kind === 'editable' ? (el.textContent ?? '').trim() : (el.getAttribute('aria-valuenow') ?? '')
      let wraps = false
      // A big area that listens is rarely meant to be pressed itself.
      if (kind === 'custom' && dom.listening.has(real) && !isPointer(real) && (el.textContent ?? '').length > 80) wraps = true
      if (kind === 'custom') for (const other of found) if (other.el !== real && dom.contains(real, other.el)) wraps = true
      const length = (name: string): number | null => number(el.getAttribute(name))
      candidates.push({
        key: dom.keyOf(real),
        kind,
        name: dom.nameOf(real),
        enabled,
        blocked: covered(real, layer),
        checked: kind === 'summary' ? el.parentElement instanceof HTMLDetailsElement && el.parentElement.open : stateOf(real),
        toggles: ['aria-checked', 'aria-pressed', 'aria-selected', 'data-state'].some((each) => el.hasAttribute(each)),
        value: value.slice(0, 300),
        group: groupOf(real, kind, same),
        required: (field && el.required) || el.getAttribute('aria-required') === 'true',
        invalid,
        input_type: input?.type ?? el.localName,
        ...scaleOf(el, kind === 'range'),
        earliest: input?.min ?? '',
        latest: input?.max ?? '',
        max_length: length('maxlength'),
        min_length: length('minlength'),
        pattern: el.getAttribute('pattern') ?? '',
        options: optionsOf(el),
        hint: field || kind === 'editable' || kind === 'range' ? hintOf(real) : '',
        submit: (el instanceof HTMLButtonElement && el.type === 'submit' && el.form !== null) || input?.type === 'submit',
        wraps,
        point: null,
      })
    }
    return { candidates, layer: layer ? dom.keyOf(layer) : null, text: layer || page.body ? dom.markedText(layer ?? page.body, 3000) : '' }
  }
  return { scan, field }
}
