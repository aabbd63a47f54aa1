import type { ObservedControl } from '../../model/outcome.ts'
import type { ElementFacts, WalkVisitor } from './walk.ts'

export interface ControlCollector extends WalkVisitor {
  result(): ObservedControl[]
}

/**
 * Lists the controls a user could operate: visible and enabled. Runs in the observer's isolated world. Self-contained: sent to the page as source.
 * @param listening elements with click, pointer or key listeners of their own
 * @param framePrefix what stands before every key of this frame
 */
export function createControlCollector(
  listening: ReadonlySet<Element>,
  framePrefix: string,
  plain: <T extends object>(node: T) => T,
): ControlCollector {
  type Kind = ObservedControl['kind']
  const MOST = 2000
  const KIND_OF_ROLE: Readonly<Record<string, Kind>> = {
    button: 'button',
    tab: 'button',
    menuitem: 'button',
    link: 'link',
    checkbox: 'checkbox',
    switch: 'checkbox',
    menuitemcheckbox: 'checkbox',
    radio: 'radio',
    menuitemradio: 'radio',
    slider: 'range',
    spinbutton: 'text',
    textbox: 'text',
    searchbox: 'text',
    combobox: 'select',
    listbox: 'select',
    option: 'custom',
    treeitem: 'custom',
    gridcell: 'custom',
    scrollbar: 'range',
  }
  const KIND_OF_INPUT: Readonly<Record<string, Kind | null>> = {
    hidden: null,
    button: 'button',
    submit: 'button',
    reset: 'button',
    image: 'button',
    file: 'button',
    checkbox: 'checkbox',
    radio: 'radio',
    range: 'range',
  }
  const COMPOSITES = new Set(['listbox', 'radiogroup', 'tablist', 'menu', 'menubar', 'tree', 'grid', 'treegrid', 'group', 'toolbar'])

  const found: ObservedControl[] = []
  /** Open custom candidates: what they hold decides whether they are controls themselves. */
  const pending: { element: Element; before: number }[] = []
  let insideNative = 0

  const flat = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

  function definiteKind(element: Element): Kind | null {
    switch (element.localName) {
      case 'button':
      case 'summary':
        return 'button'
      case 'select':
        return 'select'
      case 'textarea':
        return 'text'
      case 'input': {
        const kind = KIND_OF_INPUT[(element as HTMLInputElement).type]
        return kind === undefined ? 'text' : kind
      }
      case 'a':
      case 'area':
        if (element.hasAttribute('href') || element.getAttributeNS('http://www.w3.org/1999/xlink', 'href') !== null) return 'link'
        break
      default:
        break
    }
    const role = flat(element.getAttribute('role')).split(' ')[0]?.toLowerCase() ?? ''
    const byRole = Object.hasOwn(KIND_OF_ROLE, role) ? KIND_OF_ROLE[role] : undefined
    if (byRole !== undefined) return byRole
    return isEditingHost(element) ? 'editable' : null
  }

  function isEditingHost(element: Element): boolean {
    if (!(element instanceof HTMLElement) || !element.isContentEditable) return false
    return element.parentElement === null || !plain(element.parentElement).isContentEditable
  }

  function isCustom(element: Element, facts: ElementFacts): boolean {
    if (element.localName === 'html' || element.localName === 'body' || element.localName === 'label' || element.localName === 'option')
      return false
    if (listening.has(element)) return true
    if (element.hasAttribute('onclick') || element.hasAttribute('onpointerdown') || element.hasAttribute('onmousedown')) return true
    return facts.style?.cursor === 'pointer' && facts.parentCursor !== 'pointer'
  }

  function hasBox(element: Element): boolean {
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.height > 0
  }

  /** Its own box, or (toggles drawn by CSS hide the box itself) that of its label. */
  function isShown(element: Element, facts: ElementFacts): boolean {
    if (facts.visible && hasBox(element)) return true
    if (!(element instanceof HTMLInputElement) || !['checkbox', 'radio', 'file'].includes(element.type)) return false
    if (getComputedStyle(element).display === 'none' && element.type !== 'file' && element.labels?.length === 0) return false
    return [...(element.labels ?? [])].some(
      (label) => label.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && hasBox(label),
    )
  }

  function isEnabled(element: Element, facts: ElementFacts): boolean {
    if (!facts.reachable || element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null) return false
    if (
      (element.localName === 'input' || element.localName === 'textarea') &&
      element.matches(':read-only') &&
      definiteKind(element) === 'text'
    )
      return false
    return facts.style?.pointerEvents !== 'none' || element.localName === 'input'
  }

  function nameOf(element: Element): string {
    const root = plain(element.getRootNode() as Document | ShadowRoot)
    const labelledBy = flat(element.getAttribute('aria-labelledby'))
    const referenced =
      labelledBy === ''
        ? ''
        : labelledBy
            .split(' ')
            .map((id) => root.getElementById(id)?.textContent ?? '')
            .join(' ')
    const labels =
      'labels' in element ? [...((element.labels ?? []) as Iterable<Element>)].map((label) => label.textContent ?? '').join(' ') : ''
    const isButton = element instanceof HTMLInputElement && ['button', 'submit', 'reset', 'image'].includes(element.type)
    const content = element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement ? '' : element.textContent
    const image = element.querySelector('img[alt], [aria-label], svg > title')
    const candidates = [
      referenced,
      element.getAttribute('aria-label'),
      labels,
      isButton ? element.value : '',
      content,
      element.getAttribute('alt'),
      element.getAttribute('title'),
      element.getAttribute('placeholder'),
      image?.getAttribute('alt'),
      image?.getAttribute('aria-label'),
      image?.textContent,
      element.getAttribute('name'),
      element.id,
    ]
    return (
      candidates
        .map(flat)
        .find((name) => name !== '')
        ?.slice(0, 120) ?? ''
    )
  }

  function keyOf(element: Element): string {
    const root = plain(element.getRootNode() as Document | ShadowRoot)
    const parts: string[] = []
    for (let real: Element | null = element; real !== null; real = plain(real).parentElement) {
      const at = plain(real)
      const id = at.id
      if (typeof id === 'string' && id !== '' && root.querySelectorAll(`#${CSS.escape(id)}`).length === 1) {
        parts.unshift(`#${id}`)
        break
      }
      let place = 1
      for (let before = at.previousElementSibling; before !== null; before = plain(before).previousElementSibling)
        if (before.localName === at.localName) place += 1
      parts.unshift(`${at.localName}:${place}`)
    }
    const path = parts.join('>')
    return root instanceof ShadowRoot ? `${keyOf(root.host)}>>${path}` : framePrefix + path
  }

  function checkedOf(element: Element, kind: Kind): boolean | null {
    if (kind !== 'checkbox' && kind !== 'radio') return null
    return element instanceof HTMLInputElement ? element.checked : element.getAttribute('aria-checked') === 'true'
  }

  function add(element: Element, kind: Kind): void {
    if (found.length < MOST) found.push({ key: keyOf(element), kind, name: nameOf(element), checked: checkedOf(element, kind) })
  }

  const isNativeHolder = (element: Element): boolean =>
    element.localName === 'button' || (element.localName === 'a' && element.hasAttribute('href'))

  return {
    enter(element, facts) {
      if (isNativeHolder(element)) insideNative += 1
      const kind = definiteKind(element)
      if (kind !== null) {
        if (COMPOSITES.has(element.getAttribute('role') ?? '')) pending.push({ element, before: found.length })
        else if (isShown(element, facts) && isEnabled(element, facts)) add(element, kind)
      } else if (insideNative === 0 && facts.visible && isCustom(element, facts) && hasBox(element) && isEnabled(element, facts)) {
        pending.push({ element, before: found.length })
      }
    },
    text() {},
    leave(element, facts) {
      if (isNativeHolder(element)) insideNative -= 1
      if (pending.at(-1)?.element !== element) return
      const open = pending.pop()
      if (open?.before !== found.length) return
      const kind = definiteKind(element)
      if (kind === null) add(element, 'custom')
      else if (isShown(element, facts) && isEnabled(element, facts)) add(element, kind)
    },
    result: () => found,
  }
}
