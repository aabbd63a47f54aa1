import { parse, type Selector } from 'css-what'

/**
 * Pseudo-classes that a browser's `querySelectorAll` understands and that make sense in an assertion.
 * The parser accepts any name (jQuery's `:contains` too), the browser would throw on it in the middle of a trial.
 */
const PSEUDO_CLASSES = new Set(
  (
    'active any-link autofill checked default defined disabled empty enabled first-child first-of-type focus focus-visible focus-within ' +
    'fullscreen has hover in-range indeterminate invalid is lang last-child last-of-type link modal not nth-child nth-last-child ' +
    'nth-last-of-type nth-of-type only-child only-of-type open optional out-of-range placeholder-shown popover-open read-only read-write ' +
    'required root scope target user-invalid user-valid valid visited where'
  ).split(' '),
)

/** Why a browser could not use this CSS selector, or null when it can. */
export function selectorProblem(selector: string): string | null {
  let parsed: Selector[][]
  try {
    parsed = parse(selector)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return firstProblem(parsed)
}

function firstProblem(selectors: readonly (readonly Selector[])[]): string | null {
  if (selectors.length === 0) return 'it is empty'
  for (const token of selectors.flat()) {
    // Widened: the library types its discriminants as an enum, whose members are these strings.
    const type: string = token.type
    if (type === 'pseudo-element') return 'a pseudo-element cannot be matched'
    if (type === 'parent' || type === 'column-combinator') return `the ${type} combinator is not supported by browsers`
    if ('data' in token && type === 'pseudo') {
      if (!PSEUDO_CLASSES.has(token.name)) return `browsers know no pseudo-class :${token.name}`
      if (Array.isArray(token.data) && token.data.length > 0) {
        const inner = firstProblem(token.data)
        if (inner !== null) return inner
      }
    }
  }
  return null
}
