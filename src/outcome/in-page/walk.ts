/** What the walk knows of an element when it enters it. */
export interface ElementFacts {
  /** Painted: no ancestor hides, clips or turns it away, and it is itself visible. */
  readonly visible: boolean
  /** No inert ancestor, and inside the modal dialog when one is open. */
  readonly reachable: boolean
  /** Computed style; null inside hidden trees, where it is not asked for. */
  readonly style: CSSStyleDeclaration | null
  readonly parentCursor: string
}

export interface WalkVisitor {
  enter(element: Element, facts: ElementFacts): void
  text(node: Text, facts: ElementFacts): void
  leave(element: Element, facts: ElementFacts): void
}

export interface Walk {
  /** Visits the flat tree of the document, open shadow roots and slots resolved. Returns all roots met. */
  visit(visitor: WalkVisitor): (Document | ShadowRoot)[]
}

/** Runs in the observer's isolated world. Self-contained: sent to the page as source. */
export function createWalk(plain: <T extends object>(node: T) => T): Walk {
  const MOST_ELEMENTS = 20_000
  const DEEPEST = 400
  const SKIPPED = new Set([
    'script',
    'style',
    'noscript',
    'template',
    'head',
    'iframe',
    'object',
    'embed',
    'datalist',
    'param',
    'source',
    'track',
  ])
  const NEVER_PAINTED = new Set(['defs', 'symbol', 'clippath', 'mask', 'marker', 'pattern', 'lineargradient', 'radialgradient', 'metadata'])

  interface Inherited {
    hidden: boolean
    /** Text that stands directly in closed details. */
    folds: boolean
    reachable: boolean
    cursor: string
    /** Product of the transforms since the last flattening; null while nothing is turned. */
    turned: DOMMatrix | null
    keeps3d: boolean
  }

  function isOffScreen(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.position !== 'absolute' && style.position !== 'fixed') return false
    const box = element.getBoundingClientRect()
    const right = box.right + scrollX
    const bottom = box.bottom + scrollY
    if (box.width === 0 || box.height === 0) return right < -1 || bottom < -1
    if (right <= 0 || bottom <= 0) return true
    return style.position === 'fixed' && (box.left >= innerWidth || box.top >= innerHeight)
  }

  /** A box of at most one pixel that clips what it holds: collapsed panels, text for screen readers only. */
  function isClippedAway(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.overflowX === 'visible' && style.overflowY === 'visible') return false
    if (style.display === 'inline' || style.display === 'contents') return false
    const box = element.getBoundingClientRect()
    return box.width <= 1 || box.height <= 1
  }

  function turn(style: CSSStyleDeclaration, inherited: Inherited): DOMMatrix | null {
    const base = inherited.keeps3d ? inherited.turned : null
    if (style.transform === 'none' || style.transform === '') return base
    try {
      const own = new DOMMatrix(style.transform)
      return base === null ? own : base.multiply(own)
    } catch {
      return base
    }
  }

  function isFolded(element: Element): boolean {
    const parent = element.parentElement === null ? null : plain(element.parentElement)
    if (parent === null || parent.localName !== 'details' || parent.hasAttribute('open')) return false
    return element.localName !== 'summary' || parent.querySelector(':scope > summary') !== element
  }

  function visit(visitor: WalkVisitor): (Document | ShadowRoot)[] {
    const roots: (Document | ShadowRoot)[] = [plain(document)]
    const modal = plain(document).querySelector('dialog:modal')
    let count = 0

    function children(element: Element): { nodes: Iterable<Node>; unslotted: Iterable<Node> } {
      const shadow = element.shadowRoot
      if (shadow !== null) {
        roots.push(shadow)
        const unslotted = [...element.childNodes].filter((node) => !('assignedSlot' in node) || node.assignedSlot === null)
        return { nodes: shadow.childNodes, unslotted }
      }
      if (element instanceof HTMLSlotElement) {
        const assigned = element.assignedNodes()
        if (assigned.length > 0) return { nodes: assigned, unslotted: [] }
      }
      return { nodes: element.childNodes, unslotted: [] }
    }

    function step(real: Element, inherited: Inherited, depth: number): void {
      count += 1
      const element = plain(real)
      if (count > MOST_ELEMENTS || depth > DEEPEST || SKIPPED.has(element.localName)) return
      const reachable = (inherited.reachable || real === modal) && !element.hasAttribute('inert')
      let hidden = inherited.hidden || NEVER_PAINTED.has(element.localName.toLowerCase()) || isFolded(element)
      let style: CSSStyleDeclaration | null = null
      let visible = false
      let turned: DOMMatrix | null = null
      if (!hidden) {
        style = getComputedStyle(real)
        turned = turn(style, inherited)
        hidden =
          style.display === 'none' ||
          style.opacity === '0' ||
          (turned !== null && turned.m33 < 0 && style.backfaceVisibility === 'hidden') ||
          isClippedAway(element, style) ||
          isOffScreen(element, style)
        visible = !hidden && style.visibility === 'visible'
      }
      const facts: ElementFacts = { visible, reachable, style, parentCursor: inherited.cursor }
      visitor.enter(element, facts)
      const folds = element.localName === 'details' && !element.hasAttribute('open')
      const passed: Inherited = {
        folds,
        hidden: hidden || style?.contentVisibility === 'hidden',
        reachable,
        cursor: style?.cursor ?? inherited.cursor,
        turned,
        keeps3d: style?.transformStyle === 'preserve-3d',
      }
      const { nodes, unslotted } = children(element)
      for (const node of nodes) down(node, facts, passed, depth)
      for (const node of unslotted) down(node, { ...facts, visible: false }, { ...passed, hidden: true }, depth)
      visitor.leave(element, facts)
    }

    function down(node: Node, facts: ElementFacts, passed: Inherited, depth: number): void {
      if (node.nodeType === Node.TEXT_NODE) visitor.text(node as Text, passed.hidden || passed.folds ? { ...facts, visible: false } : facts)
      else if (node.nodeType === Node.ELEMENT_NODE) step(node as Element, passed, depth + 1)
    }

    const top = plain(document).documentElement as Element | null
    if (top !== null) step(top, { hidden: false, folds: false, reachable: modal === null, cursor: 'auto', turned: null, keeps3d: false }, 0)
    return roots
  }

  return { visit }
}
