import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CLICK_BUTTON, engineForTests, GOOD_APP, payloadsOf, requestFor } from './engine-under-test.ts'

const engine = await engineForTests()

async function firstState(html: string, selectors: readonly string[] = []) {
  const outcome = await engine.observe(requestFor(html, { selectors }))
  assert.equal(outcome.end, 'observed')
  const state = outcome.states[0]
  assert.ok(state)
  return state
}

test('a good app is loaded, driven, photographed and heard', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outcome-'))
  try {
    const outcome = await engine.observe(
      requestFor(GOOD_APP, {
        steps: [{ action: 'set_range', selector: 'input[type=range]', value: '42' }, ...CLICK_BUTTON],
        screenshot_folder: folder,
      }),
    )
    assert.equal(outcome.end, 'observed')
    assert.equal(outcome.reached_by, 'declared')
    assert.deepEqual(
      outcome.bridge_calls.map((call) => ({ ...call, t_ms: 0 })),
      [{ ok: true, t_ms: 0, step: 2, payload: { action: 'apply', amount: 42 } }],
    )
    assert.deepEqual(
      outcome.states.map(({ index }) => index),
      [0, 1, 2],
    )
    assert.match(outcome.states[1]?.text.rendered ?? '', /42 EUR/)
    assert.match(outcome.states[2]?.text.rendered ?? '', /sent/)
    assert.deepEqual(outcome.script_errors, [])
    for (const state of outcome.states) {
      assert.ok(state.screenshot)
      const picture = await readFile(path.join(folder, state.screenshot))
      assert.equal(picture.subarray(1, 4).toString('latin1'), 'PNG')
      assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1280, 800])
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the origin is secure: storage, modules and crypto work', async () => {
  const html = `<p id=p></p><script type=module>
    localStorage.setItem('a', 'stored'); const d = await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    p.textContent = localStorage.getItem('a') + ' ' + d.byteLength + ' ' + location.origin</script>`
  assert.equal((await firstState(html)).text.rendered, 'stored 32 https://app.hermes.test')
})

test('each page starts fresh', async () => {
  const html = `<p id=p></p><script>p.textContent = localStorage.getItem('a') ?? 'nothing'; localStorage.setItem('a', 'leaked'); document.cookie = 'a=1'</script>`
  assert.equal((await firstState(html)).text.rendered, 'nothing')
  assert.equal((await firstState(html)).text.rendered, 'nothing')
})

test('text is told apart by how a user meets it', async () => {
  const { text } = await firstState(`<title>The title</title>
    <p>1.4<b> GB</b> p<sup>k</sup> 10<sup>th</sup></p><p style="display:none">none</p><p style="visibility:hidden">invisible<i style="visibility:visible">seen again</i></p>
    <div style="opacity:0">faded</div><div style="max-height:0;overflow:hidden">collapsed</div><div style="position:absolute;left:-9999px">offscreen</div>
    <details><summary>More</summary>folded</details><details open><summary>Less</summary>unfolded</details>
    <dialog>closed dialog</dialog><div hidden>hidden attribute</div>
    <div style="transform-style:preserve-3d;transform:rotateY(0deg)"><div style="backface-visibility:hidden">front</div><div style="backface-visibility:hidden;transform:rotateY(180deg)">back</div></div>
    <input value="typed" placeholder="holder"><textarea>area</textarea><select><option>one<option selected>two</select><input type=submit value="Go"><img alt="a picture">
    <!-- comment --><script>/* script text */</script><noscript>no script</noscript><template>template</template>`)
  const rendered = text.rendered.split('\n')
  assert.ok(rendered.includes('1.4 GB p^k 10th'), text.rendered)
  for (const seen of ['seen again', 'More', 'Less', 'unfolded', 'front']) assert.ok(text.rendered.includes(seen), seen)
  for (const unseen of ['none', 'invisible', 'faded', 'collapsed', 'offscreen', 'folded\n', 'closed dialog', 'hidden attribute', 'back'])
    assert.ok(text.hidden.includes(unseen.trim()) && !rendered.includes(unseen.trim()), unseen)
  assert.deepEqual(text.form_values.split('\n'), ['typed', 'area', 'two'])
  for (const attribute of ['holder', 'Go', 'a picture', 'The title']) assert.ok(text.attributes.includes(attribute), attribute)
  assert.doesNotMatch(JSON.stringify(text), /comment|script|template/)
})

