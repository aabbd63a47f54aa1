import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { NetworkPolicy, Webview } from '../model/config.ts'
import type { BridgeCall, ObservedState, Outcome } from '../model/outcome.ts'
import { accessibilityViolations } from './accessibility.ts'
import { pageWorldScript, observerWorldScript } from './in-page/page-scripts.ts'
import { within } from './launch.ts'
import { serveDocument, type Served } from './network-policy.ts'
import { FrameWorlds, OBSERVER_WORLD } from './frame-worlds.ts'
import { joinFrames, sameView } from './observed-state.ts'
import type { PageBudget } from './page-budget.ts'
import { BrowserDied, PageEnded, PageWatch } from './page-end.ts'
import { ScriptErrorLog } from './script-errors.ts'
import type { PageSession } from './session.ts'
import { answerOf } from './silence.ts'

/** How a micro-app is to be opened. */
export interface AppPagePlan {
  readonly html: string
  readonly network: NetworkPolicy
  readonly webview: Webview
  readonly selectors: Readonly<Record<string, readonly string[]>>
  /** Null takes no screenshots. */
  readonly screenshotFolder: string | null
  readonly budget: PageBudget
}

export const VIEWPORT = { width: 1280, height: 800 } as const
const OPEN_LIMIT_MS = 20_000
const CLOSE_LIMIT_MS = 3000
const SCREENSHOT_LIMIT_MS = 3000
const OVERRUN_MS = 3000
const QUIET_MS = 100
const SETTLE_LIMIT_MS = 2000
/** Waits in a row for a page that goes on asking for things. */
const MOST_SETTLINGS = 3
/** A page that never rests (a clock, an animation) is not waited for that long again and again. */
const RESTLESS_LIMIT_MS = 400
const MOST_BRIDGE_CALLS = 1000
const LARGEST_PAYLOAD_BYTES = 1_000_000
const MOST_DIALOGS = 50
const MOST_SCREENSHOTS = 20

/** One micro-app in a browser context of its own. Create with `openAppPage`. */
export class AppPage implements PageSession {
  readonly page: Page
  readonly devtools: CDPSession
  readonly watch: PageWatch
  readonly errors: ScriptErrorLog
  readonly bridgeCalls: BridgeCall[] = []
  readonly states: ObservedState[] = []
  readonly dialogs: Outcome['dialogs'][number][] = []
  currentStep = 0
  /** Whether states are photographed from now on. */
  pictures = true
  settleMs = 0
  /** The browser painted no frame when last asked: its next pages may suffer too. */
  frameless = false
  private readonly context: BrowserContext
  private readonly plan: AppPagePlan
  private readonly served: Served
  private readonly worlds: FrameWorlds
  private readonly startedAt = performance.now()
  private restless = 0
  private screenshots = 0

