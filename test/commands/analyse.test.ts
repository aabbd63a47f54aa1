import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { TrialRecord } from '../../src/model/record.ts'
import { asText, at, parseJson } from '../github/json.ts'
import { FINGERPRINT, makeRecord } from '../records/make-record.ts'
import { genuiEval, HEALTHY, makeRun, REGRESSED, scratchFolder } from './command-line.ts'

const scratch = await scratchFolder()
const healthy = path.join(scratch.path, 'healthy')
const regressed = path.join(scratch.path, 'regressed')

before(async () => {
  await makeRun(HEALTHY, healthy)
  await makeRun(REGRESSED, regressed)
})
after(() => scratch[Symbol.asyncDispose]())

async function recorded(name: string, records: readonly TrialRecord[]): Promise<string> {
  const folder = path.join(scratch.path, name)
  await mkdir(folder)
  await writeFile(path.join(folder, 'records.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return folder
}

const failed = { verdict: 'fail', failure_class: 'no_callback' } as const
const lost = { verdict: 'infra', infra_class: 'quota', score: null } as const
/** hitl_reg_01: 3 of 4, one lost; neg_reg_01: 2 of 2; wall times 1 to 6 s; a cent a trial. */
const KNOWN = [
  makeRecord('hitl_reg_01', 0, { wall_ms: 1000 }),
  makeRecord('hitl_reg_01', 1, { wall_ms: 2000 }),
  makeRecord('hitl_reg_01', 2, { wall_ms: 3000 }),
  makeRecord('hitl_reg_01', 3, { wall_ms: 4000, ...failed }),
  makeRecord('hitl_reg_01', 4, { wall_ms: 99_000, cost_usd: 7, ...lost }),
  makeRecord('neg_reg_01', 0, { wall_ms: 5000, tool_calls: 0 }),
  makeRecord('neg_reg_01', 1, { wall_ms: 6000, tool_calls: 0 }),
]

test('figures of known records are exact, and what could not be measured is in none of them', async () => {
  const folder = await recorded('known', KNOWN)
  const ended = await genuiEval(['analyse', folder, '--k', '2', '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const run = at(parseJson(ended.stdout), 'runs', 0)
  const all = at(run, 'overall')
  assert.deepEqual(at(all, 'trials'), { pass: 5, fail: 1, infra: 1 })
  assert.equal(at(all, 'success', 'rate'), 5 / 6)
  // C(3,2)/C(4,2) = 1/2 and 1: their mean
  assert.deepEqual(at(all, 'consistency'), { pass_k: 0.75, pass_at_k: 1, tasks: 2 })
  assert.ok(Math.abs(Number(at(all, 'cost_usd', 'per_success')) - 0.06 / 5) < 1e-12)
  assert.deepEqual(at(all, 'steps'), { tool_calls: 2, model_calls: 1, app_steps: 0 })
  const wall = at(all, 'latency_ms', 'wall')
  assert.deepEqual([at(wall, 'p50'), at(wall, 'p90'), at(wall, 'max')], [3500, 5500, 6000])
  assert.deepEqual(at(run, 'failures'), [{ failure_class: 'no_callback', trials: 1, share: 1, tasks: ['hitl_reg_01'] }])
  assert.deepEqual(at(run, 'unmeasured', 0, 'failure_class'), 'quota')
  // an interrupted run has no results: its tasks are looked up
  assert.equal(at(run, 'by_category', 'negative_control', 'success', 'rate'), 1)
  assert.equal(at(run, 'by_explicitness', 'explicit_ui', 'success', 'rate'), 0.75)
})

test('agreement of the judge with the checks that decide the same by code is told', async () => {
  const evidence = { message: 'seen' }
  const check = (grader: 'interaction' | 'rubric', name: string, status: 'pass' | 'fail') => ({
    grader,
    name,
    status,
    failure_class: null,
    diagnostic: false,
    evidence,
  })
  const judged = (index: number, code: 'pass' | 'fail', judge: 'pass' | 'fail') =>
    makeRecord('study_reg_02', index, {
      checks: [check('interaction', 'answers_hidden', code), check('rubric', 'hidden_answers_by_default', judge)],
    })
  const folder = await recorded('twins', [judged(0, 'pass', 'pass'), judged(1, 'pass', 'fail'), judged(2, 'fail', 'pass')])
  const ended = await genuiEval(['analyse', folder])
  assert.match(ended.stdout, /^study_reg_02 hidden_answers_by_default = interaction\.answers_hidden +3 +1 +1 +1$/m)
  const rows = at(parseJson((await genuiEval(['analyse', folder, '--json'])).stdout), 'runs', 0, 'rubric_twins')
  assert.deepEqual([at(rows, 0, 'compared'), at(rows, 0, 'agree'), at(rows, 0, 'judge_stricter')], [3, 1, 1])
})

test('a trial without a price makes the cost of a success unknown, not smaller', async () => {
  const folder = await recorded('unpriced', [makeRecord('hitl_reg_01', 0), makeRecord('hitl_reg_01', 1, { cost_usd: null })])
  const all = at(parseJson((await genuiEval(['analyse', folder, '--json'])).stdout), 'runs', 0, 'overall')
  assert.deepEqual([at(all, 'cost_usd', 'total'), at(all, 'cost_usd', 'per_success')], [0.01, null])
})

test('two builds: only the plugin build differs, and the broken tasks are seen', async () => {
  const ended = await genuiEval(['analyse', healthy, regressed])
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /Only the plugin build differs: genui 1\.4\.0 \(\w+\) → genui 1\.5\.0 \(\w+\)\./)
  assert.match(ended.stdout, /^hitl_reg_01 +1\/1 +0\/1 +−100 points$/m)
  assert.match(ended.stdout, /^neg_reg_01 +1\/1 +1\/1 +±0$/m)
})

test('the same run twice differs in nothing; several differing settings are all named, a model and its parameter apart', async () => {
  const same = at(parseJson((await genuiEval(['analyse', healthy, healthy, '--json'])).stdout), 'comparison')
  assert.deepEqual([at(same, 'differences'), at(same, 'success_difference', 'mean')], [[], 0])
  assert.match(asText(at(same, 'statement')), /only chance differs/)

  const other = await recorded(
    'other-model',
    KNOWN.map((record) => ({ ...record, fingerprint: { ...FINGERPRINT, model: 'n temperature=0.5' } })),
  )
  const ended = await genuiEval(['analyse', await recorded('first-model', KNOWN), other, '--json'])
  const comparison = at(parseJson(ended.stdout), 'comparison')
  assert.deepEqual(at(comparison, 'differences'), [
    { setting: 'model', first: 'm', second: 'n' },
    { setting: 'temperature', first: 'not set', second: '0.5' },
  ])
  assert.match(asText(at(comparison, 'statement')), /^2 things differ, so no figure below can be put down to one of them/)
})

test('only tasks that both runs hold in one version are compared; without any the command refuses', async () => {
  const mine = await recorded('mine', [makeRecord('hitl_reg_01', 0), makeRecord('neg_reg_01', 0), makeRecord('study_reg_04', 0)])
  const theirs = await recorded('theirs', [makeRecord('hitl_reg_01', 0), makeRecord('neg_reg_01', 0, { task_digest: 'd2' })])
  const comparison = at(parseJson((await genuiEval(['analyse', mine, theirs, '--json'])).stdout), 'comparison')
  assert.deepEqual(at(comparison, 'tasks'), ['hitl_reg_01'])
  assert.deepEqual(at(comparison, 'left_out'), ['neg_reg_01: the task was changed between the runs', 'study_reg_04: only in the first run'])

  const apart = await genuiEval(['analyse', await recorded('apart', [makeRecord('neg_reg_02', 0)]), theirs])
  assert.deepEqual([apart.code, apart.stdout], [2, ''])
  assert.match(apart.stderr, /share no task/)
  const wrong = await genuiEval(['analyse', mine, '--k', 'three'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /input "k": must be a whole number/)
})
