/**
 * Draws the pictures of the README and of the documentation: `node test/report/picture.ts` writes `docs/pictures/` from a made-up run,
 * `node test/report/picture.ts RUN_FOLDER` the README's two from a real one (`.genui-eval/demo-regressed`).
 * The comment is rendered with GitHub's Markdown style, the report as a reader's browser shows it.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import type { Results } from '../../src/model/results.ts'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { commentBody } from '../../src/report/comment.ts'
import { htmlReport, type ReportMedia } from '../../src/report/html/report.ts'
import { asHtml } from './as-github.ts'
import { regressed } from './fixtures/runs.ts'

const ROOT = new URL('../../', import.meta.url)
const PICTURES = fileURLToPath(new URL('docs/pictures/', ROOT))

/** GitHub has an emoji font; a build machine may not. */
const CIRCLES: Readonly<Record<string, string>> = {
  '🔴': '#dd2e44',
  '🟠': '#f4900c',
  '🟡': '#fdcb58',
  '🟢': '#78b159',
  '🔵': '#55acee',
  '⚪': '#e6e7e8',
  '⚫': '#31373d',
}

function withEmoji(html: string): string {
  return html.replace(
    /[🔴🟠🟡🟢🔵⚪⚫]/gu,
    (sign) => `<span style="color:${CIRCLES[sign] ?? 'gray'};font-size:1.25em;line-height:1">●</span>`,
  )
}

/** GitHub draws `> [!IMPORTANT]` as an alert. */
function withAlerts(html: string): string {
  return html.replace(
    /<blockquote>\s*<p>\[!IMPORTANT\]<\/p>([\s\S]*?)<\/blockquote>/u,
    '<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg class="octicon" width="16" height="16" viewBox="0 0 16 16"><path fill="currentColor" d="M1.75 1h12.5c.97 0 1.75.78 1.75 1.75v8.5c0 .97-.78 1.75-1.75 1.75H8l-3.3 2.8A.75.75 0 0 1 3.5 15v-2H1.75C.78 13 0 12.22 0 11.25v-8.5C0 1.78.78 1 1.75 1ZM8 4a.75.75 0 0 0-.75.75v2.5a.75.75 0 0 0 1.5 0v-2.5A.75.75 0 0 0 8 4Zm0 5a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z"/></svg>&nbsp;Important</p>$1</div>',
  )
}

function commentPage(body: string, dark: boolean): string {
  const css = readFileSync(
    fileURLToPath(
      dark
        ? import.meta.resolve('github-markdown-css/github-markdown-dark.css')
        : import.meta.resolve('github-markdown-css/github-markdown-light.css'),
    ),
    'utf8',
  )
  const [page, line, header] = dark ? ['#0d1117', '#3d444d', '#151b23'] : ['#fff', '#d1d9e0', '#f6f8fa']
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${css}
    body{margin:0;padding:20px;background:${page};font-family:-apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif}
    .box{max-width:900px;border:1px solid ${line};border-radius:6px;overflow:hidden}
    .who{background:${header};border-bottom:1px solid ${line};padding:9px 16px;font-size:14px;color:${dark ? '#9198a1' : '#59636e'}}
    .who b{color:${dark ? '#f0f6fc' : '#1f2328'}} .who span{border:1px solid ${line};border-radius:99px;padding:0 7px;font-size:12px;margin-left:4px}
    .markdown-body{padding:16px;background:transparent} @media (max-width:500px){body{padding:8px}}
  </style></head><body><div class="box"><div class="who"><b>github-actions</b> <span>bot</span> commented now</div><div class="markdown-body">${withAlerts(withEmoji(asHtml(body)))}</div></div></body></html>`
}

async function shoot(browser: Browser, html: string, name: string, width: number, dark: boolean, most: number | null): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  await page.setContent(html, { waitUntil: 'load' })
  await page.addStyleTag({ content: '.task{content-visibility:visible!important}' })
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  // Pictures are loaded when they come into view.
  await page.setViewportSize({ width, height: Math.min(height, most ?? height) })
  await page.waitForTimeout(600)
  await page.screenshot({
    path: `${PICTURES}${name}.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(height, most ?? height) },
  })
  await context.close()
}