  constructor(context: BrowserContext, page: Page, session: CDPSession, plan: AppPagePlan, served: Served, bindingName: string) {
    this.context = context
    this.page = page
    this.devtools = session
    this.plan = plan
    this.served = served
    this.worlds = new FrameWorlds(session)
    this.watch = new PageWatch(page, session)
    this.errors = new ScriptErrorLog(
      session,
      page,
      () => this.currentStep,
      () => served.log.blocked,
    )
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === bindingName) this.receive(payload)
    })
    page.on('dialog', (dialog) => {
      if (this.dialogs.length < MOST_DIALOGS)
        this.dialogs.push({ type: dialog.type(), message: dialog.message().slice(0, 500), step: this.currentStep })
      dialog.accept(dialog.type() === 'prompt' ? dialog.defaultValue() : undefined).catch(() => undefined)
    })
  }

  get requests(): Outcome['requests'] {
    return this.served.log.requests
  }

  remainingMs(): number {
    return this.plan.budget.remainingMs()
  }

  /** Opens the document and waits until it has settled. */
  async load(): Promise<void> {
    const began = performance.now()
    await this.watch.guard(this.page.goto(this.served.url, { waitUntil: 'commit', timeout: OPEN_LIMIT_MS }))
    if (!(await this.watch.guard(this.worlds.ready(OPEN_LIMIT_MS)))) throw new Error('the observer did not get into the page')
    await this.settle()
    this.settleMs = performance.now() - began
  }

  async settle(): Promise<void> {
    const { log } = this.served
    for (let rounds = 0; rounds < MOST_SETTLINGS; rounds += 1) {
      const { answered } = log
      const most = Math.min(this.restless >= 2 ? RESTLESS_LIMIT_MS : SETTLE_LIMIT_MS, Math.max(QUIET_MS, this.remainingMs()))
      const settled = await this.watch.guard(this.worlds.settle(QUIET_MS, most))
      this.plan.budget.note(settled)
      this.restless = settled.quiet ? 0 : this.restless + 1
      this.frameless = !settled.frames
      // What was asked for meanwhile may change the page once it has come; how soon that is says more about us than about the page.
      if (log.answered === answered && log.pending === 0) return
      for (let waited = 0; log.pending > 0 && waited < SETTLE_LIMIT_MS; waited += 50) await this.rest(50)
    }
  }

  async rest(ms: number): Promise<void> {
    this.plan.budget.note(await this.watch.guard(this.worlds.rest(ms)))
  }

  async observe(label: string): Promise<ObservedState> {
    const frames = await this.watch.guard(this.worlds.observe(this.plan.selectors))
    const view = joinFrames(frames, Object.keys(this.plan.selectors))
    const last = this.states.at(-1)
    const index = this.states.length
    const screenshot = last !== undefined && sameView(last, view) ? last.screenshot : await this.screenshot(index)
    const state: ObservedState = { index, label, ...view, screenshot }
    this.states.push(state)
    return state
  }

  /**
   * `work` done on the page, or the reason why the page ended. The budget may be overrun by 3 s, for the work to end by itself.
   * @throws PageEnded, BrowserDied
   */
  async drive<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const timeUp = new Promise<never>((_resolve, reject) => {
      const look = (overrun: boolean): void => {
        const left = this.remainingMs()
        if (left <= 0 && overrun) reject(new PageEnded('js_hang', 'the page was too slow to be driven within its time'))
        else timer = setTimeout(look, left + OVERRUN_MS, true)
      }
      look(false)
    })
    try {
      return await this.watch.guard(Promise.race([work, timeUp]))
    } finally {
      clearTimeout(timer)
    }
  }

  /** Accessibility rules violated just now; null when it could not be told. */
  async accessibilityViolations(): Promise<number | null> {
    return await this.watch.guard(accessibilityViolations(this.devtools, this.plan.webview.kind === 'iframe'))
  }

  /** Throws what ended the page, if it did: a page that fell silent a moment ago is given the time to answer. */
  async ping(): Promise<void> {
    const asked = this.devtools.send('Runtime.evaluate', { expression: '1', returnByValue: true })
    // A document that is being replaced refuses the question; that is an answer too.
    await this.watch.guard(asked.catch(() => null))
  }

  /** Says whether it closed cleanly: a browser that keeps a page after 3 s (see `Silence`), or paints no more, is not fit for the next. */
  async close(): Promise<boolean> {
    this.watch.stop()
    const closing = this.context.close().catch(() => undefined)
    const closed = await answerOf(this.page.context().browser(), CLOSE_LIMIT_MS, closing)
    return closed !== null && !this.frameless
  }

  private async screenshot(index: number): Promise<string | null> {
    const folder = this.plan.screenshotFolder
    if (folder === null || !this.pictures || this.screenshots >= MOST_SCREENSHOTS || this.frameless) return null
    const taking = this.devtools.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
    const answer = await this.watch.guard(
      answerOf(
        this.page.context().browser(),
        SCREENSHOT_LIMIT_MS,
        taking.catch(() => null),
      ),
    )
    if (answer === null) this.frameless = true
    const taken = answer?.value ?? null
    if (taken === null) return null
    this.screenshots += 1
    const name = `step-${String(index).padStart(3, '0')}.png`
    await writeFile(path.join(folder, name), Buffer.from(taken.data, 'base64'))
    return name
  }

  private receive(message: string): void {
    if (this.bridgeCalls.length >= MOST_BRIDGE_CALLS) return
    const stamp = { t_ms: Math.round(performance.now() - this.startedAt), step: this.currentStep }
    const bytes = Buffer.byteLength(message)
    if (bytes > LARGEST_PAYLOAD_BYTES + 100) {
      this.bridgeCalls.push({ ok: false, ...stamp, reason: `payload of ${bytes} bytes is over the limit of ${LARGEST_PAYLOAD_BYTES}` })
      return
    }
    try {
      const call: { ok?: unknown; payload?: unknown; reason?: unknown } = JSON.parse(message)
      if (call.ok === true) this.bridgeCalls.push({ ok: true, ...stamp, payload: call.payload })
      else this.bridgeCalls.push({ ok: false, ...stamp, reason: String(call.reason).slice(0, 500) })
    } catch {
      // not written by our bridge: a page that found the binding in a fresh frame can call it, but not break us
    }
  }
}

/**
 * Opens a fresh context and page with the bridge and the observer in place; nothing is loaded yet.
 * @throws BrowserDied when the browser does not give one within 20 s.
 */
export async function openAppPage(browser: Browser, plan: AppPagePlan): Promise<AppPage> {
  const opening = open(browser, plan)
  if (!(await within(opening, OPEN_LIMIT_MS))) throw new BrowserDied('the browser opened no page within 20 s')
  try {
    return await opening
  } catch (error) {
    throw new BrowserDied(`the browser opened no page: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`, {
      cause: error,
    })
  }
}

async function open(browser: Browser, plan: AppPagePlan): Promise<AppPage> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    serviceWorkers: 'block',
    acceptDownloads: false,
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
  })
  const [page, served] = await Promise.all([context.newPage(), serveDocument(context, plan.html, plan.network, plan.webview)])
  context.on('page', (popup) => {
    popup.close().catch(() => undefined)
  })
  const session = await context.newCDPSession(page)
  const bindingName = `b${randomBytes(12).toString('hex')}`
  const events = { ask: `a${randomBytes(12).toString('hex')}`, tell: `t${randomBytes(12).toString('hex')}` }
  const app = new AppPage(context, page, session, plan, served, bindingName)
  await Promise.all([
    session.send('Page.enable'),
    session.send('Runtime.addBinding', { name: bindingName }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageWorldScript(bindingName, events) }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: observerWorldScript(events), worldName: OBSERVER_WORLD }),
    session.send('Runtime.enable'),
  ])
  return app
}
