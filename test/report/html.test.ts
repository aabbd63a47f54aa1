import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'parse5'
import { htmlReport, type ReportMedia } from '../../src/report/html/report.ts'
import type { Results } from '../../src/model/results.ts'
import { attribute, elements, textOf, type Node } from './as-github.ts'
import { HOSTILE, hostileResults } from './fixtures/hostile.ts'
import { healthy, inconclusive, manyTasks, regressed } from './fixtures/runs.ts'
import { matchesGolden } from './golden.ts'

const NO_MEDIA: ReportMedia = { screenshots: {}, transcripts: {}, apps: {} }
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const tree = (html: string): readonly Node[] => parse(html).childNodes

/** Style and script are constants with files of their own. */
function withoutConstants(html: string): string {
  return html.replace(/<style>.*?<\/style>/su, '<style>…</style>').replace(/<script>.*?<\/script>/su, '<script>…</script>')
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const ELEMENTS =
  'html head meta title style body a main header p b h1 h2 h3 h4 h5 span strong ul ol li code time section div svg line g circle rect table thead tbody tr th td details summary dl dt dd blockquote pre figure figcaption img iframe button form input select option output footer kbd dialog script'
const ATTRIBUTES =
  'lang class charset http-equiv content name href id aria-label aria-hidden role viewbox viewBox title x1 x2 y1 y2 x y width height cx cy r preserveAspectRatio scope data-task data-label open loading decoding alt src sandbox data-document type placeholder value hidden style datetime'

function assertOurs(html: string, why: string): void {
  const allowedElements = new Set(ELEMENTS.split(' '))
  const allowedAttributes = new Set(ATTRIBUTES.split(' '))
  const found = elements(tree(html))
  for (const element of found) {
    assert.ok(allowedElements.has(element.tagName), `<${element.tagName}> in ${why}`)
    for (const { name, value } of element.attrs) {
      assert.ok(allowedAttributes.has(name), `${name} in ${why}`)
      if (name === 'href') assert.match(value, /^#(?:tasks|task-[\w-]*)$/u, why)
      if (name === 'src') assert.match(value, /^data:image\/png;base64,/u, why)
      if (name === 'style') assert.equal(value, 'padding:18px 20px', why)
    }
    if (element.tagName === 'iframe') assert.equal(attribute(element, 'sandbox'), '', why)
  }
  assert.equal(found.filter((element) => element.tagName === 'script').length, 2, why)
  assert.equal(found.filter((element) => element.tagName === 'style').length, 1, why)
}

function mediaOf(results: Results, app: string): ReportMedia {
  const ids = results.trials.map((trial) => trial.trial_id)
  return {
    screenshots: Object.fromEntries(results.trials.flatMap((trial) => trial.screenshots.map((path) => [path, PIXEL]))),
    apps: Object.fromEntries(ids.map((id) => [id, app])),
    transcripts: Object.fromEntries(
      ids.map((id) => [
        id,
        {
          messages: [
            { role: 'user', content: app },
            { role: 'assistant', content: app, tool_calls: [{ id: 'c1', name: app, arguments: app }] },
            { role: 'tool', tool_call_id: 'c1', name: app, content: app },
          ],
          tool_calls: [{ id: 'c1', name: app, args: { [app]: app }, result: app, status: 'ok', ms: 3 }],
          final_text: app,
          tools_offered: [app],
        },
      ]),
    ),
    baselineScreenshots: Object.fromEntries(results.decision.tasks.map((task) => [task.task_id, [PIXEL]])),
    callbackSchemas: Object.fromEntries(results.decision.tasks.map((task) => [task.task_id, { type: app }])),
  }
}

describe('HTML report', () => {
  test('golden', () => {
    matchesGolden('report-regressed.html', withoutConstants(htmlReport(regressed(), NO_MEDIA)))
  })

  test('tells the verdict, every task and every trial without a script', () => {
    for (const results of [healthy(), regressed(), inconclusive()]) {
      const nodes = tree(htmlReport(results, NO_MEDIA))
      const [heading] = elements(nodes, 'h1')
      assert.ok(heading)
      assert.ok(textOf([heading]).includes(results.decision.reason.replace(/\.$/u, '')))
      const sections = elements(nodes, 'details').filter((each) => attribute(each, 'class')?.startsWith('task '))
      assert.deepEqual(
        sections.map((each) => attribute(each, 'data-task') ?? '').toSorted(byText),
        results.decision.tasks.map((task) => task.task_id).toSorted(byText),
      )
      const trials = elements(nodes, 'details').filter((each) => attribute(each, 'class')?.startsWith('trial '))
      assert.equal(trials.length, results.trials.length)
    }
  })

  test('rows of the table lead to sections that exist', () => {
    const nodes = tree(htmlReport(regressed(), NO_MEDIA))
    const ids = new Set(elements(nodes).map((element) => attribute(element, 'id')))
    const links = elements(nodes, 'a').map((link) => attribute(link, 'href'))
    assert.equal(links.length, 11)
    for (const link of links) assert.ok(ids.has(link?.slice(1) ?? ''), String(link))
  })

  test('fetches nothing: no address outside of the file, and a policy that forbids it', () => {
    const html = htmlReport(regressed(), mediaOf(regressed(), '<p>app</p>'))
    const policy = elements(tree(html), 'meta').find((each) => attribute(each, 'http-equiv') === 'Content-Security-Policy')
    assert.match(
      policy === undefined ? '' : (attribute(policy, 'content') ?? ''),
      /^default-src 'none';.*connect-src 'none'; frame-src 'none'; form-action 'none'/u,
    )
    assertOurs(html, 'addresses')
  })

  test('embeds every picture once, head beside baseline', () => {
    const results = regressed()
    const html = htmlReport(results, mediaOf(results, 'x'))
    const nodes = tree(html)
    const galleries = elements(nodes, 'div').filter((each) => attribute(each, 'class') === 'gallery pair')
    assert.equal(galleries.length, 10)
    const pictured = results.trials.reduce((sum, trial) => sum + trial.screenshots.length, 0)
    assert.equal(elements(nodes, 'figure').length, pictured + 10)
  })

  test('leaves media out by size and says so', () => {
    const results = manyTasks(30)
    const media = mediaOf(results, 'x'.repeat(2000))
    const whole = htmlReport(results, media)
    const small = htmlReport(results, media, 50_000)
    assert.ok(!whole.includes('left out'))
    assert.match(small, /To keep this file small, \d+ screenshots, \d+ transcripts, \d+ micro-apps are left out/u)
    assert.ok(small.length < whole.length - 200_000)
  })

  test('300 tasks stay below 5 MB without media', () => {
    assert.ok(htmlReport(manyTasks(), NO_MEDIA).length < 5_000_000)
  })

  for (const [index, text] of HOSTILE.entries()) {
    test(`attack ${index + 1}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      const results = hostileResults(text)
      const html = htmlReport(results, mediaOf(results, text))
      assertOurs(html, JSON.stringify(text))
      const frames = elements(tree(html), 'iframe')
      assert.equal(frames.length, results.trials.length === 0 ? 0 : new Set(results.trials).size)
      // The document of an app must arrive as it was, a lone surrogate and NUL apart, which no HTML file can hold.
      const expected = text.toWellFormed().replaceAll('\u0000', '\uFFFD').replaceAll('\r\n', '\n').replaceAll('\r', '\n')
      for (const frame of frames) assert.equal(attribute(frame, 'data-document'), expected)
    })
  }

  test('takes no picture that is not an image', () => {
    const results = regressed()
    const [trial] = results.trials
    assert.ok(trial)
    const path = trial.screenshots[0] ?? ''
    for (const bad of [
      'data:text/html,<script>alert(1)</script>',
      'https://evil.example/x.png',
      'data:image/png;base64,AAAA" onerror="x',
      'data:image/svg+xml;base64,AAAA',
    ]) {
      const html = htmlReport(results, { ...NO_MEDIA, screenshots: { [path]: bad } })
      assert.equal(elements(tree(html), 'figure').length, 0, bad)
    }
  })
})
