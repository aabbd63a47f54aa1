import { parse as parseScript, type AnyNode } from 'acorn'
import { MagicString } from 'magic-string'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** A piece of JavaScript in the document: an inline script, or an event attribute. */
export interface CodeUnit {
  readonly kind: 'script' | 'handler'
  /** Decoded code. */
  readonly code: string
  /** Null when acorn cannot parse it (JSX, broken code). */
  readonly tree: AnyNode | null
  /** Range in the document that holds the code (script), or the whole attribute (handler). */
  readonly start: number
  readonly end: number
  /** Name of the event attribute; empty for scripts. */
  readonly attribute: string
}

/** A run of text, or an attribute value, with its place in the document. */
export interface TextPiece {
  readonly start: number
  readonly end: number
}

/** A document taken apart so that faults can be put at exact places. Offsets refer to `html`. */
export interface AppDocument {
  readonly html: string
  readonly units: readonly CodeUnit[]
  /** Text outside scripts and styles. */
  readonly texts: readonly TextPiece[]
  /** Attributes without styles and handlers: the range of the whole attribute. */
  readonly attributes: readonly TextPiece[]
  /** JSON data blocks. */
  readonly dataBlocks: readonly TextPiece[]
  /** Offset after the start tag of `head`, or 0. */
  readonly headStart: number
  /** Offsets between the tags of `body`. */
  readonly body: TextPiece
}

interface Mutable {
  units: CodeUnit[]
  texts: TextPiece[]
  attributes: TextPiece[]
  dataBlocks: TextPiece[]
  headStart: number
  body: { start: number; end: number } | null
}

/** Takes a document apart. Line ends are made `\n`, as a browser does. */
export function openDocument(source: string): AppDocument {
  const html = source.replace(/\r\n?/gu, '\n')
  const found: Mutable = { units: [], texts: [], attributes: [], dataBlocks: [], headStart: 0, body: null }
  visit(parse(html, { sourceCodeLocationInfo: true }), found)
  const doctype = /^\s*<!doctype[^>]*>/iu.exec(html)?.[0].length ?? 0
  return {
    html,
    units: found.units,
    texts: found.texts,
    attributes: found.attributes,
    dataBlocks: found.dataBlocks,
    headStart: found.headStart === 0 ? doctype : found.headStart,
    body: found.body ?? { start: doctype, end: html.length },
  }
}

function visit(node: Node, found: Mutable): void {
  if (node.nodeName === '#text') {
    const at = node.sourceCodeLocation
    if (at) found.texts.push({ start: at.startOffset, end: at.endOffset })
  }
  if ('attrs' in node) visitElement(node, found)
  if (node.nodeName === 'script' || node.nodeName === 'style') return
  if ('content' in node) visit(node.content, found)
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, found)
}

function visitElement(element: Element, found: Mutable): void {
  const at = element.sourceCodeLocation
  if (!at) return
  for (const { name, value } of element.attrs) {
    const range = at.attrs?.[name]
    if (!range) continue
    const piece = { start: range.startOffset, end: range.endOffset }
    if (name.startsWith('on')) found.units.push({ kind: 'handler', code: value, tree: treeOf(value, false), attribute: name, ...piece })
    else if (!['style', 'type', 'src', 'href', 'rel', 'content'].includes(name)) found.attributes.push(piece)
  }
  if (!at.startTag) return
  const inner = { start: at.startTag.endOffset, end: at.endTag?.startOffset ?? at.endOffset }
  if (element.tagName === 'head') found.headStart = inner.start
  if (element.tagName === 'body') found.body = inner
  if (element.tagName !== 'script') return
  const type = element.attrs.find((attr) => attr.name === 'type')?.value ?? ''
  const code = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  if (code.trim() === '') return
  if (/json/iu.test(type)) found.dataBlocks.push(inner)
  else found.units.push({ kind: 'script', code, tree: treeOf(code, type === 'module'), attribute: '', ...inner })
}

function treeOf(code: string, module: boolean): AnyNode | null {
  try {
    return parseScript(code, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', allowReturnOutsideFunction: true })
  } catch {
    return null
  }
}

/** Edits one piece of code; returns whether it changed anything. */
export type CodeEdit = (unit: CodeUnit, tree: AnyNode, code: MagicString) => boolean

/** The document with every parsed piece of code edited; null when no edit changed anything. */
export function withCodeEdited(app: AppDocument, edit: CodeEdit): string | null {
  const html = new MagicString(app.html)
  let changed = false
  for (const unit of app.units) {
    if (unit.tree === null) continue
    const code = new MagicString(unit.code)
    if (!edit(unit, unit.tree, code)) continue
    changed = true
    writeUnit(html, unit, code.toString())
  }
  return changed ? html.toString() : null
}

/** Puts new code into the place of a unit. */
export function writeUnit(html: MagicString, unit: CodeUnit, code: string): void {
  const escaped = unit.kind === 'handler' ? `${unit.attribute}="${code.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"` : code
  html.overwrite(unit.start, unit.end, escaped)
}

/** The document with markup right after the start of its head: it runs before the app's own scripts. */
export function withEarly(app: AppDocument, markup: string): string {
  return `${app.html.slice(0, app.headStart)}${markup}${app.html.slice(app.headStart)}`
}

/** The document with markup at the end of its body: it runs after the app's own inline scripts. */
export function withLate(app: AppDocument, markup: string): string {
  return `${app.html.slice(0, app.body.end)}${markup}${app.html.slice(app.body.end)}`
}
