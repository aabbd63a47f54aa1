/** What the probes in the page share. Built inside the isolated world by `domProbe`. */
export interface DomProbe {
  /** The node as its interface describes it: what a form's fields or named elements put in place of its own properties is passed over. For reading only: not the same object. */
  readonly plain: <T extends object>(node: T) => T
  /** All elements in document order, open shadow roots included; capped. */
  all(): Element[]
  isVisible(el: Element): boolean
  /** The element a pointer should aim at: the label where a radio or checkbox itself is hidden. */
  aimOf(el: Element): Element
  /** A path that finds the element again after a re-render: ids and nth-of-type, ` >>> ` enters a shadow root. */
  keyOf(el: Element): string
  find(key: string): Element | null
  nameOf(el: Element): string
  /** Visible text below an element; emphasised words stand between « and ». */
  markedText(el: Element, limit: number): string
  /** The deepest element at a point of the viewport. */
  hitAt(x: number, y: number): Element | null
  /** Whether a press that lands on `hit` reaches `el`. */
  reaches(el: Element, hit: Element | null): boolean
  contains(outer: Element, inner: Element): boolean
  parentOf(el: Element): Element | null
  /** The modal dialog or full-screen overlay that takes all presses; null when there is none. */
  layer(): Element | null
  /** Elements known to have pointer or key listeners of their own. */
  readonly listening: WeakSet<Element>
}

