import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineForTests, GOOD_APP, payloadsOf, requestFor, CLICK_BUTTON } from './engine-under-test.ts'

const BAD = `<!doctype html><html><body><img src="data:,"><input><button></button><script>
  window.touched = 0
  new MutationObserver(() => { window.touched += 1 }).observe(document, { subtree: true, childList: true, attributes: true })
  document.querySelector('button').onclick = () => window.hermes.sendAction({ touched: window.touched })
</script></body></html>`

for (const webview of [{ kind: 'top' }, { kind: 'iframe', sandbox: ['allow-scripts'], csp: null }] as const) {
  test(`violations of an app are counted on request and nothing in it changes (webview ${webview.kind})`, async () => {
    const engine = await engineForTests({ webview })
    const [bad, good, unasked] = await Promise.all([
      engine.observe(requestFor(BAD, { accessibility: true, steps: CLICK_BUTTON })),
      engine.observe(requestFor(GOOD_APP.replace('<html>', '<html lang="en">'), { accessibility: true })),
      engine.observe(requestFor(BAD)),
    ])
    const found = bad.diagnostics.accessibility_violations
    assert.ok(found !== null && found >= 3, `${found}`)
    const ofGood = good.diagnostics.accessibility_violations
    assert.ok(ofGood !== null && ofGood < found, `${ofGood} against ${found}`)
    assert.equal(unasked.diagnostics.accessibility_violations, null)
    assert.deepEqual(payloadsOf(bad), [{ touched: 0 }])
  })
}

test('a page on which the count takes too long is observed all the same', async () => {
  const engine = await engineForTests()
  const heavy = `<!doctype html><body><script>document.body.innerHTML = '<p style="color:#888"><a href="#">text</a></p>'.repeat(8000)</script>`
  const outcome = await engine.observe(requestFor(heavy, { accessibility: true }))
  assert.equal(outcome.end, 'observed')
  assert.equal(outcome.diagnostics.accessibility_violations, null)
})
