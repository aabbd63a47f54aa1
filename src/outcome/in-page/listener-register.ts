/** Names of the events by which the observer's world asks the page's world which elements have listeners, and is told. Random per page. */
export interface ListenerEvents {
  readonly ask: string
  readonly tell: string
}

/**
 * Runs in the page's own world before any script of the page. Self-contained: sent to the page as source.
 * Remembers elements that got a click, pointer or key listener of their own, and tells them when asked by an event whose name the page does not know
 * (DevTools lists listeners only one element at a time, and worlds share nothing but the DOM).
 */
export function installListenerRegister(events: ListenerEvents): void {
  const WATCHED = ['click', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'keydown', 'keyup', 'keypress']
  const MOST = 5000
  const { apply } = Reflect
  const { defineProperty, getOwnPropertyDescriptor } = Object
  const { dispatchEvent } = EventTarget.prototype
  const { has, add } = WeakSet.prototype
  const { deref } = WeakRef.prototype
  const NewEvent = Event
  const Reference = WeakRef
  const ElementType = Element
  const watched: Record<string, boolean> = { __proto__: null } as unknown as Record<string, boolean>
  for (const type of WATCHED) watched[type] = true

  const known = new WeakSet<object>()
  const references: WeakRef<Element>[] = []
  let count = 0

  function remember(target: unknown, type: unknown): void {
    if (typeof type !== 'string' || watched[type] !== true || !(target instanceof ElementType)) return
    if (count >= MOST || apply(has, known, [target])) return
    apply(add, known, [target])
    references[count] = new Reference(target)
    count += 1
  }

  const original = EventTarget.prototype.addEventListener
  const replacement = {
    addEventListener(this: unknown, type: string, _listener: unknown): void {
      remember(this, type)
      // oxlint-disable-next-line prefer-rest-params -- a page may pass fewer arguments, and the built-in counts them
      apply(original, this, arguments)
    },
  }
  EventTarget.prototype.addEventListener = replacement.addEventListener

  for (const prototype of [HTMLElement.prototype, SVGElement.prototype]) {
    for (const type of WATCHED) {
      const descriptor = getOwnPropertyDescriptor(prototype, `on${type}`)
      const set = descriptor?.set
      if (descriptor === undefined || set === undefined) continue
      defineProperty(prototype, `on${type}`, {
        ...descriptor,
        set(this: unknown, handler: unknown) {
          if (typeof handler === 'function') remember(this, type)
          apply(set, this, [handler])
        },
      })
    }
  }

  apply(original, document, [
    events.ask,
    () => {
      for (let i = 0; i < count; i += 1) {
        const element = apply(deref, references[i], []) as Element | undefined
        if (element?.isConnected === true) apply(dispatchEvent, element, [new NewEvent(events.tell, { composed: true })])
      }
    },
  ])
}
