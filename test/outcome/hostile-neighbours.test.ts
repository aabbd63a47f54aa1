import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from '../../src/outcome/launch.ts'
import type { ObservedState, Outcome } from '../../src/model/outcome.ts'
import { CLICK_BUTTON, engineForTests, payloadsOf, requestFor } from './engine-under-test.ts'

const engine = await engineForTests()

/** Leaves a mark wherever a page can leave one, and sends what marks of others it found. It stays open until its button has been pressed. */
const MARKER = `<!doctype html><p>app</p><button>Send</button><script>
  const found = []
  const heard = (where) => { if (!found.includes(where)) found.push(where) }
  const soon = (work) => Promise.race([work().catch(() => 0), new Promise((resolve) => setTimeout(resolve, 1500))])
  const channel = new BroadcastChannel('neighbours')
  channel.onmessage = () => heard('channel')
  const worker = new SharedWorker("data:text/javascript,let n=0;onconnect=(e)=>e.ports[0].postMessage(++n)", 'neighbours')
  worker.port.onmessage = ({ data }) => { if (data > 1) heard('shared worker') }
  if (localStorage.mark) heard('local storage')
  localStorage.mark = 1
  if (document.cookie.includes('mark')) heard('cookie')
  document.cookie = 'mark=1; max-age=9999'
  if (window.name) heard('window name')
  window.name = 'mark'
  const marks = [
    async () => { if ((await caches.keys()).length > 0) heard('cache'); await (await caches.open('mark')).put('/x', new Response('x')) },
    async () => { const d = await navigator.storage.getDirectory(); for await (const _ of d.keys()) heard('private files'); await d.getFileHandle('mark', { create: true }) },
    async () => { if ((await indexedDB.databases()).length > 0) heard('database'); await new Promise((r) => { const o = indexedDB.open('mark'); o.onsuccess = r }) },
    () => new Promise((done) => navigator.locks.request('mark', { ifAvailable: true }, (lock) => { if (lock === null) heard('lock'); done(0); return new Promise(() => 0) })),
  ]
  const all = Promise.all(marks.map(soon))
  document.querySelector('button').onclick = async () => { await all; channel.postMessage('x'); window.hermes.sendAction({ found }) }
</script>`

const marking = async (): Promise<Outcome> => await engine.observe(requestFor(MARKER, { steps: [...CLICK_BUTTON, ...CLICK_BUTTON] }))

function assertFoundNothing(outcome: Outcome): void {
  const payloads = payloadsOf(outcome)
  assert.ok(
    payloads.length > 0,
    `nothing was sent: ${outcome.end} ${outcome.end_detail} ${outcome.states.map((state: ObservedState) => state.label).join()}`,
  )
  for (const payload of payloads) assert.deepEqual(payload, { found: [] })
}

test('in one context they would: the marks are good', async () => {
  const launched = await launchBrowser(engine.executablePath)
  try {
    const context = await launched.browser.newContext()
    await context.route('https://app.hermes.test/', (route) => route.fulfill({ contentType: 'text/html', body: MARKER }))
    const openOne = async (): Promise<string[]> => {
      const page = await context.newPage()
      await page.addInitScript('window.sent = new Promise((done) => { window.hermes = { sendAction: done } })')
      await page.goto('https://app.hermes.test/')
      await page.click('button')
      return await page.evaluate(async () => (await (globalThis as unknown as { sent: Promise<{ found: string[] }> }).sent).found)
    }
    assert.deepEqual(await openOne(), [])
    assert.deepEqual((await openOne()).sort(), ['cache', 'cookie', 'database', 'local storage', 'lock', 'private files', 'shared worker'])
  } finally {
    await launched.close()
  }
})

test('two apps open at once neither hear nor find each other', async () => {
  for (const outcome of await Promise.all([marking(), marking()])) assertFoundNothing(outcome)
})

test('an app finds nothing that an earlier one left', async () => {
  assertFoundNothing(await marking())
})
