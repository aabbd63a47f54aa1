import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { openDocument } from '../../src/mutants/app-document.ts'
import type { Mutant } from '../../src/mutants/mutant.ts'
import { MUTANT_RULES, mutantsOf } from '../../src/mutants/mutate.ts'
import type { Task } from '../../src/model/task.ts'
import { aTask } from '../graders/trial-builders.ts'

const APP = `<!doctype html>
<html><head><title>Clean up</title></head><body>
<p title="ubuntu.iso, 1.4&nbsp;GB">Delete ubuntu.iso?</p>
<button id="go">Delete</button><button onclick="window.hermes.sendAction({ action: 'skip', files: [] })">Skip</button>
<script>
  const sizes = { 'ubuntu.iso': '1.4 GB' }
  function send() { window.hermes.sendAction({ action: 'delete', files: ['ubuntu.iso'], note: \`of \${sizes['ubuntu.iso']}\` }) }
  const confirmed = () => send()
  document.getElementById('go').addEventListener('click', confirmed)
  document.getElementById('go').addEventListener('focus', () => {})
  document.title.split('ubuntu').forEach(() => {})
</script></body></html>`

const TASK: Task = aTask({
  outcome_dom_assertions: {
    zero_js_errors: true,
    must_contain_strings: ['ubuntu.iso', '1.4G'],
    required_selectors: ['button'],
    min_interactive_elements: 2,
  },
  outcome_interaction_steps: [{ action: 'set_range', selector: "input[type='range']", value: '3' }],
  own_assertions: { answers_hidden: ['Secret'], initially_unchecked: ['contract.pdf'] },
})
const mutants = mutantsOf(TASK, APP)
const mutant = (rule: string, at?: string): Mutant => {
  const found = mutants.find((each) => each.rule === rule && (at === undefined || each.at === at))
  assert.ok(found, `${rule} ${at ?? ''}`)
  return found
}

/** Runs the mutant's own script with a stand-in page, presses "go", and returns what reached the bridge. */
function pressGo(html: string): unknown[] {
  const sent: unknown[] = []
  const pressed: (() => void)[] = []
  const bridge = { sendAction: (payload: unknown) => sent.push(payload) }
  const button = { addEventListener: (type: string, handler: () => void) => void (type === 'click' && pressed.push(handler)) }
  const [script] = openDocument(html).units.filter((unit) => unit.kind === 'script' && unit.code.includes('sizes'))
  assert.ok(script)
  runInNewContext(script.code, {
    window: { hermes: bridge },
    console: { error() {} },
    document: { getElementById: () => button, title: '' },
  })
  for (const press of pressed) press()
  return JSON.parse(JSON.stringify(sent)) as unknown[]
}

const GOOD = { action: 'delete', files: ['ubuntu.iso'], note: 'of 1.4 GB' }

test('the untouched app sends what it should', () => assert.deepEqual(pressGo(APP), [GOOD]))

test('every rule finds a place in an app that has one for it, and every mutant differs', () => {
  const rules = new Set(mutants.map((each) => each.rule))
  assert.deepEqual(
    MUTANT_RULES.map((rule) => rule.name).filter((name) => !rules.has(name)),
    [],
  )
  assert.equal(new Set(mutants.map((each) => each.html)).size, mutants.length)
  assert.ok(mutants.every((each) => each.html !== APP))
})

test('only break_script breaks the syntax', () => {
  for (const each of mutants) {
    const broken = openDocument(each.html).units.some((unit) => unit.tree === null)
    assert.equal(broken, each.rule === 'break_script', `${each.rule}: ${each.at}`)
  }
})

test('payload rules change the payload as they say, at every call', () => {
  assert.deepEqual(pressGo(mutant('drop_bridge_call').html), [])
  assert.deepEqual(pressGo(mutant('rename_required_field', 'files').html), [{ action: 'delete', note: GOOD.note, files_value: GOOD.files }])
  assert.deepEqual(pressGo(mutant('drop_required_field', 'action').html), [{ files: GOOD.files, note: GOOD.note }])
  assert.deepEqual(pressGo(mutant('change_field_type', 'files').html), [{ ...GOOD, files: 'ubuntu.iso' }])
  assert.deepEqual(pressGo(mutant('change_item_type', 'files[]').html), [{ ...GOOD, files: [{ value: 'ubuntu.iso' }] }])
  assert.deepEqual(pressGo(mutant('payload_as_text').html), [JSON.stringify(GOOD)])
  assert.deepEqual(pressGo(mutant('constant_payload').html), [{ action: 'done', files: ['done'] }])
  assert.throws(() => pressGo(mutant('throw_before_send').html), { name: 'TypeError' })
  assert.throws(() => pressGo(mutant('wrong_bridge_method').html), { name: 'TypeError' })
  assert.deepEqual(pressGo(mutant('console_error_before_send').html), [GOOD])
  assert.match(mutant('drop_bridge_call').html, /onclick="\(void 0\)"/u)
})

test('detaching follows named functions to the bridge', () => {
  assert.deepEqual(pressGo(mutant('detach_sender').html), [])
  assert.match(mutant('detach_sender').html, /onclick=" "/u)
})

test('a grounded string is replaced in texts, attributes and literals in every way of writing, but not in names', () => {
  const size = mutant('falsify_grounded_string', '1.4G').html
  assert.doesNotMatch(size, /1\.4/u)
  const name = mutant('falsify_grounded_string', 'ubuntu.iso').html
  assert.doesNotMatch(name, /ubuntu\.iso/u)
  assert.match(name, /title\.split\(/u)
  assert.equal(pressGo(name).length, 1)
})
