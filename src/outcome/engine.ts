import { InfraError } from '../model/errors.ts'
import type { NetworkPolicy, Webview } from '../model/config.ts'
import type { Outcome, OutcomeRequest } from '../model/outcome.ts'
import { openAppPage, type AppPagePlan } from './app-page.ts'
import { BrowserKeeper, type Lease } from './browser-keeper.ts'
import { locateBrowser } from './browser-location.ts'
import { observeApp, type Observation } from './observe-app.ts'
import { PageBudget } from './page-budget.ts'
import { BrowserDied } from './page-end.ts'
import { selectorAlternatives } from './selector-equivalents.ts'

export interface BrowserEngineOptions {
  /** Null looks in the usual places. */
  readonly executablePath: string | null
  /** Value of CHROME_BIN, when set; used when no path is given. */
  readonly chromeBin?: string | null
  /** Folders of PATH, where a browser may be found besides the usual places. */
  readonly commandFolders?: readonly string[]
  readonly network: NetworkPolicy
  readonly webview: Webview
  /** Told about relaunches and retries; one line each. */
  readonly log?: (line: string) => void
}

/** A Chromium behind walls that observes micro-apps. No page can end it. */
export interface BrowserEngine {
  readonly executablePath: string
  readonly name: string
  readonly version: string
  readonly major: number
  /**
   * Loads one document, drives it and says what was seen. May be called for several documents at once.
   * @throws InfraError (`browser_error`) when the browser failed twice.
   */
  observe(request: OutcomeRequest): Promise<Outcome>
  close(): Promise<void>
}

/**
 * Launches the browser and proves its walls.
 * @throws UserError when there is no browser; InfraError (`browser_error`) when it does not start or its walls leak.
 */
export async function openBrowserEngine(options: BrowserEngineOptions): Promise<BrowserEngine> {
  const executablePath = locateBrowser({
    explicitPath: options.executablePath,
    chromeBin: options.chromeBin ?? null,
    commandFolders: options.commandFolders ?? [],
  })
  const log = options.log ?? ((): void => undefined)
  const keeper = new BrowserKeeper(executablePath, log)
  await keeper.start()
  const version = keeper.version
  return {
    executablePath,
    name: /headless-shell/.test(executablePath) ? 'chromium-headless-shell' : /chrome/i.test(executablePath) ? 'chrome' : 'chromium',
    version,
    major: Number.parseInt(version, 10),
    observe: async (request) => await observeWithRetry(keeper, options, request, log),
    close: async () => await keeper.close(),
  }
}

async function observeWithRetry(
  keeper: BrowserKeeper,
  options: BrowserEngineOptions,
  request: OutcomeRequest,
  log: (line: string) => void,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const lease = attempt === 1 ? await keeper.lease() : await keeper.leaseAlone()
    let observation: Observation | null = null
    try {
      observation = await observeIn(lease, options, request)
    } catch (error) {
      if (!(error instanceof BrowserDied)) throw error
      if (attempt > 1) throw new InfraError('browser_error', `the browser failed twice on this page: ${error.message}`, { cause: error })
      log(`the browser failed (${error.message}); the page is tried once more in a new one`)
    } finally {
      lease.release(observation?.leftBrowserFit ?? false)
    }
    if (observation === null) continue
    // No frame was painted, and the page had neighbours: one of them may be to blame, so it is looked at once more, alone.
    if (observation.frameless && attempt === 1 && lease.wasDisturbed()) continue
    return observation.outcome
  }
}

async function observeIn(lease: Lease, options: BrowserEngineOptions, request: OutcomeRequest): Promise<Observation> {
  const selectors = Object.fromEntries(request.selectors.map((selector) => [selector, selectorAlternatives(selector)]))
  const plan: AppPagePlan = {
    html: request.html,
    network: options.network,
    webview: options.webview,
    selectors,
    screenshotFolder: request.screenshot_folder,
    budget: new PageBudget(request.limits.page_seconds),
  }
  return await observeApp(
    request,
    async (recorded) => await openAppPage(lease.browser, recorded ? plan : { ...plan, screenshotFolder: null }),
  )
}
