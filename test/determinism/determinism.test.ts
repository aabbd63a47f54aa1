// The full run (every reference, 20 times, further apps by a manifest) is bench/determinism.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gradeRepeatedly, referenceApps, underLoad } from './repeat.ts'

test('the same apps get the same verdict and failing checks three times under load', { timeout: 300_000 }, async () => {
  const apps = await referenceApps(['hitl_cap_01', 'ops_cap_01', 'sim_reg_01'])
  // A build whose callback is gone must fail alike each time, too.
  const [first] = apps
  assert.ok(first)
  const dead = first.html.replace(/window\.hermes\.sendAction\(/g, '(async () => ({ ok: true }))(')
  assert.notEqual(dead, first.html)
  const grades = await underLoad(async () => await gradeRepeatedly([...apps, { ...first, id: 'dead', html: dead }], 3))
  for (const [id, ofApp] of grades) assert.equal(ofApp.size, 1, `${id}: ${[...ofApp.keys()].join(' | ')}`)
  for (const { id } of apps) assert.deepEqual([...(grades.get(id)?.keys() ?? [])], ['pass - explorer'], id)
  assert.match([...(grades.get('dead')?.keys() ?? [])].join(), /^fail .*received/)
})