/** Self-contained: its source text runs in the page's isolated world. */
export function domProbe(plain: DomProbe['plain']): DomProbe {
  const page = plain(document)
  const skipped = new Set(['script', 'style', 'template', 'head', 'noscript', 'link', 'meta'])
  const emphasis = new Set(['b', 'strong', 'code', 'kbd', 'em', 'mark', 'samp'])
  const listening = new WeakSet<Element>()

  const parentOf = (el: Element): Element | null => {
    const at = plain(el)
    if (at.assignedSlot) return at.assignedSlot
    if (at.parentElement) return at.parentElement
    const root = at.getRootNode()
    return root instanceof ShadowRoot ? root.host : null
  }
  const contains = (outer: Element, inner: Element): boolean => {
    for (let at: Element | null = inner; at; at = parentOf(at)) if (at === outer) return true
    return false
  }
  const all = (): Element[] => {
    const found: Element[] = []
    const walk = (parent: ParentNode): void => {
      for (const child of plain(parent).children) {
        if (found.length >= 12_000) return
        const { localName, shadowRoot } = plain(child)
        if (skipped.has(localName)) continue
        found.push(child)
        if (shadowRoot) walk(shadowRoot)
        walk(child)
      }
    }
    walk(document)
    return found
  }
  const isVisible = (real: Element): boolean => {
    const el = plain(real)
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false })) return false
    const box = el.getBoundingClientRect()
    return box.width > 0 && box.height > 0 && box.right + scrollX > 0 && box.bottom + scrollY > 0
  }
  const aimOf = (el: Element): Element => {
    if (!(el instanceof HTMLInputElement) || (el.type !== 'radio' && el.type !== 'checkbox')) return el
    const box = el.getBoundingClientRect()
    if (isVisible(el) && box.width > 3 && box.height > 3) return el
    for (const label of el.labels ?? []) if (isVisible(label)) return label
    return el
  }
  const stableId = (id: string): boolean => id !== '' && !/\d{5,}|[0-9a-f]{10,}|^:r|[^\w-]/i.test(id)
  const keyOf = (el: Element): string => {
    const parts: string[] = []
    let node: Element | null = el
    while (node) {
      const root: Node = plain(plain(node).getRootNode())
      const path: string[] = []
      for (let real: Element | null = node; real; real = plain(real).parentElement) {
        const at = plain(real)
        if (
          stableId(at.id) &&
          (root instanceof Document || root instanceof ShadowRoot) &&
          root.querySelectorAll(`#${CSS.escape(at.id)}`).length === 1
        ) {
          path.unshift(`#${CSS.escape(at.id)}`)
          break
        }
        let nth = 1
        for (let before = at.previousElementSibling; before; before = plain(before).previousElementSibling)
          if (plain(before).localName === at.localName) nth += 1
        path.unshift(`${CSS.escape(at.localName)}:nth-of-type(${nth})`)
      }
      parts.unshift(path.join(' > '))
      node = root instanceof ShadowRoot ? root.host : null
    }
    return parts.join(' >>> ')
  }
  const find = (key: string): Element | null => {
    let root: ParentNode | null = document
    let found: Element | null = null
    for (const part of key.split(' >>> ')) {
      if (!root) return null
      try {
        root = plain(root)
        found = part.startsWith('#') ? root.querySelector(part) : (root.querySelector(`:scope > ${part}`) ?? root.querySelector(part))
      } catch {
        return null
      }
      if (!found) return null
      root = plain(found).shadowRoot
    }
    return found
  }
  const tidy = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()
  const textOf = (real: Element): string => {
    const el = plain(real)
    return tidy(el instanceof HTMLElement ? el.innerText : el.textContent)
  }
  const markedText = (el: Element, limit: number): string => {
    let text = ''
    const walk = (real: Node): void => {
      const node = plain(real)
      if (text.length > limit) return
      if (node instanceof Text) {
        text += `${node.data} `
        return
      }
      if (node instanceof Element) {
        if (skipped.has(node.localName) || node.localName === 'option' || !node.checkVisibility({ visibilityProperty: true })) return
        const strong = emphasis.has(node.localName) && (node.textContent ?? '').length < 40
        if (strong) text += '«'
        if (node.shadowRoot) for (const child of node.shadowRoot.childNodes) walk(child)
        for (const child of node.childNodes) walk(child)
        if (strong) text = `${text.trimEnd()}» `
      }
    }
    walk(el)
    return tidy(text).slice(0, limit)
  }
  const labelText = (label: Element): string => markedText(label, 160).replace(/[«»]/g, '')
  const nameOf = (real: Element): string => {
    const el = plain(real)
    const byIds = tidy(el.getAttribute('aria-labelledby'))
    const root = plain(el.getRootNode())
    let name = ''
    if (byIds && (root instanceof Document || root instanceof ShadowRoot))
      name = tidy(
        byIds
          .split(' ')
          .map((id) => root.getElementById(id)?.textContent ?? '')
          .join(' '),
      )
    name ||= tidy(el.getAttribute('aria-label'))
    if (!name && (el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement)) {
      name = tidy([...(el.labels ?? [])].map((label) => labelText(label)).join(' '))
      if (!name && el instanceof HTMLInputElement && /^(submit|button|reset|image)$/.test(el.type))
        name = tidy(el.value || el.alt || el.type)
      if (!name && el instanceof HTMLInputElement && /^(radio|checkbox)$/.test(el.type))
        name = tidy(el.closest('tr, li, label, [role=row]')?.textContent) || tidy(el.parentElement && plain(el.parentElement).textContent)
      const around = name ? null : el.closest('label')
      if (around) name = labelText(around)
      name ||= tidy(el.getAttribute('placeholder'))
      // A label that stands beside the field without being tied to it.
      if (!name && el.parentElement) name = labelText(el.parentElement).slice(0, 60)
      name ||= tidy(el.getAttribute('name'))
    }
    const form = el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement
    if (!name && !form)
      name = textOf(real) || tidy(el.querySelector('[alt]')?.getAttribute('alt')) || tidy(el.querySelector('title')?.textContent)
    name ||= tidy(el.getAttribute('title')) || tidy(el.getAttribute('value'))
    return name.slice(0, 120)
  }
  const hitAt = (x: number, y: number): Element | null => {
    let hit = page.elementFromPoint(x, y)
    for (let shadow = hit && plain(hit).shadowRoot; hit && shadow; shadow = plain(hit).shadowRoot) {
      const inner: Element | null = shadow.elementFromPoint(x, y)
      if (!inner || inner === hit) break
      hit = inner
    }
    return hit
  }
  const reaches = (el: Element, hit: Element | null): boolean => {
    if (!hit) return false
    if (contains(el, hit)) return true
    for (let at: Element | null = hit; at; at = parentOf(at)) if (at instanceof HTMLLabelElement) return at.control === el
    return false
  }
  const layer = (): Element | null => {
    const hit = hitAt(innerWidth / 2, innerHeight / 2)
    for (let at = hit; at; at = parentOf(at)) {
      if (at instanceof HTMLDialogElement && at.matches(':modal')) return at
      if (at === page.body || at === page.documentElement) break
      const position = getComputedStyle(at).position
      if (position !== 'fixed' && position !== 'absolute') continue
      const box = plain(at).getBoundingClientRect()
      if (box.left <= 8 && box.top <= 8 && box.right >= innerWidth - 24 && box.bottom >= innerHeight - 8) return at
    }
    for (const dialog of page.querySelectorAll('dialog')) if (dialog.matches(':modal') && isVisible(dialog)) return dialog
    return null
  }
  return { plain, all, isVisible, aimOf, keyOf, find, nameOf, markedText, hitAt, reaches, contains, parentOf, layer, listening }
}
