// Rubrics judged within a run, by the real command line against a scripted agent model and a scripted judge.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TrialRecord } from '../../src/model/record.ts'
import type { Results } from '../../src/model/results.ts'
import { genuiEval } from '../commands/command-line.ts'
import { HEALTHY_PLUGIN, openEvaluation, type Ended, type Evaluation } from './evaluation.ts'
import { startJudgeService, type JudgeService } from './judge-service.ts'

const REGRESSED_PLUGIN = `${HEALTHY_PLUGIN}-regressed`
const QUICK = ['--plugin', HEALTHY_PLUGIN, '--tasks', 'neg_reg_01,neg_reg_02', '--gate', 'report-only', '--k', '1', '--max-trials', '1']

function judgedBy({ url }: Pick<JudgeService, 'url'>, ...more: string[]): string[] {
  return ['--judge', 'strict-judge', '--judge-base-url', url, ...more, '--json']
}

function resultsOf(ended: Ended): Results {
  assert.notEqual(ended.stdout, '', ended.stderr)
  const results: Results = JSON.parse(ended.stdout)
  return results
}

function rubricsOf(record: TrialRecord | undefined) {
  return (record?.checks ?? []).filter(({ grader }) => grader === 'rubric')
}

const agentCalls = (evaluation: Evaluation): number => evaluation.model.requests.length

test('30 trials with one rubric each cost one call for each trial that other graders passed, and none for the others', async () => {
  await using evaluation = await openEvaluation({ slipRate: 0.4 })
  await using judge = await startJudgeService(() => 'PASS')
  const trials = ['--tasks', 'neg_reg_01,neg_reg_02,neg_reg_03', '--k', '10', '--max-trials', '10']
  const ended = await evaluation.run(...QUICK, ...trials, ...judgedBy(judge))
  const results = resultsOf(ended)
  assert.equal(results.trials.length, 30)
  const [failed, others] = [
    results.trials.filter(({ verdict }) => verdict === 'fail'),
    results.trials.filter(({ verdict }) => verdict === 'pass'),
  ]
  assert.ok(failed.length > 0 && others.length > 0, `${failed.length} failed`)
  assert.equal(judge.questions.length, others.length)
  for (const record of failed) {
    assert.equal(record.judge, undefined)
    for (const { status, evidence } of rubricsOf(record))
      assert.deepEqual([status, /had failed already/.test(evidence.message)], ['skipped', true])
  }
  for (const record of others) assert.deepEqual([record.judge?.calls, rubricsOf(record).map(({ status }) => status)], [1, ['pass']])
  assert.deepEqual([results.judge?.calls, results.judge?.trials], [others.length, others.length])
})

test('a FAIL with its quotation fails the trial; what it took is in record and reports; the key is nowhere', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(({ rubric }) => (rubric === 'no_overtriggering_on_simple_fact' ? 'FAIL' : 'PASS'))
  const key = 'canary-judge-key-0f7b1c'
  const prices = ['--prices', '{"strict-judge": {"input": 1, "output": 10}}']
  const judging = judgedBy(judge, '--judge-screenshots', 'true', ...prices)
  const tasks = ['--tasks', 'neg_reg_01,hitl_reg_01']
  const child = await genuiEval(evaluation.arguments(...QUICK, ...tasks, ...judging).slice(1), {
    cwd: evaluation.folder,
    env: { GENUI_EVAL_JUDGE_API_KEY: key },
  })
  const results = resultsOf(child)
  const [text, app] = ['neg_reg_01', 'hitl_reg_01'].map((id) => results.trials.find(({ task_id }) => task_id === id))
  assert.deepEqual([text?.verdict, text?.failure_class, app?.verdict], ['fail', 'rubric_fail', 'pass'])
  const [check] = rubricsOf(text)
  assert.match(check?.evidence.message ?? '', /Because the script says FAIL/)
  assert.ok((check?.evidence.seen ?? '').length > 10)
  assert.deepEqual([text?.judge?.tokens, text?.judge?.cost_usd], [1100, 0.002])
  const [aboutText, aboutApp] = ['no_overtriggering_on_simple_fact', 'safe_defaults_for_important_files'].map((id) =>
    judge.questions.find(({ rubric }) => rubric === id),
  )
  assert.equal(aboutText?.images, 0)
  assert.ok((aboutApp?.images ?? 0) > 0)
  assert.ok(judge.questions.every(({ authorization }) => authorization === `Bearer ${key}`))
  assert.match(results.run.fingerprint.judge, /strict-judge/)
  assert.match(results.run.repeat_command, /--judge strict-judge --judge-base-url \S+ --judge-screenshots true/)
  assert.match(await evaluation.runFile('comment.md'), /\*\*Judge\*\* 0\.0040 USD .*2 calls for 2 trials.*prompts of about/)
  assert.match(await evaluation.runFile('report.html'), /Judge: 1 call/)
  for (const entry of await readdir(join(evaluation.folder, 'run'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1')
    for (const form of [key, Buffer.from(key).toString('base64').replaceAll('=', '')]) assert.ok(!bytes.includes(form), entry.name)
  }
  assert.ok(!`${child.stdout}${child.stderr}`.includes(key))
})

test('the key of the agent goes to no other address than its own', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(() => 'PASS')
  const elsewhere = await genuiEval(evaluation.arguments(...QUICK, ...judgedBy(judge)).slice(1), {
    cwd: evaluation.folder,
    env: { GENUI_EVAL_API_KEY: 'agents-own-key' },
  })
  assert.deepEqual(
    resultsOf(elsewhere).trials.map(({ verdict }) => verdict),
    ['pass', 'pass'],
  )
  assert.deepEqual(new Set(judge.questions.map(({ authorization }) => authorization)), new Set(['']))
  const asked = agentCalls(evaluation)
  const remote = await evaluation.run(...QUICK, ...judgedBy({ url: 'https://judge.example/v1' }))
  assert.deepEqual([remote.code, remote.stdout], [2, ''])
  assert.match(remote.stderr, /input "judge-api-key": is needed to ask the judge at judge\.example/)
  assert.equal(agentCalls(evaluation), asked, 'nothing was spent')
})

