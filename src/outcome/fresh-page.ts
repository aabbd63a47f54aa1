import type { CDPSession, Page } from 'playwright-core'
import type { BridgeCall } from '../model/outcome.ts'
import type { AppPage } from './app-page.ts'
import type { PageSession } from './session.ts'

/** A further page of the same app, for driving it otherwise; what it shows is not part of the outcome. */
export class FreshPage implements PageSession {
  private readonly app: AppPage
  private readonly onClosed: (clean: boolean) => void

  constructor(app: AppPage, onClosed: (clean: boolean) => void) {
    this.app = app
    this.onClosed = onClosed
  }

  get page(): Page {
    return this.app.page
  }
  get devtools(): CDPSession {
    return this.app.devtools
  }
  get bridgeCalls(): readonly BridgeCall[] {
    return this.app.bridgeCalls
  }
  get currentStep(): number {
    return this.app.currentStep
  }
  set currentStep(step: number) {
    this.app.currentStep = step
  }
  async settle(): Promise<void> {
    await this.app.settle()
  }
  async rest(ms: number): Promise<void> {
    await this.app.rest(ms)
  }
  /** Only what it sends is of interest. */
  async observe(): Promise<void> {}
  remainingMs(): number {
    return this.app.remainingMs()
  }
  async close(): Promise<void> {
    this.onClosed(await this.app.close())
  }
}
