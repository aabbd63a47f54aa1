import type { CDPSession, Page } from 'playwright-core'
import type { PageEnd } from '../model/outcome.ts'
import { Silence } from './silence.ts'

/** The page ended its own observation. */
export class PageEnded extends Error {
  override readonly name = 'PageEnded'
  readonly end: Exclude<PageEnd, 'observed'>

  constructor(end: Exclude<PageEnd, 'observed'>, detail: string) {
    super(detail)
    this.end = end
  }
}

/** What we run in the page threw there: the page is so made that it cannot be looked at further. Its own doing, judged by what was seen so far. */
export class ProbeBroken extends Error {
  override readonly name = 'ProbeBroken'
}

/** The browser behind the page is gone or no longer answers: not the page's verdict. */
export class BrowserDied extends Error {
  override readonly name = 'BrowserDied'
}

const TICK_MS = 500
const HANG_MS = 5000

/**
 * Watches one page from outside: it must answer a trivial DevTools call within 5 s, keep its process and stay open.
 * Time in which this process or the page was held up by others is not held against the page.
 */
export class PageWatch {
  /** Resolves when the page or its browser ended; never rejects. */
  readonly ended: Promise<PageEnded | BrowserDied>
  private resolveEnded: (end: PageEnded | BrowserDied) => void = () => undefined
  private end: PageEnded | BrowserDied | null = null
  private timer: NodeJS.Timeout | null = null
  private silence: Silence | null = null
  private closing = false

  constructor(page: Page, session: CDPSession) {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
    page.on('crash', () => this.finish(new PageEnded('renderer_crash', 'the page’s process crashed')))
    page.on('close', () => {
      if (this.closing) return
      const died = page.context().browser()?.isConnected() !== true
      this.finish(died ? new BrowserDied('the browser is gone') : new PageEnded('renderer_crash', 'the page closed itself'))
    })
    this.schedule(page, session)
  }

  get reason(): PageEnded | BrowserDied | null {
    return this.end
  }

  /** From now on a closed page is what we want. */
  stop(): void {
    this.closing = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** `work`, or the reason why the page ended. */
  async guard<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined)
    if (this.end !== null) throw this.end
    const result = await Promise.race([work.then((value) => ({ value })), this.ended])
    if (result instanceof Error) throw result
    return result.value
  }

  private finish(end: PageEnded | BrowserDied): void {
    if (this.end !== null || this.closing) return
    this.end = end
    if (this.timer !== null) clearTimeout(this.timer)
    this.resolveEnded(end)
  }

  private schedule(page: Page, session: CDPSession): void {
    const due = performance.now() + TICK_MS
    this.timer = setTimeout(() => {
      const late = performance.now() - due - TICK_MS / 5
      if (late > 0) this.silence?.excuse(late)
      void this.look(page, session).then(() => {
        if (this.end === null && !this.closing) this.schedule(page, session)
      })
    }, TICK_MS)
  }

  private async look(page: Page, session: CDPSession): Promise<void> {
    const { silence } = this
    if (silence === null) return this.ask(page, session)
    if ((await silence.isOver()) && this.silence === silence)
      this.finish(new PageEnded('js_hang', `the page did not answer for ${HANG_MS / 1000} s: a script loops or the page is flooded`))
  }

  private ask(page: Page, session: CDPSession): void {
    this.silence = new Silence(page.context().browser(), HANG_MS)
    const answered = (): void => {
      this.silence = null
    }
    session.send('Runtime.evaluate', { expression: '1', returnByValue: true }).then(answered, answered)
  }
}
