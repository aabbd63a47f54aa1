import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CLICK_BUTTON, engineForTests, GOOD_APP, payloadsOf, requestFor } from './engine-under-test.ts'
import { HOSTILE_PAGES } from './hostile/pages.ts'

const PAGE_SECONDS = 12
/** Budget, the time to see a hang, closing by force, a new browser; and that twice, since a page with neighbours may be looked at once more, alone. */
const LONGEST_MS = 2 * (PAGE_SECONDS + 10) * 1000

const engine = await engineForTests()
const only = process.env['HOSTILE_ONLY']

describe('hostile pages, two at a time in one browser', { concurrency: 2 }, () => {
  for (const page of HOSTILE_PAGES.filter(({ id }) => only === undefined || id.includes(only)))
    test(`hostile page: ${page.id}`, async (context) => {
      const began = performance.now()
      const outcome = await engine.observe(
        requestFor(page.html, { steps: [...CLICK_BUTTON], limits: { explorer_steps: 5, page_seconds: PAGE_SECONDS } }),
      )
      const took = performance.now() - began
      context.diagnostic(`${outcome.end} after ${Math.round(took)} ms ${outcome.end_detail}`)
      assert.ok(page.ends.includes(outcome.end), `${outcome.end}: ${outcome.end_detail}`)
      assert.ok(took < LONGEST_MS, `it took ${Math.round(took)} ms`)
      if (page.sends === true) assert.deepEqual(payloadsOf(outcome).at(-1), { sent: true })
      assert.ok(
        outcome.bridge_calls.length <= 1000 &&
          outcome.script_errors.length <= 50 &&
          outcome.dialogs.length <= 50 &&
          outcome.requests.length <= 200,
      )

      const good = await engine.observe(requestFor(GOOD_APP, { steps: [...CLICK_BUTTON] }))
      assert.equal(good.end, 'observed')
      assert.deepEqual(payloadsOf(good), [{ action: 'apply', amount: 10 }])
    })
})
