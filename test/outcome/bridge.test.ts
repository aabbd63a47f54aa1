import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLICK_BUTTON, engineForTests, payloadsOf, requestFor } from './engine-under-test.ts'

const engine = await engineForTests()

/** What arrives when this script runs on a click. */
async function onClick(script: string, before = '') {
  const html = `<button>go</button><p id=p></p><script>${before}; document.querySelector('button').onclick = async () => { ${script} }</script>`
  return await engine.observe(requestFor(html, { steps: [...CLICK_BUTTON] }))
}

test('the bridge is there before any script of the page, also in frames of every kind', async () => {
  const call = (from: string) => `<script>window.hermes.sendAction('${from}')</script>`
  const outcome = await engine.observe(
    requestFor(`<head>${call('head')}</head><iframe srcdoc="${call('srcdoc')}"></iframe><iframe sandbox="allow-scripts" srcdoc="${call('sandboxed')}"></iframe>
    <iframe src="data:text/html,${encodeURIComponent(call('data'))}"></iframe><iframe id=b></iframe><script>
    b.src = URL.createObjectURL(new Blob([${JSON.stringify(call('blob')).replaceAll('</', '<\\/')}], { type: 'text/html' }))
    document.body.append(Object.assign(document.createElement('iframe'), { id: 'e' })); e.contentWindow.hermes.sendAction('empty')</script>`),
  )
  assert.deepEqual(payloadsOf(outcome).map(String).sort(), ['blob', 'data', 'empty', 'head', 'sandboxed', 'srcdoc'])
  assert.deepEqual(outcome.script_errors, [])
})

test('what JSON cannot hold is an invalid call with the reason', async () => {
  const outcome = await onClick(
    `const loop = {}; loop.self = loop; for (const bad of [undefined, () => 1, Symbol('s'), 10n, loop, { toJSON() { throw new Error('no') } }, 'x'.repeat(2e6)]) hermes.sendAction(bad); hermes.sendAction(NaN)`,
  )
  const reasons = outcome.bridge_calls.map((call) => (call.ok ? JSON.stringify(call.payload) : call.reason))
  assert.equal(reasons.length, 8)
  for (const [index, expected] of [/undefined/, /function/, /symbol/, /BigInt/i, /circular/i, /no/, /over the limit/, /^null$/].entries())
    assert.match(reasons[index] ?? '', expected)
})

for (const [what, before] of [
  ['assigned', `window.hermes = { sendAction(p) { mine(p); return Promise.resolve('own reply') } }`],
  ['assigned frozen', `window.hermes = Object.freeze({ sendAction(p) { mine(p); return Promise.resolve('own reply') } })`],
  ['of a class', `window.hermes = new (class { sendAction(p) { mine(p); return Promise.resolve('own reply') } })()`],
  ['defined', `Object.defineProperty(window, 'hermes', { value: { sendAction(p) { mine(p); return Promise.resolve('own reply') } } })`],
  ['put into ours', `window.hermes.sendAction = (p) => { mine(p); return Promise.resolve('own reply') }`],
  ['declared', `var hermes = { sendAction(p) { mine(p); return Promise.resolve('own reply') } }`],
  [
    'that passes on to ours',
    `const inner = window.hermes.sendAction; window.hermes = { sendAction(p) { mine(p); inner(p); return Promise.resolve('own reply') } }`,
  ],
] as const)
  test(`a bridge of the plugin's own, ${what}, works as written and is recorded once`, async () => {
    const outcome = await onClick(
      `p.textContent = await window.hermes.sendAction({ n: 1 })`,
      `let got = null; const mine = (p) => { got = p; document.title = 'got ' + p.n }; ${before}`,
    )
    assert.deepEqual(payloadsOf(outcome), [{ n: 1 }])
    assert.match(outcome.states[1]?.text.rendered ?? '', /own reply/)
    assert.match(outcome.states[1]?.text.attributes ?? '', /got 1/)
    assert.deepEqual(outcome.script_errors, [])
  })

for (const [what, script] of [
  ['JSON', `JSON.stringify = () => { throw new Error('broken') }; JSON.parse = null`],
  ['Promise', `window.Promise = class { constructor() { throw new Error('broken') } }`],
  ['Promise.resolve', `Promise.resolve = () => { throw new Error('broken') }`],
  [
    'Map, Set and WeakSet',
    `for (const C of [Map, Set, WeakSet, WeakMap]) for (const m of ['get', 'set', 'has', 'add']) C.prototype[m] = () => { throw new Error('broken') }`,
  ],
  ['iterators', `Array.prototype[Symbol.iterator] = () => { throw new Error('broken') }`],
  ['function calls', `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('broken') }`],
  [
    'String and Array',
    `for (const m of ['slice', 'replace', 'split', 'trim']) String.prototype[m] = () => { throw new Error('broken') }; for (const m of ['push', 'map', 'join']) Array.prototype[m] = () => { throw new Error('broken') }`,
  ],
  [
    'the DOM',
    `document.querySelector = document.querySelectorAll = () => null; Element.prototype.getBoundingClientRect = () => ({}); window.getComputedStyle = () => ({}); Node.prototype.appendChild = null`,
  ],
  [
    'timers and frames',
    `window.requestAnimationFrame = () => 0; window.setTimeout = () => 0; window.MutationObserver = class { observe() {} }`,
  ],
  ['the console', `for (const k of Object.keys(console)) console[k] = () => { throw new Error('broken') }`],
] as const)
  test(`a page that breaks ${what} loses no callback and is observed`, async () => {
    const outcome = await engine.observe(
      requestFor(`<button id=g>go</button><p>seen</p><script>g.onclick = () => hermes.sendAction({ n: 1 }); ${script}</script>`, {
        steps: [...CLICK_BUTTON],
        selectors: ['button'],
      }),
    )
    assert.equal(outcome.end, 'observed')
    assert.deepEqual(payloadsOf(outcome), [{ n: 1 }])
    assert.equal(outcome.states[0]?.text.rendered, 'go\nseen')
    assert.equal(outcome.states[0]?.selectors['button']?.count, 1)
    assert.deepEqual(outcome.script_errors, [])
  })

test('the page finds no binding to forge', async () => {
  const outcome = await onClick(
    `hermes.sendAction(Object.getOwnPropertyNames(window).filter((n) => /playwright|binding|^[abt][0-9a-f]{24}$/.test(n)))`,
  )
  assert.deepEqual(payloadsOf(outcome), [[]])
})
