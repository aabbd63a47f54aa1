// On a busy machine a page stands still now and then. What is found of it must not depend on that. Here its process is stopped by signals, as a scheduler does.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'
import { PageBudget } from '../../src/outcome/page-budget.ts'
import { openAppPage, type AppPage } from '../../src/outcome/app-page.ts'
import { explore, runDeclaredSteps } from '../../src/outcome/explorer/index.ts'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { launchBrowser } from '../../src/outcome/launch.ts'

const SKIP = process.platform === 'win32' ? 'there is no SIGSTOP' : false
/** Stopped for so long, then running for so long, ms, again and again: the page gets a tenth of the time. */
const PATTERN = [
  [110, 5],
  [190, 25],
  [140, 12],
  [170, 20],
]

const launched = await launchBrowser(locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null }))
after(async () => await launched.close())

async function renderers(session: CDPSession): Promise<number[]> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

/** Does something with a page whose process is stopped again and again meanwhile. */
async function stalled<T>(html: string, work: (app: AppPage) => Promise<T>): Promise<T> {
  const session = await launched.browser.newBrowserCDPSession()
  const before = new Set(await renderers(session))
  const app = await openAppPage(launched.browser, {
    html,
    network: { kind: 'none' },
    webview: { kind: 'top' },
    selectors: {},
    screenshotFolder: null,
    budget: new PageBudget(60),
  })
  const own = (await renderers(session)).filter((pid) => !before.has(pid))
  assert.ok(own.length > 0)
  const end = new AbortController()
  const stopAndGo = async (): Promise<void> => {
    for (let round = 0; !end.signal.aborted; round += 1) {
      const [stopped = 0, running = 0] = PATTERN[round % PATTERN.length] ?? []
      for (const pid of own) process.kill(pid, 'SIGSTOP')
      await sleep(stopped)
      for (const pid of own) process.kill(pid, 'SIGCONT')
      await sleep(running)
    }
  }
  const stops = stopAndGo()
  try {
    await app.load()
    return await work(app)
  } finally {
    end.abort()
    await stops
    await app.close()
    await session.detach()
  }
}

test('a page that stands still between two changes is not at rest', { skip: SKIP }, async () => {
  const page = `<p id=p>early</p><script>let n=0; const t=setInterval(()=>{ n+=1; p.textContent='late '+n; if(n===8) clearInterval(t) }, 60)</script>`
  for (let times = 0; times < 3; times += 1) {
    const state = await stalled(page, async (app) => await app.observe('settled'))
    assert.equal(state.text.rendered, 'late 8')
  }
})

/** Script that does something after about 320 ms of the page's own time. */
const later = (what: string): string => `(function later(left) { if (left > 0) setTimeout(later, 40, left - 1); else { ${what} } })(8)`

test('an effect that comes after a moment is seen', { skip: SKIP }, async () => {
  const page = `<button>Count</button><p id=p></p><script>document.querySelector('button').onclick = () => ${later("p.textContent = 'done'")}</script>`
  const [step] = await stalled(page, async (app) => await runDeclaredSteps(app, [{ action: 'click', selector: 'button' }]))
  assert.deepEqual([step?.status, step?.changed], ['done', true])
})

test('a control that appears after a moment is waited for, and a callback after the final press, too', { skip: SKIP }, async () => {
  const page = `<p>Wait</p><script>${later(`document.body.innerHTML = '<button>Send</button>'
    document.querySelector('button').onclick = () => setTimeout(() => hermes.sendAction({ action: 'sent' }), 240)`)}</script>`
  const calls = await stalled(page, async (app) => {
    const [step] = await runDeclaredSteps(app, [{ action: 'wait_for', selector: 'button' }])
    assert.equal(step?.status, 'done')
    await explore(app, { acceptsPayload: () => true, maxSteps: 3 })
    return app.bridgeCalls
  })
  assert.partialDeepStrictEqual(calls, [{ ok: true, payload: { action: 'sent' } }])
})