test('controls are those that a user can operate', async () => {
  const { controls } = await firstState(`
    <button>b</button><button disabled>no</button><fieldset disabled><button>no</button></fieldset><button style="display:none">no</button><button aria-disabled=true>no</button>
    <div inert><button>no</button></div><a href="#x">link</a><a>no</a><input type=hidden><input type=checkbox checked aria-label=box><input type=radio aria-label=rad><input type=range aria-label=ran>
    <input aria-label=txt><input readonly aria-label=no><select aria-label=sel><option>1</select><div contenteditable>edit</div><div role=button>rolebutton</div><div role=switch aria-checked=true>sw</div>
    <div id=own>own listener</div><div id=prop>own property</div><div onclick="1">attribute</div><div style="cursor:pointer"><span>delegated</span></div>
    <div id=holder><button>inside a listening box</button></div><label style="cursor:pointer">toggle<input type=checkbox style="opacity:0;width:0;height:0"></label>
    <svg width=20 height=20><circle id=dot cx=10 cy=10 r=9 /></svg><canvas id=pad width=30 height=30></canvas><p>not a control</p>
    <script>own.addEventListener('pointerdown',()=>{}); prop.onclick=()=>{}; holder.addEventListener('click',()=>{}); dot.addEventListener('click',()=>{}); pad.addEventListener('mousedown',()=>{})</script>`)
  assert.deepEqual(
    controls.map(({ kind, name, checked }) => `${kind} ${name}${checked === null ? '' : ` ${checked}`}`),
    [
      'button b',
      'link link',
      'checkbox box true',
      'radio rad false',
      'range ran',
      'text txt',
      'select sel',
      'editable edit',
      'button rolebutton',
      'checkbox sw true',
      'custom own listener',
      'custom own property',
      'custom attribute',
      'custom delegated',
      'button inside a listening box',
      'checkbox toggle false',
      'custom dot',
      'custom pad',
    ],
  )
  assert.equal(new Set(controls.map(({ key }) => key)).size, controls.length)
})

test('behind a modal dialog nothing is operable', async () => {
  const { controls } = await firstState(
    `<button>behind</button><dialog id=d><button>in front</button></dialog><script>d.showModal()</script>`,
  )
  assert.deepEqual(
    controls.map(({ name }) => name),
    ['in front'],
  )
})

test('nested open shadow roots, slots and frames are seen', async () => {
  const state = await firstState(
    `<x-outer><span>slotted</span><button>slotted button</button></x-outer><iframe srcdoc="<p>framed</p><button onclick='1'>in frame</button>"></iframe>
    <iframe sandbox="allow-scripts" srcdoc="<p>sandboxed</p><input type=range>"></iframe><iframe style="display:none" srcdoc="<p>hidden frame</p>"></iframe>
    <script>customElements.define('x-inner', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<p>deep</p><button>deep button</button>' } })
    customElements.define('x-outer', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<p>outer</p><slot></slot><x-inner></x-inner>' } })</script>`,
    ['button', 'input[type=range]', 'textarea'],
  )
  for (const seen of ['outer', 'slotted', 'deep', 'framed', 'sandboxed'])
    assert.ok(
      state.text.rendered.split('\n').some((line) => line.includes(seen)),
      `${seen} in ${state.text.rendered}`,
    )
  assert.doesNotMatch(state.text.rendered, /hidden frame/)
  assert.deepEqual(
    state.controls.map(({ name, kind }) => name || kind),
    ['slotted button', 'deep button', 'in frame', 'range'],
  )
  assert.deepEqual(state.selectors['button'], { count: 3, matched_by: 'button' })
  assert.deepEqual(state.selectors['input[type=range]'], { count: 1, matched_by: 'input[type=range]' })
  assert.deepEqual(state.selectors['textarea'], { count: 0, matched_by: null })
})

test('selectors match ARIA equivalents and say so', async () => {
  const { selectors } = await firstState(
    `<div role=button>b</div><div role=switch aria-checked=false>s</div><div role=slider>r</div><div contenteditable>t</div>`,
    ['button', 'input[type="checkbox"]', 'input[type=range]', 'textarea', 'input', 'select'],
  )
  assert.equal(selectors['button']?.matched_by, '[role="button"]')
  assert.equal(selectors['input[type="checkbox"]']?.matched_by, '[role="switch"]')
  assert.equal(selectors['input[type=range]']?.matched_by, '[role="slider"]')
  assert.match(selectors['textarea']?.matched_by ?? '', /contenteditable/)
  assert.equal(selectors['input']?.count, 3)
  assert.equal(selectors['select']?.matched_by, null)
})

for (const [what, html, painted] of [
  ['an empty body', '<body>', false],
  ['an empty coloured body', '<body style="background:teal"><div style="padding:40px;background:white"></div>', false],
  ['hidden text only', '<p hidden>text</p>', false],
  ['white space', '<div>&nbsp; </div>', false],
  ['a blank canvas', '<canvas width=100 height=100></canvas>', false],
  ['a drawn canvas', '<canvas id=c width=100 height=100></canvas><script>c.getContext("2d").fillRect(0,0,50,50)</script>', true],
  ['text', '<p>x</p>', true],
  ['a drawing in SVG', '<svg width=20 height=20><path d="M0 0h9v9z"/></svg>', true],
  ['bars made of boxes', '<i style="display:block;width:50px;height:9px;background:red"></i>'.repeat(4), true],
] as const)
  test(`${what} is ${painted ? 'painted' : 'blank'}`, async () => {
    assert.equal((await firstState(html)).painted, painted)
  })

