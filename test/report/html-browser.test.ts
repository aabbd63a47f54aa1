import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { htmlReport } from '../../src/report/html/report.ts'
import { regressed } from './fixtures/runs.ts'

/** An app that tries to get out, and says in its own document how that went. */
const prisoner = (outside: string): string => `<!doctype html><p id="said">still</p><script>
  document.querySelector('#said').textContent = 'ran'
  try { parent.document.title = 'taken' } catch (error) { document.title = error.name }
  fetch('${outside}').catch(() => null)
  new Image().src = '${outside}pixel'
  try { top.location = '${outside}' } catch { /* refused */ }
  setTimeout(() => { location = '${outside}frame' }, 1500)
</script>`

describe('HTML report in a browser, from a file', () => {
  let browser: Browser
  let folder: string
  let address: string
  const reached: string[] = []
  const outside = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*').end('reached')
  })
  before(async () => {
    await new Promise<void>((resolve) => {
      outside.listen(0, '127.0.0.1', resolve)
    })
    const bound = outside.address()
    assert.ok(bound !== null && typeof bound === 'object')
    folder = await mkdtemp(join(tmpdir(), 'report-'))
    const results = regressed()
    const apps = Object.fromEntries(results.trials.map((trial) => [trial.trial_id, prisoner(`http://127.0.0.1:${bound.port}/`)]))
    await writeFile(join(folder, 'report.html'), htmlReport(results, { screenshots: {}, transcripts: {}, apps }))
    address = pathToFileURL(join(folder, 'report.html')).href
    browser = await chromium.launch({ executablePath: locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null }) })
  })
  after(async () => {
    await browser.close()
    outside.close()
    await rm(folder, { recursive: true })
  })

  async function open(page: Page, fragment = ''): Promise<{ readonly errors: string[]; readonly requests: string[] }> {
    const errors: string[] = []
    const requests: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${address}${fragment}`)
    return { errors, requests }
  }

  test('filters, keyboard and links to a trial work; nothing is fetched', async () => {
    const page = await browser.newPage()
    const seen = await open(page, '#trial-study_reg_01-head-1')
    assert.ok(await page.locator('#trial-study_reg_01-head-1').evaluate((trial) => trial instanceof HTMLDetailsElement && trial.open))
    await page.keyboard.press('/')
    await page.keyboard.type('invalid_callback')
    assert.equal(await page.locator('#f-count').textContent(), '1 of 10 tasks')
    assert.deepEqual(await page.locator('.tasks tbody tr:visible .name a').allTextContents(), ['sim_reg_01'])
    await page.keyboard.press('Escape')
    await page.selectOption('#f-category', 'negative_control')
    assert.equal(await page.locator('.task:visible').count(), 4)
    await page.locator('#f-clear').click()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    assert.equal(await page.locator('.task.current').getAttribute('data-task'), 'hitl_reg_01')
    await page.keyboard.press('o')
    assert.ok(await page.locator('.task.current').evaluate((task) => task instanceof HTMLDetailsElement && !task.open))
    assert.deepEqual(seen.errors, [])
    assert.deepEqual(
      seen.requests.filter((url) => !url.startsWith('file:')),
      [],
    )
    await page.close()
  })

  test('an app that is run stays in its frame, without origin and without network', async () => {
    const page = await browser.newPage()
    const seen = await open(page, '#trial-hitl_reg_01-head-0')
    const app = page.locator('#trial-hitl_reg_01-head-0 .app')
    await app.locator('summary').first().click()
    const said = app.frameLocator('iframe').locator('#said')
    assert.equal(await said.textContent(), 'still')
    await app.locator('.run').click()
    await app.frameLocator('iframe').locator('#said', { hasText: 'ran' }).waitFor({ timeout: 5000 })
    await page.waitForTimeout(2200)
    assert.ok((await page.title()).startsWith('Regression'))
    assert.equal(page.url().startsWith('file:'), true)
    assert.ok(
      seen.requests.some((url) => url.endsWith('/pixel')),
      'it tried',
    )
    assert.deepEqual(reached, [])
    await page.close()
  })

  test('without scripts the evidence can be read and nothing useless is shown', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await open(page)
    assert.equal(await page.locator('.tools').isVisible(), false)
    assert.equal(await page.getByRole('heading', { level: 1 }).isVisible(), true)
    await page.locator('#task-study_reg_01 > summary').click()
    await page.locator('#trial-study_reg_01-head-0 > summary').click()
    assert.ok(await page.locator('#trial-study_reg_01-head-0 .checks').first().isVisible())
    await context.close()
  })

  test('no sideways scrolling at 390 and 1280 pixels, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1280]) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
        await open(page)
        await page.keyboard.press('x')
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(overflow <= 0, `${overflow} pixels too wide at ${width}`)
        await page.close()
      }
    }
  })
})
