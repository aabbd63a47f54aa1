import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEALTHY_PLUGIN, openEvaluation } from './evaluation.ts'

const PLUGIN = ['--plugin', HEALTHY_PLUGIN]
const QUICK = [...PLUGIN, '--tasks', 'neg_reg_01,neg_reg_02']

test('a paired run of equal builds: one document on stdout, both arms with the same seeds, verdict pass without a stored baseline', async () => {
  await using evaluation = await openEvaluation()
  const tasks = [...PLUGIN, '--tasks', 'neg_reg_01,neg_reg_02,hitl_reg_01']
  const ended = await evaluation.run(...tasks, '--paired', 'true', '--base-plugin', HEALTHY_PLUGIN, '--json')
  assert.equal(ended.code, 0, ended.stderr)
  const results = JSON.parse(ended.stdout)
  assert.equal(results.decision.verdict, 'pass')
  assert.deepEqual(results.baseline_origin, { kind: 'paired' })
  assert.deepEqual(results.totals, { planned: 9, pass: 9, fail: 0, infra: 0, missing: 0 })
  const arms = Map.groupBy<string, { arm: string; task_id: string; seed: number }>(results.trials, ({ arm }) => arm)
  const seeds = (arm: string) => (arms.get(arm) ?? []).map(({ task_id: id, seed }) => `${id} ${seed}`).sort()
  assert.equal(seeds('head').length, 9)
  assert.deepEqual(seeds('head'), seeds('base'))
  for (const task of results.decision.tasks) assert.deepEqual([task.baseline.n, task.baseline.c], [3, 3])
  const tokens = results.spending.comparison.find(({ metric }: { metric: string }) => metric === 'tokens')
  assert.ok(tokens.head > 0 && tokens.head === tokens.baseline)
  assert.match(results.notices.join(' '), /both builds were run side by side/)
  assert.ok((await evaluation.runFile('comment.md')).length > 200)
})

test('a budget that ends a run early makes it partial and inconclusive, and says why', async () => {
  await using evaluation = await openEvaluation({ latency: { ms: 700, spread: 0 } })
  const limits = ['--k', '12', '--max-trials', '12', '--concurrency', '1', '--max-minutes', '0.1']
  const ended = await evaluation.run(...QUICK, ...limits, '--paired', 'true', '--base-plugin', HEALTHY_PLUGIN, '--json')
  assert.equal(ended.code, 3)
  const { decision, totals } = JSON.parse(ended.stdout)
  assert.equal(decision.verdict, 'inconclusive')
  assert.match(decision.reason, /planned trials were not made: the budget of 0\.1 minutes is spent/)
  assert.ok(totals.missing > 0)
  assert.equal(totals.planned, totals.pass + totals.fail + totals.infra + totals.missing)
})

test('a model that cannot be reached is inconclusive with exit code 3, never green', async () => {
  await using evaluation = await openEvaluation()
  await evaluation.model.close()
  const paired = ['--paired', 'true', '--base-plugin', HEALTHY_PLUGIN]
  const ended = await evaluation.run(...QUICK, ...paired, '--k', '1', '--retries', '0', '--json')
  assert.equal(ended.code, 3)
  const { decision, totals } = JSON.parse(ended.stdout)
  assert.equal(decision.verdict, 'inconclusive')
  assert.deepEqual([totals.pass, totals.fail, totals.infra], [0, 0, 2])
  for (const task of decision.tasks) assert.equal(task.status, 'unmeasured')
})

test('bad settings are refused before anything is spent, all at once, with exit code 2', async () => {
  await using evaluation = await openEvaluation()
  const ended = await evaluation.run(...QUICK, '--base-plugin', 'somewhere', '--max-tokens-increase', 'ten', '--k', '0', '--json')
  assert.equal(ended.code, 2)
  assert.equal(ended.stdout, '')
  for (const name of ['base-plugin', 'max-tokens-increase', 'k']) assert.match(ended.stderr, new RegExp(`input "${name}"`))
  const both = await evaluation.run(...QUICK, '--paired', 'true', '--baseline-file', 'b.json')
  assert.match(both.stderr, /baseline-file.*paired run/)
  assert.equal(evaluation.model.requests.length, 0)
})

test('a baseline of another model is inconclusive and names the part', async () => {
  await using evaluation = await openEvaluation()
  const fingerprint = { graders: '0', agent: 'builtin 0', model: 'another', judge: 'off', network: 'none', browser: 'chromium 1' }
  const refresh = { commit: 'c', date: '2026-01-01T00:00:00.000Z', n: 30, c: 30, failures: {}, cost_usd: null, wall_ms: null }
  const file = {
    schema: 'genui-eval/baseline@1',
    suite: 'regression',
    fingerprint,
    tasks: { neg_reg_01: { digest: 'd', refreshes: [refresh] } },
  }
  await writeFile(join(evaluation.folder, 'baseline.json'), JSON.stringify(file))
  const ended = await evaluation.run(...PLUGIN, '--tasks', 'neg_reg_01', '--k', '1', '--baseline-file', 'baseline.json', '--json')
  assert.equal(ended.code, 3)
  assert.match(JSON.parse(ended.stdout).decision.reason, /model: another → scripted/)
})
