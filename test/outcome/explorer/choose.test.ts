import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rank } from '../../../src/outcome/explorer/choose.ts'
import { bare } from '../../../src/outcome/explorer/last-resort.ts'
import { formOf, identityOf, newDeed, newMemory } from '../../../src/outcome/explorer/memory.ts'
import type { Candidate } from '../../../src/outcome/explorer/probe/candidate.ts'
import type { PageScan } from '../../../src/outcome/explorer/scan.ts'

let count = 0
function control(kind: Candidate['kind'], name: string, more: Partial<Candidate> = {}): Candidate {
  count += 1
  return { ...bare(`#c${count}`, name), kind, group: `g${count}`, wraps: false, ...more }
}
const page = (...candidates: readonly Candidate[]): PageScan => ({ candidates, layer: null, text: '' })
const first = (scan: PageScan): string => rank(scan, newMemory())[0]?.target.name ?? 'nothing'

test('what must be answered goes before the final action, which goes before what is optional', () => {
  const send = control('button', 'Send')
  const radios = ['Yes', 'No'].map((name) => control('radio', name, { group: 'q', checked: false }))
  assert.equal(first(page(send, ...radios)), 'Yes')
  assert.equal(first(page(control('text', 'Note'), send, control('range', 'Level', { value: '3', min: 0, max: 9, step: 1 }))), 'Send')
  assert.equal(first(page(send, control('text', 'Mail', { required: true }))), 'Mail')
})

test('what is disabled or covered is never chosen', () => {
  assert.equal(first(page(control('button', 'Send', { enabled: false }), control('button', 'Confirm', { blocked: true }))), 'nothing')
})

test('ways back are the last resort', () => {
  const scan = page(control('button', 'Cancel'), control('button', 'Reset'), control('button', 'Details'))
  assert.equal(first(scan), 'Details')
})

test('one of many delete buttons is not the final action, a lone one is', () => {
  const rows = ['Delete a', 'Delete b'].map((name) => control('button', name, { group: 'rows' }))
  assert.equal(first(page(...rows, control('button', 'Show more'))), 'Show more')
  assert.equal(first(page(control('button', 'Show more'), control('button', 'Delete 2 files'))), 'Delete 2 files')
})

test('a final action pressed in vain gives way until something has changed', () => {
  const send = control('button', 'Send')
  const box = control('checkbox', 'Extra', { checked: false })
  const memory = newMemory()
  const scan = page(send, box)
  memory.deeds.set(identityOf(send), { ...newDeed(), form: formOf(scan) })
  memory.finalFailed = true
  assert.equal(rank(scan, memory)[0]?.target.name, 'Extra')
  assert.equal(rank(page(send, { ...box, checked: true }), memory)[0]?.target.name, 'Send')
})

test('the typed confirmation that a field asks for is typed', () => {
  const field = control('text', 'Confirm', { hint: 'Type «DELETE» to confirm', input_type: 'text' })
  const best = rank(page(field, control('button', 'Cancel')), newMemory())[0]
  assert.deepEqual([best?.action, best?.value], ['fill', 'DELETE'])
})

test('another turn takes another answer', () => {
  const options = ['a', 'b', 'c'].map((name) => control('radio', name, { group: 'q', checked: false }))
  const taken = [0, 1, 2].map((turn) => rank(page(...options), newMemory(), { turn, perturb: 0 })[0]?.target.name)
  assert.deepEqual(taken, ['a', 'b', 'c'])
})

test('the order does not depend on anything but scan and memory', () => {
  const scan = page(
    control('button', 'Alpha'),
    control('button', 'Beta'),
    control('tab', 'Gamma'),
    control('summary', 'More', { checked: false }),
  )
  const names = (): readonly string[] => rank(scan, newMemory()).map((each) => each.target.name)
  assert.deepEqual(names(), names())
})
