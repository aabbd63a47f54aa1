import type { Page } from 'playwright-core'
import type { BridgeCall, ObservedState } from '../model/outcome.ts'

/**
 * One micro-app, loaded behind the walls and settled. The explorer drives it through this interface alone;
 * whoever holds a session may use Playwright locators (isolated world, real input) on `page`.
 */
export interface PageSession {
  readonly page: Page
  /** Bridge calls so far, in order (live). */
  readonly bridgeCalls: readonly BridgeCall[]
  /** Number of the step being performed; bridge calls and script errors are stamped with it. 0 during load. */
  currentStep: number
  /** Waits until the page is quiet: 2 frames and 100 ms without DOM mutation, 2 s at most. */
  settle(): Promise<void>
  /** Observes the present state (text, controls, selectors, screenshot) and appends it to the outcome's states. */
  observe(label: string): Promise<ObservedState>
  /** Milliseconds left of the page's budget. */
  remainingMs(): number
}
