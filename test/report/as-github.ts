/** Reads our Markdown the way GitHub does: GFM with raw HTML let through, then the result as a tree. */
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export type Node = Tree.ChildNode

/** HTML as GitHub's renderer gives it before it sanitises: what we let through here, GitHub might. */
export function asHtml(markdown: string): string {
  return micromark(markdown, 'utf8', {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
}

export function asTree(markdown: string): readonly Node[] {
  return parseFragment(asHtml(markdown)).childNodes
}

export function isElement(node: Node): node is Tree.Element {
  return 'tagName' in node
}

/** All nodes with the names of the elements around each, outermost first. */
export function* walk(nodes: readonly Node[], inside: readonly string[] = []): Generator<{ node: Node; inside: readonly string[] }> {
  for (const node of nodes) {
    yield { node, inside }
    if (isElement(node)) {
      const children = 'content' in node ? node.content.childNodes : node.childNodes
      yield* walk(children, [...inside, node.tagName])
    }
  }
}

export function elements(nodes: readonly Node[], name?: string): readonly Tree.Element[] {
  const found: Tree.Element[] = []
  for (const { node } of walk(nodes)) if (isElement(node) && (name === undefined || node.tagName === name)) found.push(node)
  return found
}

export function attribute(element: Tree.Element, name: string): string | null {
  return element.attrs.find((each) => each.name === name)?.value ?? null
}

export function textOf(nodes: readonly Node[]): string {
  let text = ''
  for (const { node } of walk(nodes)) if (node.nodeName === '#text' && 'value' in node) text += node.value
  return text
}

/** Text that GitHub's filters look at: they skip code, preformatted text and links. */
export function linkableText(nodes: readonly Node[]): string {
  let text = ''
  for (const { node, inside } of walk(nodes)) {
    if (node.nodeName !== '#text' || !('value' in node)) continue
    if (inside.some((name) => name === 'code' || name === 'pre' || name === 'a')) text += ' '
    else text += node.value
  }
  return text
}

/** What GitHub would turn into a link or a notification, on plain text. */
const LIVE: readonly RegExp[] = [
  /(?:^|[^\w`])@[\w-]/u,
  /(?:^|\W)#\d/u,
  /\bGH-\d/iu,
  /\b[\w.-]+\/[\w.-]+[#@]\w/u,
  /\b[0-9a-f]{7,40}\b/iu,
  /:\/\//u,
  /\bwww\./iu,
  /\S+@\S+\.\S/u,
  /\$[^\s$][^$]*[^\s$]\$(?!\d)/u,
  /\[!?\w*\]/u,
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u,
]

export function liveParts(text: string): readonly string[] {
  return LIVE.flatMap((pattern) => pattern.exec(text)?.slice(0, 1) ?? [])
}
