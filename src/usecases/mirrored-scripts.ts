import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { mirrored } from '../outcome/mirror.ts'

type Node = DefaultTreeAdapterTypes.Node

/**
 * The document with common CDN scripts written into it, from the mirror that runs are made with, so that it works where no network is
 * allowed. What the mirror lacks is left as it is.
 */
export async function withMirroredScripts(html: string): Promise<string> {
  const found: { readonly start: number; readonly end: number; readonly address: string }[] = []
  const visit = (node: Node): void => {
    if ('tagName' in node && node.tagName === 'script') {
      const address = node.attrs.find(({ name }) => name === 'src')?.value
      const place = node.sourceCodeLocation
      if (address !== undefined && place) found.push({ start: place.startOffset, end: place.endOffset, address })
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(html, { sourceCodeLocationInfo: true }))
  let whole = ''
  let at = 0
  for (const { start, end, address } of found) {
    const script = await mirrored(address.startsWith('//') ? `https:${address}` : address)
    if (script === null) continue
    whole += `${html.slice(at, start)}<script>${script.replaceAll(/<\/script/gi, '<\\/script').replaceAll('<!--', '<\\!--')}</script>`
    at = end
  }
  return whole + html.slice(at)
}
