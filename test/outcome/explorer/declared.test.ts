import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { explore, runDeclaredSteps } from '../../../src/outcome/explorer/index.ts'
import { closeBrowser, openTestSession } from './session.ts'

after(closeBrowser)
const SEND = `<button id="s">Send</button><script>document.getElementById('s').onclick=()=>hermes.sendAction({action:'x',v:[...document.querySelectorAll('input')].map(i=>i.type==='checkbox'?i.checked:i.value)})</script>`

test('set_range takes the first range that admits the value, exactly, by trusted input, and says whether anything changed', async () => {
  const html = await readFile(new URL('apps/dead-slider.html', import.meta.url), 'utf8')
  const session = await openTestSession(html)
  const [live, dead] = await runDeclaredSteps(session, [
    { action: 'set_range', selector: "input[type='range']", value: '7' },
    { action: 'set_range', selector: "input[type='range']", value: '0.2' },
  ])
  assert.deepEqual([live?.status, live?.changed, live?.name.startsWith('k')], ['done', true, true])
  assert.deepEqual([dead?.status, dead?.changed, dead?.name.startsWith('p')], ['done', false, true])
  assert.equal(await session.page.locator('#k').inputValue(), '7')
  assert.equal(await session.page.locator('#p').inputValue(), '0.2')
  assert.equal(await session.page.locator('#o').textContent(), 'k = 7')
  await session.close()
})

test('a slider that stands at the value already is moved away and back, so that its effect is seen', async () => {
  const html = await readFile(new URL('apps/dead-slider.html', import.meta.url), 'utf8')
  const session = await openTestSession(html)
  const [step] = await runDeclaredSteps(session, [{ action: 'set_range', selector: '#k', value: '5' }])
  assert.deepEqual([step?.status, step?.changed], ['done', true])
  assert.equal(await session.page.locator('#k').inputValue(), '5')
  await session.close()
})

test('fine and long scales are set exactly', async () => {
  const html = `<input type="range" id="a" min="0" max="100" step="0.01" value="3"><input type="range" id="b" min="0" max="5000" value="10"><input type="range" id="c" min="0.1" max="4" step="0.05" value="1"><p id="o"></p>`
  const session = await openTestSession(html)
  const wanted = { '#a': '72.37', '#b': '4321', '#c': '0.2' }
  await runDeclaredSteps(
    session,
    Object.entries(wanted).map(([selector, value]) => ({ action: 'set_range', selector, value })),
  )
  for (const [selector, value] of Object.entries(wanted)) assert.equal(await session.page.locator(selector).inputValue(), value)
  await session.close()
})

test('selectors meet ARIA equivalents, shadow roots and frames', async () => {
  const html = `<div id="h"></div><iframe srcdoc="<textarea></textarea>"></iframe><script>const r=document.getElementById('h').attachShadow({mode:'open'});r.innerHTML='<div role=switch tabindex=0 aria-checked=false style="width:40px;height:20px;background:#999"></div><div role=button style="width:80px">Go</div><p></p>';r.querySelector('[role=switch]').onclick=e=>e.target.setAttribute('aria-checked','true');r.querySelector('[role=button]').onclick=()=>{r.querySelector('p').textContent='gone';hermes.sendAction({action:'go'})}</script>`
  const session = await openTestSession(html)
  const steps = await runDeclaredSteps(session, [
    { action: 'check', selector: "input[type='checkbox']" },
    { action: 'click', selector: 'button' },
    { action: 'fill', selector: 'textarea', value: 'hello' },
  ])
  assert.deepEqual(
    steps.map((step) => [step.status, step.sent]),
    [
      ['done', false],
      ['done', true],
      ['done', false],
    ],
  )
  assert.match(steps[0]?.detail ?? '', /role="?switch/)
  assert.equal(await session.page.frameLocator('iframe').locator('textarea').inputValue(), 'hello')
  await session.close()
})

test('what is disabled, hidden or behind an overlay is passed over; what is not there at all is no_match', async () => {
  const html = `<button disabled>A</button><button hidden>B</button><button style="position:absolute;top:300px">C</button><div style="position:fixed;inset:0;background:#fff8"><button onclick="hermes.sendAction({action:'d'})">D</button></div>`
  const session = await openTestSession(html)
  const [hit, miss, broken] = await runDeclaredSteps(session, [
    { action: 'click', selector: 'button' },
    { action: 'click', selector: 'nav a' },
    { action: 'click', selector: 'button[' },
  ])
  assert.deepEqual([hit?.name, hit?.sent], ['D', true])
  assert.equal(miss?.status, 'no_match')
  assert.deepEqual([broken?.status, /does not parse/.test(broken?.detail ?? '')], ['no_match', true])
  await session.close()
})

test('fill, select, check, uncheck, press and wait_for do what they say', async () => {
  const html = `<input id="t" value="old"><select id="o"><option>a</option><option value="bb">b</option><option>c</option></select><input type="checkbox" id="on"><input type="checkbox" id="off" checked><script>document.getElementById('t').addEventListener('keydown',e=>{if(e.key==='Enter')setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<p id=late>late</p>'),700)})</script>${SEND}`
  const session = await openTestSession(html)
  const steps = await runDeclaredSteps(session, [
    { action: 'fill', selector: '#t', value: 'new' },
    { action: 'select', selector: 'select', value: 'bb' },
    { action: 'check', selector: '#on' },
    { action: 'uncheck', selector: '#off' },
    { action: 'press', selector: '#t', value: 'Enter' },
    { action: 'wait_for', selector: '#late' },
    { action: 'click', selector: 'button' },
  ])
  assert.deepEqual(
    steps.map((step) => step.status),
    steps.map(() => 'done'),
  )
  assert.equal(await session.page.locator('#o').inputValue(), 'bb')
  const call = session.bridgeCalls[0]
  assert.deepEqual(call?.ok ? call.payload : null, { action: 'x', v: ['new', true, false] })
  assert.equal(session.labels.length, 7)
  await session.close()
})

test('a declared slider behind a start screen is moved once it appears', async () => {
  const html = `<div id="w"><button id="b">Start</button></div><div id="m" hidden><input type="range" id="r" min="0" max="9" value="1"><p id="o"></p><button id="s">Send</button></div><script>document.getElementById('b').onclick=()=>{document.getElementById('w').remove();document.getElementById('m').hidden=false};document.getElementById('r').oninput=e=>document.getElementById('o').textContent=e.target.value;document.getElementById('s').onclick=()=>hermes.sendAction({action:'x',v:+document.getElementById('r').value})</script>`
  const session = await openTestSession(html)
  const declared = [{ action: 'set_range', selector: "input[type='range']", value: '6' }]
  assert.equal((await runDeclaredSteps(session, declared))[0]?.status, 'no_match')
  const steps = await explore(session, { acceptsPayload: () => true, maxSteps: 9, pending: declared })
  assert.deepEqual(
    steps.map((step) => [step.by, step.action, step.changed]),
    [
      ['explorer', 'click', true],
      ['declared', 'set_range', true],
      ['explorer', 'click', false],
    ],
  )
  const call = session.bridgeCalls[0]
  assert.deepEqual(call?.ok ? call.payload : null, { action: 'x', v: 6 })
  await session.close()
})
