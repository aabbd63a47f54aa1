import { existsSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import type { BridgeCall } from '../../../src/model/outcome.ts'
import { createSettling } from '../../../src/outcome/in-page/settle.ts'
import type { PageSession } from '../../../src/outcome/session.ts'

const ORIGIN = 'https://app.explorer.test/'
const SETTLE_MS = 2000

/** A session as small as the explorer needs: no walls, trusted fixtures only. */
export interface TestSession extends PageSession {
  readonly labels: string[]
  close(): Promise<void>
}

let browser: Promise<Browser> | undefined

export async function sharedBrowser(): Promise<Browser> {
  browser ??= import('playwright-core').then(({ chromium }) =>
    chromium.launch({ executablePath: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? '' }),
  )
  return await browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

export async function openTestSession(html: string): Promise<TestSession> {
  const context: BrowserContext = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const calls: BridgeCall[] = []
  const labels: string[] = []
  const started = Date.now()
  const session: TestSession = {
    page,
    devtools: await context.newCDPSession(page),
    bridgeCalls: calls,
    currentStep: 0,
    labels,
    settle: async () => {
      await page.evaluate(`(${createSettling.toString()})((node) => node).settle(100, ${SETTLE_MS})`)
    },
    rest: async (ms) => {
      await page.evaluate(`(${createSettling.toString()})((node) => node).rest(${ms})`)
    },
    observe: async (label) => {
      await Promise.resolve(labels.push(label))
    },
    remainingMs: () => Number.POSITIVE_INFINITY,
    close: async () => await context.close(),
  }
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
  await context.exposeBinding('reportToTest', (_source, json: string) => {
    calls.push({ ok: true, t_ms: Date.now() - started, step: session.currentStep, payload: JSON.parse(json) as unknown })
  })
  await context.addInitScript(() => {
    const report = (window as unknown as { reportToTest: (json: string) => Promise<void> }).reportToTest
    Object.defineProperty(window, 'hermes', {
      value: { sendAction: async (payload: unknown) => (await report(JSON.stringify(payload)), { ok: true }) },
    })
  })
  await context.route('**', async (route) => {
    if (route.request().url() === ORIGIN) await route.fulfill({ contentType: 'text/html', body: html })
    else await route.abort('aborted')
  })
  await page.goto(ORIGIN)
  await session.settle()
  return session
}