test('the canvas hash follows the pixels', async () => {
  const outcome = await engine.observe(
    requestFor(
      `<canvas id=c width=50 height=50></canvas><button>draw</button><script>document.querySelector('button').onclick=()=>c.getContext('2d').fillRect(1,1,1,1)</script>`,
      { steps: [...CLICK_BUTTON] },
    ),
  )
  assert.match(outcome.states[0]?.canvas_hash ?? '', /^[0-9a-f]{8}$/)
  assert.notEqual(outcome.states[0]?.canvas_hash, outcome.states[1]?.canvas_hash)
})

test('script errors of page, frames and workers are told apart and stamped', async () => {
  const outcome = await engine.observe(
    requestFor(
      `<button>go</button><script>document.querySelector('button').onclick = () => { throw new RangeError('on click') }
      setTimeout(() => { throw new Error('thrown') }); Promise.reject(new TypeError('rejected')); console.error('said', { a: 1 }); console.warn('w')
      const worker = new Worker(URL.createObjectURL(new Blob(['console.error("worker said"); setTimeout(() => { throw new Error("worker threw") })'])))
      worker.onerror = () => document.body.append(document.createElement('hr'))</script>
      <iframe sandbox="allow-scripts" srcdoc="<script>nothing.here</script>"></iframe>`,
      { steps: [{ action: 'wait_for', selector: 'hr' }, ...CLICK_BUTTON] },
    ),
  )
  // A worker runs beside the page: what it says may come during the wait.
  const stamp = (step: number): string => (step < 2 ? 'before the click' : 'clicked')
  const errors = outcome.script_errors
    .map(({ kind, message, step, from_blocking }) => `${kind} ${stamp(step)} ${from_blocking} ${message}`)
    .sort()
  assert.deepEqual(errors, [
    'console_error before the click false said {a: 1}',
    'console_error before the click false worker said',
    'exception before the click false Error: thrown',
    'exception before the click false ReferenceError: nothing is not defined',
    'exception before the click false worker threw',
    'exception clicked false RangeError: on click',
    'rejection before the click false TypeError: rejected',
  ])
  assert.equal(outcome.diagnostics.console_warnings, 1)
})

test('noise of refused requests is marked, an error of the app is not', async () => {
  const outcome = await engine.observe(
    requestFor(`<script src="https://cdn.example.com/confetti.js"></script><script>
      fetch('https://api.example.com/x'); fetch('https://api.example.com/y').catch((e) => console.error('could not load', e)); confetti()</script><p>x</p>`),
  )
  assert.deepEqual(outcome.script_errors.map(({ kind, from_blocking }) => `${kind} ${from_blocking}`).sort(), [
    'console_error true',
    'exception false',
    'rejection true',
  ])
  assert.deepEqual(
    outcome.requests.map(({ answer }) => answer),
    ['document', 'blocked', 'blocked', 'blocked'],
  )
})

test('dialogs are answered and recorded', async () => {
  const outcome = await engine.observe(
    requestFor(`<p id=p></p><script>alert('a'); p.textContent = [confirm('c'), prompt('p', 'default')].join()</script>`),
  )
  assert.deepEqual(outcome.dialogs, [
    { type: 'alert', message: 'a', step: 0 },
    { type: 'confirm', message: 'c', step: 0 },
    { type: 'prompt', message: 'p', step: 0 },
  ])
  assert.equal(outcome.states[0]?.text.rendered, 'true,default')
})

test('the page waits for what is still coming: fonts, late nodes, a slow start', async () => {
  assert.match(
    (
      await firstState(
        `<p id=p>early</p><script>let n=0; const t=setInterval(()=>{ n+=1; p.textContent='late '+n; if(n===8) clearInterval(t) }, 60)</script>`,
      )
    ).text.rendered,
    /late 8/,
  )
})

test('two apps at once do not mix', async () => {
  const page = (name: string) =>
    `<button>${name}</button><script>document.querySelector('button').onclick=()=>hermes.sendAction('${name}')</script>`
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => await engine.observe(requestFor(page(name), { steps: [...CLICK_BUTTON] }))),
  )
  assert.deepEqual(outcomes.map(payloadsOf), [['one'], ['two'], ['three']])
})

test('names in a form or document that shadow DOM properties do not blind the observer', async () => {
  const state = await firstState(`<img name=documentElement><img name=querySelector><img name=title><form id=f><button>inside</button>
    ${['childNodes', 'parentElement', 'getAttribute', 'localName', 'id', 'children', 'shadowRoot', 'previousElementSibling'].map((name) => `<input name=${name} aria-label=${name}>`).join('')}</form>`)
  assert.match(state.text.rendered, /inside/)
  assert.equal(state.controls.length, 9)
})