test('a key that is refused: inconclusive, no further trial is started, and no agent runs twice for it', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(() => ({ status: 401, error: 'Incorrect API key provided' }))
  const trials = ['--k', '10', '--max-trials', '10', '--concurrency', '1', '--retries', '0', '--gate', 'statistical']
  const results = resultsOf(await evaluation.run(...QUICK, ...trials, ...judgedBy(judge)))
  const { decision, totals } = results
  assert.equal(decision.verdict, 'inconclusive')
  assert.deepEqual([totals.pass, totals.fail], [0, 0])
  assert.ok(totals.infra >= 3 && totals.missing > 0, JSON.stringify(totals))
  assert.match(decision.reason, /the judge cannot be asked any more\. The model service refused the API key/)
  assert.match(results.notices.join('\n'), /model_unavailable: The judge gave no verdict: .*refused the API key/)
  assert.match(results.run.fingerprint.judge, /strict-judge/)
  for (const record of results.trials) assert.deepEqual([record.verdict, record.attempts], ['infra', 1])
})

test('a judge that is down leaves trials unmeasured, those that failed otherwise apart', async () => {
  await using evaluation = await openEvaluation()
  const gone = await startJudgeService(() => 'PASS')
  await gone[Symbol.asyncDispose]()
  const settings = ['--retries', '0', '--judge-after-failure', 'true', '--tasks', 'neg_reg_01,study_reg_04', '--plugin', REGRESSED_PLUGIN]
  const ended = await evaluation.run(...QUICK, ...settings, ...judgedBy(gone))
  const { trials } = resultsOf(ended)
  const byTask = new Map(trials.map((record) => [record.task_id, record]))
  assert.deepEqual([byTask.get('neg_reg_01')?.infra_class, byTask.get('study_reg_04')?.verdict], ['model_unavailable', 'fail'])
  assert.notEqual(byTask.get('study_reg_04')?.judge?.trouble ?? null, null)
})

test('an answer that is no verdict is asked for again, the agent is not; without one the trial is neither pass nor fail', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(({ rubric }) =>
    rubric === 'no_overtriggering_on_simple_fact' ? { content: 'I would say this is not a PASS.' } : 'PASS',
  )
  const { trials } = resultsOf(await evaluation.run(...QUICK, '--retries', '1', ...judgedBy(judge)))
  const broken = trials.find(({ task_id }) => task_id === 'neg_reg_01')
  assert.deepEqual([broken?.verdict, broken?.infra_class, broken?.attempts, broken?.judge?.attempts], ['infra', 'judge_error', 1, 2])
  assert.equal(trials.find(({ task_id }) => task_id === 'neg_reg_02')?.verdict, 'pass')
  assert.equal(
    agentCalls(evaluation),
    trials.reduce((sum, { model_calls: calls }) => sum + calls, 0),
  )
})

