import type { DomProbe } from './dom.ts'

export interface ChangeProbe {
  /** Remembers how the page looks. What differs from the last mark without any action is taken for self-moving. */
  mark(fresh: boolean): void
  /** Whether anything observable differs from the last mark: the control's own value and self-moving parts apart. */
  changed(ownKey: string): boolean
  /** Short fingerprint of all that is visible, digits left out: tells whether waiting brings anything. */
  digest(): string
}

/** Self-contained: its source text runs in the page's isolated world. */
export function changeProbe(dom: DomProbe): ChangeProbe {
  const { plain } = dom
  const page = plain(document)
  let last = new Map<string, string>()
  const moving = new Set<string>()

  const canvasPrint = (canvas: HTMLCanvasElement): string => {
    try {
      const small = page.createElement('canvas')
      small.width = 64
      small.height = 48
      const context = small.getContext('2d', { willReadFrequently: true })
      if (!context || canvas.width === 0 || canvas.height === 0) return ''
      context.drawImage(canvas, 0, 0, 64, 48)
      let hash = 7
      for (const byte of context.getImageData(0, 0, 64, 48).data) hash = (hash * 31 + byte) | 0
      return String(hash)
    } catch {
      return 'unreadable'
    }
  }
  /** One entry per visible element: attributes, text of its own, geometry, form state. */
  const look = (): Map<string, string> => {
    const seen = new Map<string, string>()
    const walk = (parent: ParentNode, path: string): void => {
      let index = 0
      for (const real of plain(parent).children) {
        if (seen.size > 6000) return
        index += 1
        const el = plain(real)
        if (el.localName === 'script' || el.localName === 'style' || el.localName === 'head' || el.localName === 'template') continue
        const here = `${path}/${index}`
        if (el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
          let text = ''
          for (const child of el.childNodes) if (child instanceof Text) text += child.data
          let attributes = ''
          for (const attribute of el.attributes)
            attributes += `${attribute.name}=${attribute.value.length > 400 ? attribute.value.length : attribute.value};`
          const box = el.getBoundingClientRect()
          const state =
            el instanceof HTMLInputElement
              ? `${el.value}|${el.checked}|${el.disabled}`
              : el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement
                ? el.value
                : ''
          const canvas = el instanceof HTMLCanvasElement ? canvasPrint(el) : ''
          seen.set(
            here,
            `${el.localName}|${text.trim()}|${attributes}|${Math.round(box.left + scrollX)},${Math.round(box.top + scrollY)},${Math.round(box.width)},${Math.round(box.height)}|${state}|${canvas}`,
          )
        }
        if (el.shadowRoot) walk(el.shadowRoot, `${here}#`)
        walk(real, here)
      }
    }
    walk(document, '')
    if (page.body) {
      const style = getComputedStyle(page.body)
      seen.set('body', `${style.color}|${style.backgroundColor}`)
    }
    return seen
  }
  const pathOf = (el: Element): string => {
    let path = ''
    for (let at: Element | null = el; at;) {
      const parentNode: Node | null = plain(at).parentNode
      const parent: ParentNode | null =
        parentNode instanceof Element || parentNode instanceof ShadowRoot || parentNode instanceof Document ? parentNode : null
      if (!parent) return path
      path = `/${[...plain(parent).children].indexOf(at) + 1}${path}`
      if (parent instanceof ShadowRoot) {
        path = `#${path}`
        at = parent.host
      } else at = parent instanceof Element ? parent : null
    }
    return path
  }
  const ownPaths = (key: string): string[] => {
    const el = key ? dom.find(key) : null
    if (!el) return []
    const field = el instanceof HTMLInputElement && !/^(submit|button|reset|image)$/.test(el.type)
    if (
      !(
        field ||
        el instanceof HTMLSelectElement ||
        el instanceof HTMLTextAreaElement ||
        plain(el).getAttribute('role') === 'slider' ||
        (el instanceof HTMLElement && plain(el).isContentEditable)
      )
    )
      return []
    const own = [pathOf(el)]
    if (el instanceof HTMLInputElement && el.type === 'radio' && el.name) {
      const root = plain(el.getRootNode())
      if (root instanceof Document || root instanceof ShadowRoot)
        for (const other of root.querySelectorAll(`input[type=radio][name="${CSS.escape(el.name)}"]`)) own.push(pathOf(other))
    }
    return own
  }
  const differs = (before: Map<string, string>, after: Map<string, string>, each: (path: string) => boolean): void => {
    for (const [path, look] of after) if (before.get(path) !== look && each(path)) return
    for (const path of before.keys()) if (!after.has(path) && each(path)) return
  }
  const mark = (fresh: boolean): void => {
    const now = look()
    if (fresh) moving.clear()
    else if (last.size > 0) differs(last, now, (path) => moving.add(path) && false)
    last = now
  }
  const changed = (ownKey: string): boolean => {
    const own = ownPaths(ownKey)
    let found = false
    differs(last, look(), (path) => {
      if (moving.has(path) || own.some((mine) => path === mine || path.startsWith(`${mine}/`))) return false
      found = true
      return true
    })
    return found
  }
  const digest = (): string => {
    let hash = 7
    for (const [path, text] of look()) {
      const plain = path + text.replace(/\d+/g, '')
      for (let index = 0; index < plain.length; index += 1) hash = (hash * 31 + plain.charCodeAt(index)) | 0
    }
    return String(hash)
  }
  return { mark, changed, digest }
}
