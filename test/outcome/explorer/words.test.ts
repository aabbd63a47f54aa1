import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demandedPhrase, isConsent, readName } from '../../../src/outcome/explorer/words.ts'

const reads: readonly (readonly [string, string])[] = [
  ['📤 Send results to Hermes', 'final'],
  ['Confirm choice', 'final'],
  ["Yes, that's my choice", 'final'],
  ['Wrap up', 'final'],
  ['Activate daily watch', 'final'],
  ['Delete 2 files', 'final'],
  ['Next →', 'forward'],
  ['→', 'forward'],
  ["Let's go!", 'forward'],
  ['Got it', 'forward'],
  ['Grade my answers (0/6)', 'check'],
  ['Check answer', 'check'],
  ['× ', 'back'],
  ['Keep studying', 'back'],
  ['Go back', 'back'],
  ['Reset', 'back'],
  ['Run again', 'back'],
  ['Partition tolerance', 'neutral'],
  ['The leader appends the entry and will send it to a majority of followers later on', 'neutral'],
  ['S Sarah Can you merge PR #42?', 'neutral'],
]
for (const [name, intent] of reads) {
  test(`a person reads "${name}" as ${intent}`, () => {
    assert.equal(readName(name, false).intent, intent)
  })
}

test('the submit button of a form is final whatever it is called, unless it leads back', () => {
  assert.equal(readName('Go', true).intent, 'final')
  assert.equal(readName('Cancel', true).intent, 'back')
})

test('what names Hermes goes before what merely confirms', () => {
  assert.ok(readName('Send to Hermes', false).strength > readName('Save draft', false).strength)
})

const phrases: readonly (readonly [string, string | null])[] = [
  ['To go on, type «DELETE staging» below.', 'DELETE staging'],
  ['Type "yes, delete" to confirm', 'yes, delete'],
  ['Type DELETE to confirm', 'DELETE'],
  ['type delete to confirm', 'delete'],
  ['Enter the PID «4812» to go on:', '4812'],
  ['Confirmation | DELETE', 'DELETE'],
  ['Type your answer here', null],
  ['Enter your name', null],
  ['Add a topic, e.g. Tool Use', null],
]
for (const [hint, phrase] of phrases) {
  test(`the phrase demanded by "${hint}" is ${phrase ?? 'none'}`, () => {
    assert.equal(demandedPhrase(hint), phrase)
  })
}

test('a consent is told from a choice', () => {
  assert.ok(isConsent('I understand that this cannot be undone'))
  assert.ok(!isConsent('ubuntu-24.04.iso'))
})
