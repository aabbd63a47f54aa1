import type { DomProbe } from './dom.ts'

/** A thing to be dragged or a place to drop it, by its key in the frame. */
export interface DragEnd {
  readonly key: string
  readonly name: string
}

export interface DragProbe {
  /** What can be dragged, and the places where it may be dropped; each is without places that lie in or around the other. */
  draggables(): { readonly items: readonly (DragEnd & { readonly zones: readonly DragEnd[] })[] }
}

/** Self-contained: its source text runs in the page's isolated world. */
export function dragProbe(dom: DomProbe): DragProbe {
  const { plain } = dom
  const MOST_ITEMS = 24
  const MOST_PLACES = 100
  const MOST_ZONES = 12
  const zoneLike = /(^|[-_ ])(drop|dropzone|zone|bucket|bin|target|slot|column|lane|basket|area)s?($|[-_ ])/i

  const isItem = (real: Element): boolean => {
    const el = plain(real)
    if (el.getAttribute('draggable') === 'true') return true
    // A cursor is inherited: the thing itself is the outermost that has it.
    return (
      /^(grab|-webkit-grab)$/.test(getComputedStyle(real).cursor) &&
      !(el.parentElement && getComputedStyle(el.parentElement).cursor === 'grab')
    )
  }
  const isZone = (real: Element): boolean => {
    const el = plain(real)
    const names = [el.getAttribute('class') ?? '', el.id, ...el.getAttributeNames().filter((name) => name.startsWith('data-'))]
    return el.hasAttribute('ondrop') || names.some((name) => zoneLike.test(name)) || getComputedStyle(real).borderTopStyle === 'dashed'
  }
  const end = (el: Element): DragEnd => ({ key: dom.keyOf(el), name: dom.markedText(el, 60).replace(/[«»]/g, '').slice(0, 60) })

  const draggables: DragProbe['draggables'] = () => {
    const layer = dom.layer()
    const seen = dom.all().filter((el) => dom.isVisible(el) && (layer === null || dom.contains(layer, el)))
    const items = seen.filter((el) => isItem(el)).slice(0, MOST_ITEMS)
    if (items.length === 0) return { items: [] }
    const places = seen.filter((el) => isZone(el) && !items.some((item) => dom.contains(item, el))).slice(0, MOST_PLACES)
    const zones = places.filter((el) => !places.some((other) => other !== el && dom.contains(el, other))).slice(0, MOST_ZONES)
    return {
      items: items.map((item) => ({
        ...end(item),
        zones: zones.filter((zone) => !dom.contains(zone, item)).map((zone) => end(zone)),
      })),
    }
  }
  return { draggables }
}
