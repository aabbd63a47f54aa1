import { simple } from 'acorn-walk'
import { MagicString } from 'magic-string'
import { writeUnit, type AppDocument, type CodeUnit } from './app-document.ts'
import { nameOf } from './code-search.ts'
import type { MutantRule } from './mutant.ts'

/** Data replaced by other data of the same shape, wherever the document writes it: a hallucinated name or number. */
export const GROUNDING_RULE: MutantRule = {
  name: 'falsify_grounded_string',
  fault: 'a required string is replaced by an invented one',
  expected_checks: ['dom.must_contain_strings'],
  make: (app, task) =>
    (task.outcome_dom_assertions.must_contain_strings ?? []).flatMap((wanted) => {
      const html = falsified(app, wanted)
      return html === app.html ? [] : [{ at: wanted, html }]
    }),
}

function falsified(app: AppDocument, wanted: string): string {
  const pattern = patternOf(wanted)
  const change = (text: string): string =>
    text.replace(pattern, (found) => found.replace(/(<[^>]*>|&#?\w+;)|[a-z\d]/giu, (one, markup?: string) => markup ?? shifted(one)))
  const html = new MagicString(app.html)
  for (const piece of [...app.texts, ...app.attributes, ...app.dataBlocks]) replaceRange(html, app.html, piece.start, piece.end, change)
  // A string that inline markup parts (p<sup>k</sup>) spans several texts: its first part is enough.
  for (const match of app.html.slice(app.body.start, app.body.end).matchAll(pattern)) {
    if (match[0].includes('<')) falsifyFirstText(html, app, app.body.start + match.index, match[0])
  }
  for (const unit of app.units) {
    const code = changedCode(unit, wanted, change)
    if (code !== unit.code) writeUnit(html, unit, code)
  }
  return html.toString()
}

function falsifyFirstText(html: MagicString, app: AppDocument, start: number, match: string): void {
  const end = start + match.indexOf('<')
  const inText = app.texts.some((piece) => piece.start <= start && end <= piece.end)
  if (inText && end > start) html.overwrite(start, end, app.html.slice(start, end).replace(/[a-z\d]/giu, shifted))
}

function replaceRange(html: MagicString, source: string, start: number, end: number, change: (text: string) => string): void {
  const before = source.slice(start, end)
  const after = change(before)
  if (after !== before) html.overwrite(start, end, after)
}

/** Only literals, template texts and keys are data; names of methods and variables are not. */
function changedCode(unit: CodeUnit, wanted: string, change: (text: string) => string): string {
  if (unit.tree === null) return change(unit.code)
  const code = new MagicString(unit.code)
  const keys = new Set<string>()
  simple(unit.tree, {
    ObjectExpression(node) {
      for (const property of node.properties) {
        if (property.type === 'Property' && !property.computed && !property.shorthand && property.key.type === 'Identifier')
          keys.add(property.key.name)
      }
    },
  })
  const changeRange = (start: number, end: number): void => replaceRange(code, unit.code, start, end, change)
  simple(unit.tree, {
    Literal(node) {
      if (typeof node.value === 'string') changeRange(node.start, node.end)
      else if (typeof node.value === 'number' && node.value === Number(wanted))
        code.overwrite(node.start, node.end, wanted.replace(/[a-z\d]/giu, shifted))
    },
    TemplateElement: (node) => changeRange(node.start, node.end),
    Property(node) {
      if (!node.computed && !node.shorthand && change(nameOf(node.key)) !== nameOf(node.key)) changeRange(node.key.start, node.key.end)
    },
    MemberExpression(node) {
      const name = nameOf(node.property)
      if (!node.computed && keys.has(name) && change(name) !== name) changeRange(node.property.start, node.property.end)
    },
  })
  return code.toString()
}

/** The ways in which a document may write the string: case, dashes, spaces, `1.4 GB` for `1.4G`, `pass<sup>k</sup>` for `pass^k`. */
function patternOf(wanted: string): RegExp {
  const size = /^(\d+)\.(\d+)\s?([KMGT])i?B?$/u.exec(wanted)
  if (size !== null) return new RegExp(`(?<![\\d.,])${size[1]}[.,]${size[2]}0*(?:\\s|&nbsp;)*${size[3]}(?:i?B)?`, 'giu')
  const body = wanted.replace(/./gsu, (character) => {
    if (/\s/u.test(character)) return '(?:\\s|&nbsp;)+'
    if (character === '-') return '(?:[-\\u2010-\\u2015\\s]|&#8209;|&shy;)'
    if (character === '^') return '(?:\\^\\{?|<sup[^>]*>\\s*)'
    return character.replace(/[.*+?${}()|[\]\\/]/gu, '\\$&')
  })
  const border = /^\d/u.test(wanted) ? '(?<![\\d.])' : /^[a-z]/iu.test(wanted) ? '(?<![a-z])' : ''
  return new RegExp(`${border}${body}${/\d$/u.test(wanted) ? '(?!\\d)' : ''}`, 'giu')
}

/** Another letter or digit of the same kind; anything else stays. No digit becomes 0, so that numbers keep their length. */
function shifted(character: string): string {
  if (/\d/u.test(character)) return String((Number(character) % 9) + 1)
  if (/[a-z]/u.test(character)) return String.fromCodePoint(97 + ((character.charCodeAt(0) - 97 + 5) % 26))
  if (/[A-Z]/u.test(character)) return String.fromCodePoint(65 + ((character.charCodeAt(0) - 65 + 5) % 26))
  return character
}
