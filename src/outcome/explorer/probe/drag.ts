import type { DomProbe } from './dom.ts'

/** A thing to be dragged or a place to drop it. */
export interface DragEnd {
  readonly key: string
  /** What stands in it, without the things that lie in it; its key where that is empty or not the only one of its kind. */
  readonly name: string
}

export interface Draggables {
  readonly items: readonly (DragEnd & {
    /** Key of the place it lies in; null for none. */
    readonly lies_in: string | null
  })[]
  readonly places: readonly DragEnd[]
}

export interface DragProbe {
  /** What can be dragged, and the places where it may be dropped. */
  draggables(): Draggables
}

/** Self-contained: its source text runs in the page's isolated world. */
export function dragProbe(dom: DomProbe): DragProbe {
  const { plain } = dom
  const MOST_ITEMS = 24
  const MOST_LIKELY = 100
  const MOST_PLACES = 12
  const placeLike = /(^|[-_ ])(drop|dropzone|zone|bucket|bin|target|slot|column|lane|basket|area)s?($|[-_ ])/i

  const isItem = (real: Element): boolean => {
    const el = plain(real)
    if (el.getAttribute('draggable') === 'true') return true
    // A cursor is inherited: the thing itself is the outermost that has it.
    return (
      /^(grab|-webkit-grab)$/.test(getComputedStyle(real).cursor) &&
      !(el.parentElement && getComputedStyle(el.parentElement).cursor === 'grab')
    )
  }
  const isPlace = (real: Element): boolean => {
    const el = plain(real)
    const names = [el.getAttribute('class') ?? '', el.id, ...el.getAttributeNames().filter((name) => name.startsWith('data-'))]
    return el.hasAttribute('ondrop') || names.some((name) => placeLike.test(name)) || getComputedStyle(real).borderTopStyle === 'dashed'
  }
  const textOf = (el: Element): string => dom.markedText(el, 300).replace(/[«»]/g, '')
  const named = (els: readonly Element[], without: readonly Element[]): DragEnd[] => {
    const names = els.map((el) => {
      let name = textOf(el)
      for (const inner of without) if (dom.contains(el, inner)) name = name.replace(textOf(inner), '')
      return name.replace(/\s+/g, ' ').trim().slice(0, 60)
    })
    return els.map((el, at) => {
      const [key, name = ''] = [dom.keyOf(el), names[at]]
      return { key, name: name !== '' && names.filter((each) => each === name).length === 1 ? name : key }
    })
  }

  const draggables: DragProbe['draggables'] = () => {
    const layer = dom.layer()
    const seen = dom.all().filter((el) => dom.isVisible(el) && (layer === null || dom.contains(layer, el)))
    const items = seen.filter((el) => isItem(el)).slice(0, MOST_ITEMS)
    if (items.length === 0) return { items: [], places: [] }
    const likely = seen.filter((el) => isPlace(el) && !items.some((item) => dom.contains(item, el))).slice(0, MOST_LIKELY)
    const places = likely.filter((el) => !likely.some((other) => other !== el && dom.contains(el, other))).slice(0, MOST_PLACES)
    const around = (item: Element): Element | undefined => places.find((place) => dom.contains(place, item))
    return {
      items: named(items, []).map((end, at) => {
        const place = items[at] && around(items[at])
        return { ...end, lies_in: place ? dom.keyOf(place) : null }
      }),
      places: named(places, items),
    }
  }
  return { draggables }
}
