import { test, type Locator } from '@playwright/test'
import { Ajv } from 'ajv'
import { publishedRows } from './published-rows.ts'

/** Longest wait for an element or a callback that does not come. A failed check is noted, not thrown: Playwright Test would start a new browser after each. */
const WAIT_MS = 1000
const CONTROLS = 'button, input, select, textarea, a[href]'
const ajv = new Ajv({ strict: false, validateFormats: false })

for (const row of publishedRows())
  test(row.task_id, async ({ page }, info) => {
    const { must_contain_strings = [], required_selectors = [], min_interactive_elements = 0 } = row.outcome_dom_assertions
    const failed: string[] = []
    const note = (ok: boolean, check: string): void => {
      if (!ok) failed.push(check)
    }
    const payloads: unknown[] = []
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.exposeFunction('recordPayload', (payload: unknown) => void payloads.push(payload))
    await page.addInitScript('window.hermes = { sendAction: async (p) => { await window.recordPayload(p); return { ok: true } } }')
    await page.route('**', (route) =>
      route.request().url() === 'https://app.hermes.test/' ? route.fulfill({ contentType: 'text/html', body: row.html }) : route.abort(),
    )
    await page.goto('https://app.hermes.test/')

    const text = await page.locator('body').innerText()
    for (const string of must_contain_strings) note(text.includes(string), `text ${string}`)
    for (const selector of required_selectors) note((await page.locator(selector).count()) > 0, `selector ${selector}`)
    note((await page.locator(CONTROLS).count()) >= min_interactive_elements, 'number of controls')
    for (const { action, selector, value = '' } of row.outcome_interaction_steps)
      await step(action, page.locator(selector).first(), value).catch(() => note(false, `step ${action} ${selector}`))
    if (payloads.length === 0) await page.waitForTimeout(WAIT_MS / 10)
    note(payloads.length > 0 && ajv.validate(row.expected_callback_schema, payloads[0]), 'callback')
    note(errors.length === 0, 'no errors')
    if (failed.length > 0) info.annotations.push({ type: 'failed', description: failed.join('; ') })
  })

async function step(action: string, target: Locator, value: string): Promise<void> {
  if (action === 'set_range' || action === 'fill') await target.fill(value, { timeout: WAIT_MS })
  else if (action === 'select') await target.selectOption(value, { timeout: WAIT_MS })
  else await target.click({ timeout: WAIT_MS })
}
