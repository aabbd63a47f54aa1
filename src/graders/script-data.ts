import { parse } from 'acorn'
import { simple } from 'acorn-walk'

/** Elements that do not part words. */
export const INLINE = new Set('a abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup tspan u var wbr'.split(' '))
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—' }
/** Stands for an expression in a template: what it gives is not known, and what stands around it is not joined. */
const UNKNOWN = '\ufffc'

/**
 * The data that a script holds, a piece a line: strings, templates, numbers and keys of object literals; markup in them as the text that it shows.
 * Names of variables and functions are no data, whatever they are called.
 * @param type the `type` attribute; a JSON block is data as a whole
 */
export function scriptData(code: string, type: string): string {
  if (/json/iu.test(type)) return shownText(unescaped(code))
  try {
    return literalsOf(code, type === 'module')
      .map(shownText)
      .join('\n')
  } catch {
    // Not plain JavaScript (JSX, broken, nested too deep): all of it but what surely is a comment.
    return shownText(unescaped(without(code, '/*', '*/').replace(/^[ \t]*\/\/.*$/gmu, ' ')))
  }
}

function literalsOf(code: string, module: boolean): string[] {
  const found: string[] = []
  simple(parse(code, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', allowReturnOutsideFunction: true }), {
    Literal(node) {
      if (typeof node.value === 'string') found.push(node.value)
      else if (typeof node.value === 'number') found.push(`${node.raw ?? ''}\n${node.value}`)
    },
    TemplateLiteral: (node) => void found.push(node.quasis.map((quasi) => quasi.value.cooked ?? quasi.value.raw).join(UNKNOWN)),
    Property(node) {
      if (!node.computed && !node.shorthand && node.key.type === 'Identifier') found.push(node.key.name)
    },
  })
  return found
}

/** Text as a page would show it: no HTML comments, markup, entities, nor CSS colour functions (`rgb(…)` is no benchmark). */
function shownText(text: string): string {
  const bare = without(text, '<!--', '-->').replace(/\b(?:rgb|hsl)a?\(/giu, ' (')
  const shown = withoutMarkup(bare)
  // `a < b and c > d` looks like a tag, and must not swallow data.
  return shown === bare || bare.includes('</') ? shown : `${bare}\n${shown}`
}

function unescaped(code: string): string {
  return code
    .replace(/\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/giu, (whole, a?: string, b?: string, c?: string) =>
      character(Number.parseInt(a ?? b ?? c ?? '', 16), whole),
    )
    .replace(/\\[nrt]/gu, ' ')
    .replace(/\\(?=['"`/])/gu, '')
}

function withoutMarkup(code: string): string {
  return code
    .replace(/<sup\b[^<>]*>/giu, '^')
    .replace(/<\/?([a-z][a-z0-9-]*)\b[^<>`]*>/giu, (tag, name: string) =>
      INLINE.has(name.toLowerCase()) ? attributeValues(tag) : ` ${attributeValues(tag)} `,
    )
    .replace(/&#(\d+);|&#x([0-9a-f]+);/giu, (whole, decimal?: string, hex?: string) =>
      character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal), whole),
    )
    .replace(/&([a-z]+);/giu, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
}

/** Tags go, the text of their attributes stays. */
function attributeValues(tag: string): string {
  const values = [...tag.matchAll(/(?:alt|title|placeholder|value|aria-label|aria-valuetext|data-[a-z-]+)\s*=\s*(["'])([^<>]*?)\1/giu)].map(
    (match) => match[2] ?? '',
  )
  return values.length === 0 ? '' : ` ${values.join(' ')} `
}

function character(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}

/** The text without what stands between two marks, in one pass; an open end takes the rest. */
export function without(text: string, start: string, end: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, from)) {
    kept += `${text.slice(from, at)} `
    const close = text.indexOf(end, at + start.length)
    if (close === -1) return kept
    from = close + end.length
  }
  return kept + text.slice(from)
}
