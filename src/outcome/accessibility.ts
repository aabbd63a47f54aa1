import type { CDPSession } from 'playwright-core'
import { within } from './launch.ts'

const WORLD = 'genui-eval-accessibility'
/** A larger page would take seconds; whether it is counted must not depend on how fast the machine is. */
const MOST_ELEMENTS = 4000
const LIMIT_MS = 10_000

interface FrameTree {
  readonly frame: { readonly id: string }
  readonly childFrames?: readonly FrameTree[]
}

/**
 * Number of accessibility rules that the app's frame violates as it stands (axe-core, all its rules); null for a page of more than 4000 elements, or when it could not be told within 10 s.
 * Runs in an isolated world of its own and changes nothing. Never throws.
 * @param inFrame the app is in a frame of the page
 */
export async function accessibilityViolations(session: CDPSession, inFrame: boolean): Promise<number | null> {
  const counting = count(session, inFrame).catch(() => null)
  return (await within(counting, LIMIT_MS)) ? await counting : null
}

async function count(session: CDPSession, inFrame: boolean): Promise<number | null> {
  const { default: axe } = await import('axe-core/axe.min.js')
  const { frameTree }: { frameTree: FrameTree } = await session.send('Page.getFrameTree')
  const frameId = (inFrame ? frameTree.childFrames?.[0] : frameTree)?.frame.id
  if (frameId === undefined) return null
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD })
  const asked = { contextId, returnByValue: true, timeout: LIMIT_MS }
  const size = await session.send('Runtime.evaluate', {
    ...asked,
    expression: `Document.prototype.querySelectorAll.call(document, '*').length`,
  })
  const elements: unknown = size.result.value
  if (typeof elements !== 'number' || elements > MOST_ELEMENTS) return null
  const installed = await session.send('Runtime.evaluate', { ...asked, expression: `${axe.source}; true` })
  if (installed.exceptionDetails !== undefined) return null
  const ran = await session.send('Runtime.evaluate', {
    ...asked,
    expression: `axe.run(document.documentElement, { iframes: false, resultTypes: ['violations'] }).then((found) => found.violations.length)`,
    awaitPromise: true,
  })
  const violations: unknown = ran.result.value
  return typeof violations === 'number' ? violations : null
}
