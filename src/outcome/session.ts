import type { CDPSession, Page } from 'playwright-core'
import type { BridgeCall } from '../model/outcome.ts'

/**
 * One micro-app, loaded behind the walls and settled. The explorer drives it through this interface alone;
 * whoever holds a session may use Playwright locators (isolated world, real input) on `page`.
 */
export interface PageSession {
  readonly page: Page
  /** DevTools of the page. */
  readonly devtools: CDPSession
  /** Bridge calls so far, in order (live). */
  readonly bridgeCalls: readonly BridgeCall[]
  /** Number of the step being performed; bridge calls and script errors are stamped with it. 0 during load. */
  currentStep: number
  /** Waits until the page is quiet: 2 frames and 100 ms of its own time without DOM mutation, 2 s at most. */
  settle(): Promise<void>
  /** Lets the page run for so long, in ms of its own time: a page that is held up meanwhile gets as much longer. */
  rest(ms: number): Promise<void>
  /** Observes the present state (text, controls, selectors, screenshot) and appends it to the outcome's states, where there is an outcome. */
  observe(label: string): Promise<unknown>
  /** Milliseconds left of the page's budget; what the page was held up by a busy machine is given back. */
  remainingMs(): number
}
