import type { AnyNode } from 'acorn'
import { simple } from 'acorn-walk'
import { openDocument, withCodeEdited, withEarly, withLate } from './app-document.ts'
import { nameOf } from './code-search.ts'

/** Text as markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The document with every pattern replaced; null when one of them is not there, since half a fault is none. */
export function withWords(html: string, replacements: readonly (readonly [RegExp, string])[]): string | null {
  let edited = html
  for (const [pattern, replacement] of replacements) {
    const next = edited.replace(pattern, () => replacement)
    if (next === edited) return null
    edited = next
  }
  return edited
}

/** The document with code that holds from the first element on, also for what the app draws later. The code must leave alone what is as it wants it. */
export function withObserved(html: string, code: string): string {
  return withEarly(
    openDocument(html),
    `<script>(() => { const apply = () => { ${code} }; new MutationObserver(apply).observe(document, { childList: true, subtree: true }); addEventListener('DOMContentLoaded', apply) })()</script>`,
  )
}

/**
 * The document whose computations read what a control was at first (`defaultValue`) whatever the user sets, while outputs that label a range follow it.
 * Null when nothing reads a number from a control.
 */
export function withComputationFrozen(html: string): string | null {
  const frozen = withCodeEdited(openDocument(html), (_unit, tree, code) => {
    const reads = numberReads(tree)
    for (const { start, end } of reads) code.overwrite(start, end, 'defaultValue')
    return reads.length > 0
  })
  if (frozen === null) return null
  const labels = `addEventListener('input', (event) => { if (event.target.type === 'range') for (const out of document.querySelectorAll('output[for="' + event.target.id + '"]')) out.textContent = event.target.value })`
  return withLate(openDocument(frozen), `<script>${labels}</script>`)
}

/** Places of `value` in `Number(x.value)`, `parseFloat(x.value)` and `+x.value`. */
function numberReads(tree: AnyNode): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = []
  const note = (read: AnyNode | undefined): void => {
    if (read?.type === 'MemberExpression' && !read.computed && nameOf(read.property) === 'value')
      places.push({ start: read.property.start, end: read.property.end })
  }
  simple(tree, {
    CallExpression(call) {
      const callee = call.callee.type === 'MemberExpression' ? nameOf(call.callee.property) : nameOf(call.callee)
      if (['Number', 'parseFloat', 'parseInt'].includes(callee)) note(call.arguments[0])
    },
    UnaryExpression(unary) {
      if (unary.operator === '+') note(unary.argument)
    },
  })
  return places
}
