// Form fields and named elements replace properties of their form and document (`<input name="children">`); a page may also be so made that our probes throw in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineForTests, payloadsOf, requestFor } from './engine-under-test.ts'

const engine = await engineForTests()
const DRIVEN = { explore: true, limits: { explorer_steps: 20, page_seconds: 30 } } as const

/** What a family would fill in; `name="children"` shadows `form.children`. */
const BOOKING = `<!doctype html><meta charset="utf-8"><title>Booking</title><h1>Book a cabin</h1>
<form id="booking">
  <p>Name <input name="name" id="name" required> Town <input name="id" value="Porto"></p>
  <label>Adults <input name="adults" type="number" min="1" max="6" value="2" required></label>
  <label>Children <input name="children" type="number" min="0" max="6" value="1"></label>
  <label><input type="checkbox" name="attributes"> Sea view</label>
  <label>Day <select name="matches" required><option value="">Choose</option><option>Friday</option><option>Saturday</option></select></label>
  <button name="submit">Book</button>
</form>
<script>
  booking.addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.target))
    window.hermes.sendAction({ action: 'book', children: Number(fields.children), day: fields.matches })
  })
</script>`

test('a booking form with fields called children, name, id, matches and submit is driven to its callback', async () => {
  const outcome = await engine.observe(
    requestFor(BOOKING, { ...DRIVEN, vary: true, steps: [{ action: 'fill', selector: 'input[name=adults]', value: '3' }] }),
  )
  assert.equal(outcome.end, 'observed')
  assert.equal(outcome.end_detail, '')
  assert.partialDeepStrictEqual(payloadsOf(outcome)[0], { action: 'book', day: 'Friday' })
  assert.equal(outcome.steps[0]?.status, 'done')
  assert.ok(outcome.variations?.some(({ payloads }) => payloads.length > 0))
})

test('every property that a look at the page reads may be shadowed by a field, in nested forms of shadow roots too', async () => {
  const names = [
    ...new Set(
      `children childNodes parentNode parentElement previousElementSibling id name localName tagName attributes classList className elements length
      shadowRoot assignedSlot getRootNode getAttribute hasAttribute matches closest querySelector querySelectorAll contains checkVisibility
      getBoundingClientRect getClientRects scrollIntoView getAnimations isContentEditable textContent innerText innerHTML nodeType ownerDocument
      scrollHeight scrollTop clientHeight focus blur dispatchEvent addEventListener constructor toString hidden style dataset`.split(/\s+/),
    ),
  ]
  const fields = (tag: string): string => names.map((name) => `<${tag} name="${name}" id="${name}" type="hidden"></${tag}>`).join('')
  // Images and forms with names shadow the document's own properties.
  const ofDocument =
    `body documentElement querySelectorAll elementFromPoint createElement getElementById activeElement readyState fonts title all forms`
      .split(' ')
      .map((name) => `<img name="${name}" hidden><form name="${name}" hidden></form>`)
      .join('')
  const page = `<!doctype html>${ofDocument}<form id="probe" onclick="1">${fields('input')}<p>Topic <input id="topic" required>
    <span id="host"></span><button type="button" id="go">Send</button></form>
    <script>
      const root = document.querySelector === undefined ? null : host.attachShadow({ mode: 'open' })
      root.innerHTML = '<form>${fields('input')}<button type="button" id="inner">Details</button></form>'
      go.onclick = () => window.hermes.sendAction({ topic: topic.value })
    </script>`
  const outcome = await engine.observe(requestFor(page, { ...DRIVEN, steps: [{ action: 'click', selector: '#inner' }] }))
  assert.equal(outcome.end_detail, '')
  assert.equal(outcome.end, 'observed')
  assert.equal(outcome.steps[0]?.status, 'done')
  assert.equal(payloadsOf(outcome).length > 0, true, JSON.stringify(outcome.steps.map(({ name, detail }) => [name, detail])))
})

test('a page in which our probes cannot run is judged by what was seen so far, and keeps the steps taken before', async () => {
  // Deeper than any script can follow by recursion.
  const page = `<!doctype html><h1>Deep</h1><button id="dig">Dig</button><button id="next">Next</button><script>
    dig.onclick = () => {
      let at = document.body.appendChild(document.createElement('div'))
      at.style.display = 'none'
      for (let depth = 0; depth < 11000; depth += 1) at = at.appendChild(document.createElement('i'))
    }
  </script>`
  const outcome = await engine.observe(
    requestFor(page, {
      ...DRIVEN,
      steps: [
        { action: 'click', selector: '#next' },
        { action: 'click', selector: '#dig' },
        { action: 'click', selector: '#next' },
      ],
    }),
  )
  assert.equal(outcome.end, 'observed')
  assert.match(outcome.end_detail, /could not be looked at further: .*Maximum call stack/)
  assert.equal(outcome.states[0]?.label, 'settled')
  assert.deepEqual(
    outcome.steps.map(({ target, status }) => [target, status]),
    [['#next', 'done']],
  )
})

test('a page that ends itself during declared steps keeps the steps taken before', async () => {
  const page = `<!doctype html><button id="ok">Fine</button><button id="loop" onclick="for(;;);">Loop</button>`
  const outcome = await engine.observe(
    requestFor(page, {
      steps: [
        { action: 'click', selector: '#ok' },
        { action: 'click', selector: '#loop' },
      ],
    }),
  )
  assert.equal(outcome.end, 'js_hang')
  assert.equal(outcome.steps[0]?.target, '#ok')
  assert.equal(outcome.steps[0]?.status, 'done')
})
