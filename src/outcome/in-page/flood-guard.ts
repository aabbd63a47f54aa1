/** How much noise of one document gets through to the engine. */
export interface FloodCaps {
  readonly console_calls: number
  readonly errors: number
  /** Characters of one console argument or error message. */
  readonly message_length: number
}

/**
 * Runs in the page's own world before any script of the page. Self-contained: sent to the page as source.
 * A million console lines or errors keep a browser busy long after the page is gone, so what is over the cap never leaves the page.
 */
export function installFloodGuard(caps: FloodCaps): void {
  const { apply } = Reflect
  const target = console as unknown as Record<string, unknown>
  const { slice } = String.prototype
  const { preventDefault } = Event.prototype
  const sayError = console.error
  const methods = [
    'log',
    'info',
    'debug',
    'warn',
    'error',
    'trace',
    'assert',
    'dir',
    'dirxml',
    'table',
    'count',
    'timeLog',
    'timeEnd',
    'group',
    'groupCollapsed',
  ]

  for (const method of methods) {
    const original = target[method]
    if (typeof original !== 'function') continue
    let calls = 0
    const guarded = {
      [method]: (...values: unknown[]): void => {
        calls += 1
        if (calls > caps.console_calls) return
        for (let i = 0; i < values.length; i += 1)
          if (typeof values[i] === 'string') values[i] = apply(slice, values[i], [0, caps.message_length])
        apply(original as (...args: unknown[]) => void, console, values)
      },
    }
    target[method] = guarded[method]
  }

  let errors = 0
  const onError = (event: ErrorEvent): void => {
    errors += 1
    const message = event.message
    if (errors > caps.errors) apply(preventDefault, event, [])
    else if (typeof message === 'string' && message.length > caps.message_length) {
      apply(preventDefault, event, [])
      apply(sayError, console, [apply(slice, message, [0, caps.message_length])])
    }
  }
  const onRejection = (event: PromiseRejectionEvent): void => {
    errors += 1
    if (errors > caps.errors) apply(preventDefault, event, [])
  }
  addEventListener('error', onError as EventListener, true)
  addEventListener('unhandledrejection', onRejection as EventListener, true)
}
