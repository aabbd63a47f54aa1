import { parse, stringify, SelectorType, AttributeAction, type Selector, type AttributeSelector } from 'css-what'

/** The kinds of control for which people write other markup than the published selectors ask for. */
type Family = 'button' | 'checkbox' | 'radio' | 'range' | 'number' | 'text' | 'select' | 'input'

const EDITABLE = '[contenteditable]:not([contenteditable="false"])'
const TEXTBOX = ['[role="textbox"]', '[role="searchbox"]', EDITABLE]
const CHECKBOX = ['[role="checkbox"]', '[role="switch"]']

const EQUIVALENTS: Readonly<Record<Family, readonly string[]>> = {
  button: ['[role="button"]', 'input[type="submit"]', 'input[type="button"]'],
  checkbox: CHECKBOX,
  radio: ['[role="radio"]'],
  range: ['[role="slider"]'],
  number: ['[role="spinbutton"]'],
  text: ['input[type="text"]', 'input:not([type])', 'textarea', ...TEXTBOX],
  select: ['[role="combobox"]', '[role="listbox"]'],
  input: [...CHECKBOX, '[role="radio"]', '[role="slider"]', '[role="spinbutton"]', 'textarea', ...TEXTBOX],
}

const FAMILY_OF_INPUT_TYPE: Readonly<Record<string, Family>> = {
  submit: 'button',
  button: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'range',
  number: 'number',
  text: 'text',
  search: 'text',
  email: 'text',
  tel: 'text',
  url: 'text',
}

/**
 * What may stand for the control a selector asks for, the selector itself first: `button` ≡ `[role=button]`, a checkbox ≡ `[role=checkbox|switch]`,
 * a range ≡ `[role=slider]`, a text field ≡ `[role=textbox]` or contenteditable; a bare `input` ≡ any of them.
 * Classes, ids and ancestors that the selector names are kept. A selector that does not parse is returned alone.
 */
export function selectorAlternatives(selector: string): readonly string[] {
  let alternatives: string[]
  try {
    alternatives = parse(selector).flatMap(alternativesOfOne)
  } catch {
    return [selector]
  }
  return [...new Set([selector, ...alternatives])]
}

/** Only the last compound is replaced: it names the control, the ones before say where it stands. */
function alternativesOfOne(tokens: readonly Selector[]): string[] {
  const start = tokens.findLastIndex((token) => isCombinator(token)) + 1
  const before = tokens.slice(0, start)
  const compound = tokens.slice(start)
  const family = familyOf(compound)
  if (family === null) return []
  const rest = compound.filter((token) => token.type !== SelectorType.Tag && !isTypeAttribute(token))
  return EQUIVALENTS[family].map((equivalent) => {
    const standIn = parse(equivalent)[0] ?? []
    const kept = rest.map((token) => (standIn[0]?.type === SelectorType.Tag ? token : ariaState(token)))
    return stringify([[...before, ...standIn, ...kept]])
  })
}

function familyOf(compound: readonly Selector[]): Family | null {
  const tag = compound.find((token) => token.type === SelectorType.Tag)
  const type = compound.find(isTypeAttribute)
  const known = type === undefined ? undefined : FAMILY_OF_INPUT_TYPE[type.value.toLowerCase()]
  if (tag === undefined) return known ?? null
  switch (tag.name.toLowerCase()) {
    case 'button':
      return 'button'
    case 'textarea':
      return 'text'
    case 'select':
      return 'select'
    case 'input':
      return type === undefined ? 'input' : (known ?? null)
    default:
      return null
  }
}

function isTypeAttribute(token: Selector): token is AttributeSelector {
  return token.type === SelectorType.Attribute && token.name === 'type' && token.action === AttributeAction.Equals
}

/** ARIA widgets say in attributes what native controls say in pseudo-classes. */
function ariaState(token: Selector): Selector {
  if (token.type !== SelectorType.Pseudo || token.name !== 'checked') return token
  return {
    type: SelectorType.Attribute,
    name: 'aria-checked',
    action: AttributeAction.Equals,
    value: 'true',
    ignoreCase: null,
    namespace: null,
  }
}

const COMBINATORS: ReadonlySet<string> = new Set(['descendant', 'child', 'sibling', 'adjacent', 'parent', 'column-combinator'])

function isCombinator(token: Selector): boolean {
  return COMBINATORS.has(token.type)
}
