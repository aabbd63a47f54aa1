import type { Browser } from 'playwright-core'
import { openAppPage } from '../../../src/outcome/app-page.ts'
import { launchBrowser, type Walls } from '../../../src/outcome/launch.ts'
import { PageBudget } from '../../../src/outcome/page-budget.ts'
import { scriptOf, type Door } from './doors.ts'

/** Ways tried beside each other in one page. */
const WAYS_A_PAGE = 24
const PAGES_AT_ONCE = 4
/** A page is left open while further ways of it arrive, and this long after the last; one of whose ways nothing arrives is given longer. */
const QUIET_MS = 800
const NOTHING_MS = 3000
const LONGEST_MS = 15_000
const APP_URL = 'https://app.hermes.test/'

export const NO_WALLS: Walls = { resolver: false, proxy: false, webrtc: false }

/** How a batch of pages is tried. */
export interface Trial {
  readonly executablePath: string
  readonly browserArguments: readonly string[]
  readonly walls: Walls
  /** With the engine's own page (requests intercepted, popups closed …), or in a bare page behind the command line's walls alone. */
  readonly page: 'of the engine' | 'bare'
}

/** Milliseconds that each page was left open, by its first script. */
export type Dwell = Map<string, number>

/** Groups doors into pages: ways that replace the document each have a page of their own. */
export function pagesOf(doors: readonly Door[]): Door[][] {
  const pages: Door[][] = doors.filter(({ way }) => way.alone === true).map((door) => [door])
  const together = doors.filter(({ way }) => way.alone !== true)
  for (let at = 0; at < together.length; at += WAYS_A_PAGE) pages.push(together.slice(at, at + WAYS_A_PAGE))
  return pages
}

/**
 * Tries every way in one browser; what arrived is at the doors when it returns, since the browser is gone by then and loopback delivers at once.
 * @param dwell how long each page stayed open in an earlier run, which this one stays open too; a page that is not in it stays open until nothing more arrives, and is put into it
 */
export async function tryWays(doors: readonly Door[], trial: Trial, dwell: Dwell): Promise<void> {
  for (const door of doors) door.arrived.length = 0
  const launched = await launchBrowser(trial.executablePath, trial.browserArguments, trial.walls)
  try {
    const waiting = pagesOf(doors)
    const worker = async (): Promise<void> => {
      for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) await tryPage(launched.browser, page, trial, dwell)
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
  } finally {
    await launched.close()
  }
}

async function tryPage(browser: Browser, doors: readonly Door[], trial: Trial, dwell: Dwell): Promise<void> {
  const html = `<!doctype html><body><p>page</p>${doors.map((door) => `<script>${scriptOf(door).replaceAll('</script', '<\\/script')}</script>`).join('')}`
  const key = `${doors[0]?.way.id ?? ''} ${doors[0]?.host ?? ''}`
  const stay = async (): Promise<void> => {
    const known = dwell.get(key)
    if (known === undefined) dwell.set(key, await untilQuiet(doors))
    else await wait(known)
  }
  if (trial.page === 'of the engine') {
    const app = await openAppPage(browser, {
      html,
      network: { kind: 'mirror' },
      webview: { kind: 'top' },
      selectors: {},
      screenshotFolder: null,
      budget: new PageBudget(30),
    })
    await app.load()
    await stay()
    const state = await app.observe('settled')
    if (!state.text.rendered.includes('page')) throw new Error(`the page with ${key} is gone: ${state.text.rendered.slice(0, 200)}`)
    await app.close()
  } else {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.route(APP_URL, (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto(APP_URL, { waitUntil: 'commit' })
    await stay()
    // What a page sends at its end is sent when it is closed by itself.
    await page.close()
    await context.close()
  }
}

async function untilQuiet(doors: readonly Door[]): Promise<number> {
  const began = performance.now()
  let seen = 0
  let last = began
  while (performance.now() - last < (seen > 0 ? QUIET_MS : NOTHING_MS) && performance.now() - began < LONGEST_MS) {
    // Doors, not knocks: what is refused is tried again and again.
    const now = doors.filter(({ arrived }) => arrived.length > 0).length
    if (now !== seen) last = performance.now()
    seen = now
    await wait(50)
  }
  return performance.now() - began
}

async function wait(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
