import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMicroApp } from '../../src/graders/app.ts'
import { transcriptChecks } from '../../src/graders/transcript.ts'
import type { ToolCall } from '../../src/model/transcript.ts'
import { aRender, aTask, aTranscript, AN_APP } from './trial-builders.ts'

const none = (): null => null

test('the micro-app is that of the last successful call, from its result first', async () => {
  const calls = [aRender(), aRender({ result: '{"ok":true,"html":"<p>second"}' }), aRender({ result: '{"error":"too big"}' })]
  assert.deepEqual(await findMicroApp(aTranscript(calls), none), { html: '<p>second', from: 'result' })
})

test('a document in a file of the scratch folder comes before the arguments', async () => {
  const read = (path: string): string | null => (path === 'apps/a.html' ? '<p>from file' : null)
  const call = aRender({ result: '{"success":true,"path":"apps/a.html"}' })
  assert.deepEqual(await findMicroApp(aTranscript([call]), read), { html: '<p>from file', from: 'file' })
  assert.deepEqual(await findMicroApp(aTranscript([call]), none), { html: '<!doctype html><p>args', from: 'arguments' })
  const nested = aRender({ result: '{"ok":true,"data":{"html_path":"apps/a.html"}}' })
  assert.equal((await findMicroApp(aTranscript([nested]), read))?.from, 'file')
})

for (const [why, changes] of [
  ['an error', { result: '{"error":"no"}' }],
  ['ok: false', { result: '{"ok":false,"html":"<p>x"}' }],
  ['success: false', { result: '{"success":false}' }],
  ['a raised error', { status: 'error' as const }],
] satisfies [string, Partial<ToolCall>][]) {
  test(`a call with ${why} did not succeed`, async () => {
    const transcript = aTranscript([aRender(changes)])
    assert.equal(await findMicroApp(transcript, none), null)
    const [trigger] = transcriptChecks(aTask(), transcript, null)
    assert.equal(trigger?.failure_class, 'render_failed')
    assert.ok(trigger?.evidence.seen?.includes(changes.result ?? '"ok":true'))
  })
}

test('no call is undertrigger, and the evidence quotes the answer', () => {
  const [trigger] = transcriptChecks(aTask(), aTranscript([], 'Here is a wall of text.'), null)
  assert.equal(trigger?.failure_class, 'undertrigger')
  assert.match(trigger?.evidence.seen ?? '', /wall of text/u)
})

test('success without a document is render_failed', () => {
  const [trigger] = transcriptChecks(aTask(), aTranscript([aRender({ result: '{"ok":true}', args: {} })]), null)
  assert.equal(trigger?.failure_class, 'render_failed')
})

test('a negative control fails only when a render succeeded', () => {
  const task = aTask({ expected_tool_trigger: false, outcome_dom_assertions: { must_contain_strings_in_text_response: ['p^k'] } })
  assert.equal(transcriptChecks(task, aTranscript([aRender()], 'p^k'), AN_APP)[0]?.failure_class, 'overtrigger')
  assert.equal(transcriptChecks(task, aTranscript([aRender({ status: 'error' })], 'p^k'), null)[0]?.status, 'pass')
})

test('text answers are compared normalised, emphasis apart', () => {
  const task = (wanted: string) =>
    aTask({ expected_tool_trigger: false, outcome_dom_assertions: { must_contain_strings_in_text_response: [wanted] } })
  const verdict = (wanted: string, answer: string) => transcriptChecks(task(wanted), aTranscript([], answer), null)[1]
  assert.equal(verdict('p^k', 'It is $p^{k}$.')?.status, 'pass')
  assert.equal(verdict('p^k', 'It is p<sup>k</sup>.')?.status, 'pass')
  assert.equal(verdict('Low-Rank Adaptation', '**Lo**w-**R**ank **A**daptation')?.status, 'pass')
  assert.equal(verdict('hello.py', 'I wrote `hello.py`')?.status, 'pass')
  const missing = verdict('p^k', 'It is p times k.')
  assert.equal(missing?.failure_class, 'text_mismatch')
  assert.match(missing?.evidence.message ?? '', /p\^k/u)
  assert.equal(verdict('p^k', '')?.evidence.seen, 'an empty answer')
})
