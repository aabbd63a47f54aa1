/** Caps inside the page: what a hostile page may send before it is cut off. */
export interface BridgeCaps {
  /** Longest JSON text of one payload, in UTF-16 units. */
  readonly payload_length: number
  /** Calls of sendAction by one document that are recorded. */
  readonly calls: number
}

/**
 * Runs in the page's own world before any script of the page, in every frame. Self-contained: sent to the page as source.
 *
 * Takes the DevTools binding out of the global object into a closure, together with the built-ins it needs, so that a page that breaks
 * JSON, Promise or the prototypes loses no callback and finds nothing to forge. A bridge that the plugin brings itself is wrapped: it works as
 * written, and its calls are recorded too.
 */
export function installBridge(bindingName: string, caps: BridgeCaps): void {
  type Bridge = Record<string, unknown>
  type Send = (...values: unknown[]) => unknown
  const scope = globalThis as unknown as Record<string, unknown>
  const report = scope[bindingName] as ((message: string) => void) | undefined
  delete scope[bindingName]

  const { stringify } = JSON
  const { apply } = Reflect
  const { create, defineProperty, getOwnPropertyDescriptor, isExtensible } = Object
  const text = String
  const resolve = Promise.resolve.bind(Promise)
  const isOurs = WeakSet.prototype.has
  const markOurs = WeakSet.prototype.add
  const ours = new WeakSet<object>()

  let calls = 0
  /** While a wrapped bridge runs, calls that it passes on to ours are the same call. */
  let insideWrapped = false

  function tell(message: string): void {
    if (report !== undefined) report(message)
  }

  function record(payload: unknown): void {
    calls += 1
    if (calls > caps.calls) {
      if (calls === caps.calls + 1) tell('{"ok":false,"reason":"more than ' + caps.calls + ' callbacks; the rest is not recorded"}')
      return
    }
    let json: string | undefined
    try {
      json = stringify(payload)
    } catch (error) {
      let reason = 'unknown error'
      try {
        reason = text((error as Error).message)
      } catch {
        // an error whose message cannot be read
      }
      tell('{"ok":false,"reason":' + stringify('payload cannot be written as JSON: ' + reason.slice(0, 200)) + '}')
      return
    }
    if (json === undefined) tell('{"ok":false,"reason":"payload is ' + typeof payload + ', which JSON cannot hold"}')
    else if (json.length > caps.payload_length)
      tell('{"ok":false,"reason":"payload of ' + json.length + ' characters is over the limit of ' + caps.payload_length + '"}')
    else tell('{"ok":true,"payload":' + json + '}')
  }

  function own(send: Send): Send {
    apply(markOurs, ours, [send])
    return send
  }

  const sendAction = own(function sendAction(payload: unknown) {
    if (!insideWrapped) record(payload)
    return resolve({ ok: true })
  })

  function wrap(send: unknown): unknown {
    if (typeof send !== 'function' || apply(isOurs, ours, [send])) return send
    return own(function sendAction(this: unknown, ...values: unknown[]) {
      if (insideWrapped) return apply(send as Send, this, values)
      record(values[0])
      insideWrapped = true
      try {
        return apply(send as Send, this, values)
      } finally {
        insideWrapped = false
      }
    })
  }

  function adopt(bridge: unknown): unknown {
    if (bridge === null || (typeof bridge !== 'object' && typeof bridge !== 'function')) return bridge
    const target = bridge as Bridge
    const present = getOwnPropertyDescriptor(target, 'sendAction')
    if (present?.get !== undefined && apply(isOurs, ours, [present.get])) return bridge
    let send = wrap(target.sendAction)
    if ((present === undefined && !isExtensible(target)) || present?.configurable === false)
      return create(target, { sendAction: { value: send, enumerable: true } }) as unknown
    const get = own(() => send)
    const set = (next: unknown): void => {
      send = wrap(next)
    }
    defineProperty(target, 'sendAction', { configurable: true, enumerable: true, get, set })
    return bridge
  }

  let current: unknown = adopt({ sendAction })
  // Configurable, since `const hermes = …` in a page is a syntax error beside a property that is not.
  defineProperty(globalThis, 'hermes', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set: (next: unknown) => {
      current = adopt(next)
    },
  })

  Object.defineProperty = function defineProperty_<T>(target: T, key: PropertyKey, descriptor: PropertyDescriptor & ThisType<unknown>): T {
    if (key === 'hermes' && target === (globalThis as unknown) && 'value' in descriptor)
      return apply<typeof Object, [T, PropertyKey, PropertyDescriptor & ThisType<unknown>], T>(defineProperty, Object, [
        target,
        key,
        { ...descriptor, value: adopt(descriptor.value) },
      ])
    if (key === 'sendAction' && target === current && 'value' in descriptor)
      return apply<typeof Object, [T, PropertyKey, PropertyDescriptor & ThisType<unknown>], T>(defineProperty, Object, [
        target,
        key,
        { ...descriptor, value: wrap(descriptor.value) },
      ])
    return apply<typeof Object, [T, PropertyKey, PropertyDescriptor & ThisType<unknown>], T>(defineProperty, Object, [
      target,
      key,
      descriptor,
    ])
  }
  // A page may close only what it opened; whatever it says, the micro-app stays to be looked at.
  globalThis.close = (): void => undefined
}
