import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLICK_BUTTON, engineForTests, payloadsOf, requestFor } from './engine-under-test.ts'

const engine = await engineForTests()

async function rendered(html: string): Promise<string> {
  return (await engine.observe(requestFor(html))).states[0]?.text.rendered ?? ''
}

test('Chart.js from a CDN draws', async () => {
  const outcome = await engine.observe(
    requestFor(`<canvas id=c width=200 height=100></canvas><script src="https://cdn.jsdelivr.net/npm/chart.js@4.4.3/dist/chart.umd.min.js"></script>
    <script>new Chart(c, { type: 'bar', data: { labels: ['a'], datasets: [{ data: [3] }] }, options: { animation: false, responsive: false } })</script>`),
  )
  assert.deepEqual(
    outcome.requests.map(({ answer }) => answer),
    ['document', 'mirrored'],
  )
  assert.deepEqual(outcome.script_errors, [])
  assert.equal(outcome.states[0]?.painted, true)
})

for (const [name, html, expected] of [
  ['Tailwind Play v3', '<script src="https://cdn.tailwindcss.com"></script><p class="hidden">gone</p><p>stays</p>', 'stays'],
  [
    'Tailwind v4',
    '<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script><p class="hidden">gone</p><p>stays</p>',
    'stays',
  ],
  ['D3', '<p></p><script src="https://d3js.org/d3.v7.min.js"></script><script>d3.select("p").text(d3.sum([1,2]))</script>', '3'],
  ['Alpine', '<script defer src="https://unpkg.com/alpinejs@3.x.x/dist/cdn.min.js"></script><p x-data="{n:2}" x-text="n*2"></p>', '4'],
  [
    'Vue',
    '<div id=a>{{ 1 + 1 }}</div><script src="https://unpkg.com/vue@3/dist/vue.global.js"></script><script>Vue.createApp({}).mount("#a")</script>',
    '2',
  ],
  [
    'Vue as a module',
    '<div id=a>{{ 1 + 1 }}</div><script type=module>import { createApp } from "https://unpkg.com/vue@3/dist/vue.esm-browser.js"; createApp({}).mount("#a")</script>',
    '2',
  ],
  [
    'React with JSX',
    `<div id=a></div><script src="https://unpkg.com/react@18/umd/react.development.js"></script><script src="https://unpkg.com/react-dom@18/umd/react-dom.development.js"></script>
    <script src="https://unpkg.com/@babel/standalone/babel.min.js"></script><script type="text/babel">ReactDOM.createRoot(document.getElementById('a')).render(<b>{'react'}</b>)</script>`,
    'react',
  ],
] as const)
  test(`${name} from a CDN works`, async () => {
    assert.equal(await rendered(html), expected)
  })

test('with network "none" not even the mirror answers', async () => {
  const strict = await engineForTests({ network: { kind: 'none' } })
  const outcome = await strict.observe(requestFor('<script src="https://cdn.tailwindcss.com"></script><p>x</p>'))
  assert.deepEqual(
    outcome.requests.map(({ answer }) => answer),
    ['document', 'blocked'],
  )
})

test('navigation, forms and reload storms leave the app in place', async () => {
  const outcome = await engine.observe(
    requestFor(
      `<form action="https://elsewhere.example/"><input name=q></form><button>go</button><script>
      document.querySelector('button').onclick = () => { location.href = 'https://elsewhere.example/'; document.forms[0].submit(); setTimeout(() => hermes.sendAction('still here'), 50) }</script>`,
      { steps: [...CLICK_BUTTON] },
    ),
  )
  assert.deepEqual(payloadsOf(outcome), ['still here'])
  assert.equal(outcome.end, 'observed')
  const reloading = await engine.observe(requestFor('<p>again</p><script>location.reload()</script>'))
  assert.equal(reloading.end, 'observed')
  assert.ok(reloading.requests.length <= 200)
})

test('no window opens and the opener is told', async () => {
  const outcome = await engine.observe(
    requestFor(
      `<button>go</button><script>document.querySelector('button').onclick = () => hermes.sendAction(String(window.open('about:blank')))</script>`,
      { steps: [...CLICK_BUTTON] },
    ),
  )
  assert.deepEqual(payloadsOf(outcome), ['null'])
})

const FORM_APP = `<form><input name=a value=1><button>Send</button></form><script>document.forms[0].onsubmit = (e) => { e.preventDefault(); hermes.sendAction({ a: '1' }) }</script>`

test('a frame with allow-scripts alone drops the form, one with allow-forms sends it', async () => {
  const request = requestFor(FORM_APP, { steps: [...CLICK_BUTTON] })
  const bare = await engineForTests({ webview: { kind: 'iframe', sandbox: ['allow-scripts'], csp: null } })
  const outcome = await bare.observe(request)
  assert.deepEqual(payloadsOf(outcome), [])
  assert.equal(outcome.states[0]?.controls.length, 2)
  const roomy = await engineForTests({ webview: { kind: 'iframe', sandbox: ['allow-scripts', 'allow-forms'], csp: null } })
  assert.deepEqual(payloadsOf(await roomy.observe(request)), [{ a: '1' }])
})

test('the content security policy of a webview is obeyed', async () => {
  const guarded = await engineForTests({ webview: { kind: 'iframe', sandbox: ['allow-scripts'], csp: "script-src 'none'" } })
  const outcome = await guarded.observe(requestFor('<p>static</p><script>document.body.append("scripted")</script>'))
  assert.equal(outcome.states[0]?.text.rendered, 'static')
})
