import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { INLINE, scriptData, without } from './script-data.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Attributes that hold no data for a reader. */
const NO_DATA = new Set(
  'class style id for name type rel role d points transform viewbox xmlns integrity nonce lang charset method aria-controls aria-labelledby aria-describedby aria-owns'.split(
    ' ',
  ),
)

/** Characters of a document that are read; what comes after is not looked at. */
const READ_LIMIT = 2_000_000

/**
 * What the document holds outside comments: text, attribute values, and the data of its scripts (literals and keys), escapes and entities decoded.
 * An active-recall app hides its answers there. Names of variables, ids and classes, CSS, and `noscript` hold no data that anybody could read.
 * Takes time in proportion to the length, whatever the document holds.
 */
export function sourceText(html: string): string {
  const parts: string[] = []
  // A stack of our own: a hostile document nests deeper than calls can.
  const open: (Node | string)[] = [parse(html.slice(0, READ_LIMIT))]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') parts.push(next)
    else for (const inner of inside(next, parts).toReversed()) open.push(inner)
  }
  return parts.join('')
}

/** Writes what a node holds itself, and returns what is to be read next, in order. */
function inside(node: Node, parts: string[]): (Node | string)[] {
  if (node.nodeName === '#text' && 'value' in node) parts.push(node.value)
  if ('attrs' in node) {
    if (node.tagName === 'noscript') return []
    collectAttributes(node, parts)
    if (node.tagName === 'script') return ['\n', scriptData(rawText(node), attribute(node, 'type')), '\n']
    if (node.tagName === 'style') return ['\n', generatedContent(rawText(node)), '\n']
  }
  if (!('childNodes' in node)) return []
  const border = INLINE.has(node.nodeName) ? [] : ['\n']
  return [...border, ...(node.nodeName === 'sup' ? ['^'] : []), ...('content' in node ? [node.content] : []), ...node.childNodes, ...border]
}

function collectAttributes(element: Element, parts: string[]): void {
  for (const { name, value } of element.attrs) {
    if (value === '' || NO_DATA.has(name)) continue
    parts.push('\n', name.startsWith('on') ? scriptData(value, '') : value, '\n')
  }
}

function rawText(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? ''
}

/** CSS shows text only by `content: "…"`. */
function generatedContent(css: string): string {
  const bare = without(css, '/*', '*/')
  return [...bare.matchAll(/content\s{0,9}:\s{0,9}(["'])(.{0,500}?)\1/gu)].map((match) => match[2] ?? '').join('\n')
}
