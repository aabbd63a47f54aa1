import type { StateText } from '../../model/outcome.ts'
import type { WalkVisitor } from './walk.ts'

export interface TextCollector extends WalkVisitor {
  result(): StateText
}

/** Collects a frame's text by the way a user meets it. Runs in the observer's isolated world. Self-contained: sent to the page as source. */
export function createTextCollector(longest: number, plain: <T extends object>(node: T) => T): TextCollector {
  const INLINE = new Set(
    'a abbr b bdi bdo cite code data dfn em font i kbd label mark q s samp small span strong sub sup time tspan u var wbr'.split(' '),
  )
  const ATTRIBUTES = ['alt', 'title', 'placeholder', 'aria-label', 'aria-valuetext', 'aria-description', 'aria-roledescription']
  const BUTTON_TYPES = new Set(['button', 'submit', 'reset'])
  /** "10th" is not ten to the power of th. */
  const NOT_A_POWER = /^(?:st|nd|rd|th|tm|®|™|©|[*†‡])$/i

  class Buffer {
    private readonly parts: string[] = []
    private length = 0
    private atBreak = true

    add(text: string): void {
      if (text === '' || this.length > longest) return
      this.parts.push(text.length > longest ? text.slice(0, longest) : text)
      this.length += text.length
      this.atBreak = false
    }
    break(separator: string): void {
      if (this.atBreak) return
      this.parts.push(separator)
      this.atBreak = separator === '\n'
    }
    toString(): string {
      const text = this.parts
        .join('')
        .replace(/[ \t\f\u00a0]+/g, ' ')
        .replace(/ ?\n[ \n]*/g, '\n')
      return text.trim().slice(0, longest)
    }
  }

  const rendered = new Buffer()
  const hidden = new Buffer()
  const attributes = new Buffer()
  const values = new Buffer()

  function addLine(buffer: Buffer, text: string | null | undefined): void {
    if (text === null || text === undefined || text.trim() === '') return
    buffer.break('\n')
    buffer.add(text)
    buffer.break('\n')
  }

  function separate(element: Element, style: CSSStyleDeclaration | null): void {
    const display = style === null ? (INLINE.has(element.localName) ? 'inline' : 'block') : style.display
    if (element.localName === 'br') {
      rendered.break('\n')
      hidden.break('\n')
    } else if (display.startsWith('inline-')) {
      rendered.break(' ')
    } else if (display !== 'inline' && display !== 'contents') {
      rendered.break('\n')
      hidden.break('\n')
    }
  }

  function formValue(element: Element): void {
    if (element instanceof HTMLTextAreaElement) addLine(values, element.value)
    else if (element instanceof HTMLSelectElement) for (const option of element.selectedOptions) addLine(values, option.label)
    else if (element instanceof HTMLInputElement) {
      if (BUTTON_TYPES.has(element.type)) addLine(attributes, element.value)
      else if (element.type !== 'checkbox' && element.type !== 'radio' && element.type !== 'hidden' && element.type !== 'file')
        addLine(values, element.value)
    }
  }

  return {
    enter(element, facts) {
      for (const name of ATTRIBUTES) addLine(attributes, element.getAttribute(name))
      formValue(element)
      separate(element, facts.style)
      if (element.localName === 'sup' && facts.visible && !NOT_A_POWER.test((element.textContent ?? '').trim())) rendered.add('^')
    },
    text(node, facts) {
      const parent = node.parentElement === null ? null : plain(node.parentElement)
      const name = parent?.localName ?? ''
      if (name === 'textarea') return
      const text = node.data.slice(0, longest)
      if (name === 'desc' || (name === 'title' && parent instanceof SVGElement)) return addLine(attributes, text)
      const keepsLines = facts.style?.whiteSpace.startsWith('pre') === true
      const flat = keepsLines ? text : text.replace(/\s+/g, ' ')
      if (facts.visible) rendered.add(flat)
      else if (flat !== ' ') hidden.add(flat)
    },
    leave(element, facts) {
      separate(element, facts.style)
    },
    result() {
      attributes.break('\n')
      attributes.add(plain(document).title)
      return { rendered: rendered.toString(), hidden: hidden.toString(), attributes: attributes.toString(), form_values: values.toString() }
    },
  }
}