test('judged and unjudged runs are not compared, nor runs with different judges; the part is named', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(() => 'PASS')
  const off = resultsOf(await evaluation.run(...QUICK, '--json'))
  assert.equal(off.run.fingerprint.judge, 'off')
  assert.equal(off.judge, undefined)
  for (const record of off.trials)
    assert.deepEqual(
      rubricsOf(record).map(({ status, evidence }) => [status, evidence.message]),
      [['skipped', 'The judge is off.']],
    )
  const refresh = { commit: 'c', date: '2026-01-01T00:00:00.000Z', n: 30, c: 30, failures: {}, cost_usd: null, wall_ms: null }
  const digests = off.trials.map(({ task_id: id, task_digest: digest }) => [id, { digest, refreshes: [refresh] }] as const)
  const file = {
    schema: 'genui-eval/baseline@1',
    suite: 'regression',
    fingerprint: off.run.fingerprint,
    tasks: Object.fromEntries(digests),
  }
  await writeFile(join(evaluation.folder, 'baseline.json'), JSON.stringify(file))
  const ended = await evaluation.run(...QUICK, '--gate', 'statistical', '--baseline-file', 'baseline.json', ...judgedBy(judge))
  assert.equal(ended.code, 3)
  assert.match(resultsOf(ended).decision.reason, /judge: off → .*strict-judge/)
})

test('what is known of a judge: unmeasured is said, a kin of the agent is said, an unfit one may not gate', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService(() => 'PASS')
  const kin = resultsOf(await evaluation.run(...QUICK, ...judgedBy(judge, '--judge', 'vendor/Scripted-judge-2')))
  assert.match(kin.notices.join('\n'), /This judge has not been measured/)
  assert.match(kin.notices.join('\n'), /of one model family by their names \(“scripted”\)/)

  const measured = {
    schema: 'genui-eval/judge-health@1',
    fingerprint: kin.run.fingerprint.judge.replace('vendor/Scripted-judge-2', 'strict-judge'),
    references: { passed: 20, total: 20 },
    traps: { failed: 38, total: 40 },
    parse_failures: 0,
    healthy: true,
    why: 'every reference passed',
  }
  const healthFile = join(evaluation.folder, 'health.json')
  const withHealth = judgedBy(judge, '--judge-health', healthFile)
  await writeFile(healthFile, JSON.stringify(measured))
  const fit = resultsOf(await evaluation.run(...QUICK, ...withHealth))
  assert.deepEqual(fit.notices, [])
  assert.match(await evaluation.runFile('comment.md'), /measured: references 20\/20 passed, traps 38\/40 failed/)

  const asked = agentCalls(evaluation)
  for (const [change, sentence] of [
    [{ fingerprint: 'another judge' }, /the judge may not gate: its health was measured under other conditions \(another judge\)/],
    [{ healthy: false, why: '9 of 40 traps passed' }, /the judge may not gate: .*not good enough\. 9 of 40 traps passed/],
  ] as const) {
    await writeFile(healthFile, JSON.stringify({ ...measured, ...change }))
    const refused = await evaluation.run(...QUICK, '--gate', 'statistical', ...withHealth)
    assert.deepEqual([refused.code, refused.stdout], [3, ''])
    assert.match(refused.stderr, sentence)
  }
  await writeFile(healthFile, '{"schema": "something else"}')
  assert.equal((await evaluation.run(...QUICK, ...withHealth)).code, 2)
  assert.equal(agentCalls(evaluation), asked, 'nothing was spent')
})

test('regrade asks a judge that is named, and says it when rubrics are judged no longer; doctor looks at the judge', async () => {
  await using evaluation = await openEvaluation()
  await using judge = await startJudgeService((_, number) => (number <= 2 ? 'PASS' : 'FAIL'))
  const run = join(evaluation.folder, 'run')
  await evaluation.run(...QUICK, ...judgedBy(judge))
  const output = join(evaluation.folder, 'again')
  const regrade = async (...more: string[]) => {
    const ended = await genuiEval(['regrade', run, '--output-folder', output, '--json', ...more])
    assert.equal(ended.code, 0, ended.stderr)
    const document: { trials: { changed: number }; conditions_changed: string[] } = JSON.parse(ended.stdout)
    return document
  }
  const without = await regrade()
  assert.equal(without.trials.changed, 0)
  assert.match(without.conditions_changed.join('\n'), /rubrics are no longer judged/)
  const judged = await regrade('--judge', 'strict-judge', '--judge-base-url', judge.url)
  assert.deepEqual([judged.trials.changed, judged.conditions_changed], [2, []])

  const doctor = await genuiEval(['doctor', '--json', '--judge', 'strict-judge', '--judge-base-url', judge.url])
  const { findings }: { findings: { name: string; status: string }[] } = JSON.parse(doctor.stdout)
  assert.equal(findings.find(({ name }) => name === 'judge')?.status, 'ok')
})
