import { installBridge, type BridgeCaps } from './bridge.ts'
import { createControlCollector } from './controls.ts'
import { installFloodGuard, type FloodCaps } from './flood-guard.ts'
import { installListenerRegister, type ListenerEvents } from './listener-register.ts'
import { observeFrame } from './observe-frame.ts'
import { createPaintCollector } from './paint.ts'
import { plain } from './plain.ts'
import { createSettling } from './settle.ts'
import { createTextCollector } from './text.ts'
import { createWalk } from './walk.ts'

/** Characters of each kind of text of one state. */
const LONGEST_TEXT = 200_000

const BRIDGE_CAPS: BridgeCaps = { payload_length: 1_000_000, calls: 1000 }
const FLOOD_CAPS: FloodCaps = { console_calls: 300, errors: 100, message_length: 2000 }

/** A call of a function as source text. Bundlers may wrap named functions in a helper called `__name`. */
function call(fn: { toString(): string }, ...values: readonly unknown[]): string {
  return `(${fn.toString()})(${values.map((value) => JSON.stringify(value)).join(', ')})`
}

/** Source of what runs in the page's own world before any of its scripts. */
export function pageWorldScript(bindingName: string, events: ListenerEvents): string {
  const parts = [call(installBridge, bindingName, BRIDGE_CAPS), call(installFloodGuard, FLOOD_CAPS), call(installListenerRegister, events)]
  return `(() => { const __name = (fn) => fn; ${parts.map((part) => `try { ${part} } catch {}`).join(';\n')} })()`
}

/** Source of what runs in the observer's isolated world; it leaves `observeFrame(selectors)`, `settleFrame(quietMs, mostMs)` and `restFrame(ms)` there. */
export function observerWorldScript(events: ListenerEvents): string {
  return `(() => {
  const __name = (fn) => fn
  const parts = {
    plain: ${plain.toString()},
    createWalk: ${createWalk.toString()},
    createTextCollector: ${createTextCollector.toString()},
    createControlCollector: ${createControlCollector.toString()},
    createPaintCollector: ${createPaintCollector.toString()},
  }
  const observe = ${observeFrame.toString()}
  const { settle, rest } = (${createSettling.toString()})(parts.plain)
  globalThis.settleFrame = settle
  globalThis.restFrame = rest
  globalThis.observeFrame = (selectors) => observe(parts, ${JSON.stringify(events)}, ${LONGEST_TEXT}, selectors)
})()`
}
