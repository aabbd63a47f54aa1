import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { openBrowserEngine, type BrowserEngine } from '../../../src/outcome/engine.ts'
import { CLICK_BUTTON, GOOD_APP, payloadsOf, requestFor } from '../engine-under-test.ts'
import { browserMemory, type BrowserMemory } from './browser-memory.ts'
import type { BrowserUnderTest } from './browsers.ts'
import type { Corpus } from './corpus.ts'
import type { HostilePage } from './hostile-page.ts'

const PAGE_SECONDS = 12
/** A budget is stretched to so many times its length when the machine is held up, and a page with neighbours may be looked at once more, alone. */
const LONGEST_MS = 2 * (4 * PAGE_SECONDS + 20) * 1000
/** What a browser may keep: caches of its own, and a process that it holds ready. */
const KEPT_MB = 150
const KEPT_RENDERERS = 2
/** Pages are gone at once, but a busy machine frees their memory when it gets to it. */
const FREED_WITHIN_MS = 60_000

/**
 * Every hostile page ends in a verdict, the good app graded after it passes, and the browser's memory returns to where it was. Two pages at a time in one browser.
 * HOSTILE_ONLY=text leaves the pages whose name contains it.
 */
export function proveHostilePages({ name, executablePath }: BrowserUnderTest, corpus: Corpus): void {
  const only = process.env['HOSTILE_ONLY']
  describe(`hostile pages in ${name}`, () => {
    let engine: BrowserEngine | null = null
    let atFirst: BrowserMemory | null = null
    const opened = (): BrowserEngine => {
      if (engine === null) throw new Error('the browser did not start')
      return engine
    }
    before(async () => {
      engine = await openBrowserEngine({ executablePath, network: { kind: 'mirror' }, webview: { kind: 'top' } })
      await goodAppPasses(engine)
      atFirst = await browserMemory()
    })
    after(async () => await engine?.close())

    for (const [kind, all] of Object.entries(corpus)) {
      const pages = all.filter(({ id }) => only === undefined || id.includes(only))
      if (pages.length === 0) continue
      describe(kind, { concurrency: 2 }, () => {
        for (const page of pages)
          test(page.id, async (context) => {
            await endsInVerdict(context, opened(), page)
            await goodAppPasses(opened())
          })
      })
      test(`memory after ${kind}`, async (context) => {
        await goodAppPasses(opened())
        await memoryReturns(context, atFirst)
      })
    }
  })
}

async function endsInVerdict(context: TestContext, engine: BrowserEngine, page: HostilePage): Promise<void> {
  const began = performance.now()
  const limits = { explorer_steps: 5, page_seconds: PAGE_SECONDS }
  const outcome = await engine.observe(requestFor(page.html, { steps: [...CLICK_BUTTON], limits }))
  const took = performance.now() - began
  context.diagnostic(`${outcome.end} after ${Math.round(took)} ms ${outcome.end_detail}`)
  assert.ok(page.ends.includes(outcome.end), `${outcome.end}: ${outcome.end_detail}`)
  assert.ok(took < LONGEST_MS, `it took ${Math.round(took)} ms`)
  if (page.sends === true) assert.deepEqual(payloadsOf(outcome).at(-1), { sent: true })
  assert.ok(outcome.bridge_calls.length <= 1000 && outcome.script_errors.length <= 50)
  assert.ok(outcome.dialogs.length <= 50 && outcome.requests.length <= 200)
}

async function goodAppPasses(engine: BrowserEngine): Promise<void> {
  const good = await engine.observe(requestFor(GOOD_APP, { steps: [...CLICK_BUTTON] }))
  assert.equal(good.end, 'observed', `the good app: ${good.end_detail}`)
  assert.deepEqual(payloadsOf(good), [{ action: 'apply', amount: 10 }])
}

async function memoryReturns(context: TestContext, atFirst: BrowserMemory | null): Promise<void> {
  if (atFirst === null) return context.skip('this system does not tell the memory of a process')
  const began = performance.now()
  for (;;) {
    const now: BrowserMemory | null = await browserMemory()
    const told: string = `${now?.megabytes.toFixed(0)} MB and ${now?.renderers} renderers, at first ${atFirst.megabytes.toFixed(0)} MB and ${atFirst.renderers}`
    if (now !== null && now.megabytes <= atFirst.megabytes + KEPT_MB && now.renderers <= atFirst.renderers + KEPT_RENDERERS)
      return context.diagnostic(told)
    if (performance.now() - began > FREED_WITHIN_MS) assert.fail(told)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
