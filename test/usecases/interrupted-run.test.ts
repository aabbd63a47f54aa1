import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { readRecords } from '../../src/records/read-records.ts'
import { HEALTHY_PLUGIN, openEvaluation, type Evaluation } from './evaluation.ts'

const TASKS = ['--plugin', HEALTHY_PLUGIN, '--tasks', 'neg_reg_01,neg_reg_02', '--k', '6', '--max-trials', '6', '--concurrency', '1']

const recordsOf = ({ folder }: Evaluation) => readRecords(join(folder, 'run', 'records.jsonl')).catch(() => [])

test('a run killed in the middle leaves valid records; run again it makes only the others, and nothing is billed twice', async () => {
  await using evaluation = await openEvaluation({ latency: { ms: 150, spread: 0 } })
  const child = evaluation.start(...TASKS)
  const ended = once(child, 'exit')
  while ((await recordsOf(evaluation)).length < 4) {
    assert.equal(child.exitCode, null, 'the run ended before it could be killed')
    await delay(20)
  }
  child.kill('SIGKILL')
  await ended
  const kept = await recordsOf(evaluation)
  assert.ok(kept.length >= 4 && kept.length < 12)
  const billedBefore = evaluation.model.requests.length
  const callsKept = kept.reduce((sum, record) => sum + record.model_calls, 0)
  // What was under way when the run was killed was asked for and never recorded: one trial at most, since one runs at a time.
  assert.ok(billedBefore >= callsKept && billedBefore <= callsKept + 3, `${billedBefore} requests for ${callsKept} recorded calls`)

  const again = await evaluation.run(...TASKS, '--json')
  const results = JSON.parse(again.stdout)
  assert.deepEqual(results.totals, { planned: 12, pass: 12, fail: 0, infra: 0, missing: 0 })
  const all = await recordsOf(evaluation)
  const missing = all.filter(({ trial_id: id }) => !kept.some((record) => record.trial_id === id))
  assert.equal(missing.length, 12 - kept.length)
  assert.equal(
    evaluation.model.requests.length - billedBefore,
    missing.reduce((sum, record) => sum + record.model_calls, 0),
  )
  for (const record of kept)
    assert.deepEqual(
      all.find(({ trial_id: id }) => id === record.trial_id),
      record,
    )
  assert.equal(results.run.id, kept[0]?.run_id)
  assert.match(again.stderr, new RegExp(`${kept.length} trials are scored already`))
})