async function pngOf(browser: Browser, file: string): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.route('**/*', async (route) => route.abort())
  await page.setContent(readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8'), { waitUntil: 'domcontentloaded' })
  await page.waitForTimeout(300)
  const bytes = await page.screenshot()
  await page.close()
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** The regressed run with pictures of real apps: a reference as the baseline, a trap as what the build now makes. */
export async function reportWithMedia(browser: Browser, results: Results): Promise<string> {
  const apps = { hitl_reg_01: 'invented-files.html', sim_reg_01: 'dead-sliders.html' }
  const baselineScreenshots: Record<string, readonly string[]> = {}
  const screenshots: Record<string, string> = {}
  const documents: Record<string, string> = {}
  const transcripts: Record<string, ReportMedia['transcripts'][string]> = {}
  for (const [id, trap] of Object.entries(apps)) {
    baselineScreenshots[id] = [await pngOf(browser, `tasks/${id}/reference.html`)]
    const head = await pngOf(browser, `tasks/${id}/traps/${trap}`)
    const html = readFileSync(fileURLToPath(new URL(`tasks/${id}/traps/${trap}`, ROOT)), 'utf8')
    const prompt = results.tasks.find((task) => task.task_id === id)?.user_prompt ?? ''
    for (const trial of results.trials.filter((each) => each.task_id === id)) {
      for (const path of trial.screenshots.slice(0, trial.index === 0 ? 2 : 1)) screenshots[path] = head
      documents[trial.trial_id] = html
      transcripts[trial.trial_id] = {
        messages: [
          { role: 'system', content: 'You are Hermes.' },
          { role: 'user', content: prompt },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', name: 'execute_command', arguments: '{"command":"ls -la ~/Downloads"}' }],
          },
          { role: 'tool', tool_call_id: 'c1', name: 'execute_command', content: 'cache.tar 1.4G\nnode_modules.zip 380M' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c2', name: 'render_micro_app', arguments: JSON.stringify({ title: 'Cleanup', html }) }],
          },
          { role: 'assistant', content: 'I made you an app.' },
        ],
        tool_calls: [
          {
            id: 'c1',
            name: 'execute_command',
            args: { command: 'ls -la ~/Downloads' },
            result: 'cache.tar 1.4G\nnode_modules.zip 380M',
            status: 'ok',
            ms: 4,
          },
          { id: 'c2', name: 'render_micro_app', args: { html }, result: '{"status":"rendered"}', status: 'ok', ms: 31 },
        ],
        final_text: 'I made you an app.',
        tools_offered: ['execute_command', 'read_file', 'render_micro_app'],
      }
    }
  }
  const callbackSchemas = {
    sim_reg_01: {
      type: 'object',
      required: ['action', 'selected_option'],
      properties: { action: { type: 'string' }, selected_option: { type: 'string' } },
    },
  }
  return htmlReport(results, { screenshots, transcripts, apps: documents, baselineScreenshots, callbackSchemas })
}

async function main(): Promise<void> {
  mkdirSync(PICTURES, { recursive: true })
  const browser = await chromium.launch({
    executablePath: locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null }),
  })
  try {
    const [runFolder] = process.argv.slice(2)
    if (runFolder !== undefined) {
      const report = readFileSync(`${runFolder}/report.html`, 'utf8')
      await shoot(browser, commentPage(readFileSync(`${runFolder}/comment.md`, 'utf8'), false), 'demo-comment', 940, false, 900)
      await shoot(browser, report, 'demo-report', 1280, false, 1400)
      return
    }
    const artifacts = 'https://github.com/acme/plugin/actions/runs/77/artifacts'
    const links = {
      run: 'https://github.com/acme/plugin/actions/runs/77',
      report: `${artifacts}/1`,
      screenshots: `${artifacts}/2`,
      results: `${artifacts}/3`,
    }
    const { body } = commentBody(regressed(), { marker: 'genui-eval-action', links })
    const unfolded = body.replace('<details>\n<summary><code>sim_reg_01', '<details open>\n<summary><code>sim_reg_01')
    for (const dark of [false, true]) {
      const theme = dark ? '-dark' : ''
      await shoot(browser, commentPage(unfolded, dark), `comment${theme}`, 940, dark, null)
      await shoot(browser, commentPage(body, dark), `comment-phone${theme}`, 390, dark, 1800)
      const report = await reportWithMedia(browser, regressed())
      await shoot(browser, report, `report${theme}`, 1280, dark, 2600)
      await shoot(browser, report, `report-phone${theme}`, 390, dark, 3000)
    }
  } finally {
    await browser.close()
  }
}

if (import.meta.main) await main()
