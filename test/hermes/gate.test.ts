// The real hermes-agent from PyPI, driven by the command line over all regression tasks: a healthy build, then the regressed one.
// The model service alone is scripted.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { AgentResult } from '../../src/model/agent.ts'
import type { BaselineFile } from '../../src/model/baseline.ts'
import type { Results } from '../../src/model/results.ts'
import { flags, genuiEval, HEALTHY, PROJECT, REGRESSED, scratchFolder, TASKS_FOLDER, type Ended } from '../commands/command-line.ts'

const HERMES = '0.19.0'
const TRIALS = 3
const APP_TASKS = ['hitl_reg_01', 'sim_reg_01', 'study_reg_01', 'study_reg_02', 'study_reg_03', 'study_reg_04']
const TEXT_TASKS = ['neg_reg_01', 'neg_reg_02', 'neg_reg_03', 'neg_reg_04']

const missing = await promisify(execFile)('bash', [path.join(PROJECT, 'scripts/install-hermes.sh'), HERMES]).then(
  () => null,
  (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : String(error)),
)
const skip = missing === null || process.env['GENUI_EVAL_REQUIRE_HERMES'] !== undefined ? false : `hermes-agent ${HERMES}: ${missing}`
if (skip !== false) console.log(`skipped: ${skip}`)

const scratch = await scratchFolder()
const model = await startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0 })
after(async () => {
  await model.close()
  await scratch[Symbol.asyncDispose]()
})

const healthyFolder = path.join(scratch.path, 'healthy')
const regressedFolder = path.join(scratch.path, 'regressed')

function gate(plugin: string, folder: string, more: Readonly<Record<string, string>>): Promise<Ended> {
  const options = {
    plugin,
    'tasks-folder': TASKS_FOLDER,
    agent: 'hermes',
    'hermes-version': HERMES,
    model: 'scripted',
    'base-url': model.url,
    'scripted-model': 'true',
    k: String(TRIALS),
    'max-trials': String(TRIALS),
    concurrency: '3',
    'output-folder': folder,
  }
  return genuiEval(['run', '--json', ...flags({ ...options, ...more })])
}

async function readResults(folder: string): Promise<Results> {
  return JSON.parse(await readFile(path.join(folder, 'results.json'), 'utf8'))
}

/** Thirty passes a task under the conditions of the healthy run: a fixture, as its note says. */
function fixtureBaseline({ run, trials }: Results): BaselineFile {
  const refresh = { commit: '0'.repeat(40), date: '2026-01-01T00:00:00Z', n: 30, c: 30, failures: {}, cost_usd: null, wall_ms: null }
  const tasks: BaselineFile['tasks'] = {}
  for (const { task_id: id, task_digest: digest } of trials) tasks[id] = { digest, refreshes: [refresh] }
  return {
    schema: 'genui-eval/baseline@1',
    note: 'Made by a test from three trials a task; the counts are a fixture.',
    suite: 'regression',
    fingerprint: run.fingerprint,
    tasks,
  }
}

test('the healthy build passes every trial of all ten tasks, and its real handler ran inside Hermes', { skip }, async () => {
  assert.equal(missing, null, `hermes-agent ${HERMES} is required here: ${missing}`)
  const ended = await gate(HEALTHY, healthyFolder, { gate: 'report-only' })
  assert.equal(ended.code, 0, ended.stderr)
  const { run, totals, trials } = await readResults(healthyFolder)
  assert.match(run.fingerprint.agent, new RegExp(`^hermes ${HERMES.replaceAll('.', '\\.')} `))
  assert.deepEqual(totals, { planned: 30, pass: 30, fail: 0, infra: 0, missing: 0 }, ended.stderr)
  assert.deepEqual([...new Set(trials.map((trial) => trial.task_id))].sort(), [...APP_TASKS, ...TEXT_TASKS].sort())
  for (const trial of trials) {
    const recorded: AgentResult = JSON.parse(await readFile(path.join(healthyFolder, trial.transcript_file ?? ''), 'utf8'))
    const { transcript, versions } = recorded
    assert.equal(versions['hermes-agent'], HERMES)
    assert.ok(transcript.tools_offered.includes('render_micro_app'), trial.trial_id)
    const renders = transcript.tool_calls.filter((call) => call.name === 'render_micro_app')
    if (TEXT_TASKS.includes(trial.task_id)) {
      assert.deepEqual(renders, [], trial.trial_id)
      continue
    }
    // only the plugin's handler stores the document, answers with the path, and puts its bridge in
    const answer: { ok?: unknown; path?: unknown; bytes?: unknown } = JSON.parse(renders.at(-1)?.result ?? '{}')
    assert.equal(answer.ok, true, trial.trial_id)
    assert.match(String(answer.path), /[/\\]micro-apps[/\\][a-z0-9-]+-[0-9a-f]{10}\.html$/, trial.trial_id)
    const app = await readFile(path.join(healthyFolder, trial.app_file ?? ''), 'utf8')
    assert.equal(Buffer.byteLength(app), answer.bytes, trial.trial_id)
    assert.match(app, /hermes:action/, trial.trial_id)
    assert.doesNotMatch(JSON.stringify(renders.at(-1)?.args), /hermes:action/, trial.trial_id)
  }
})

test('against a baseline of the healthy build the gate stops the regressed one and names every broken task', { skip }, async () => {
  const baseline = path.join(scratch.path, 'baseline.json')
  await writeFile(baseline, JSON.stringify(fixtureBaseline(await readResults(healthyFolder))))
  const ended = await gate(REGRESSED, regressedFolder, { 'baseline-file': baseline })
  assert.equal(ended.code, 1, ended.stderr)
  const printed: Results = JSON.parse(ended.stdout)
  const { decision, fingerprint_differences: differences, trials } = printed
  assert.deepEqual(differences, [])
  assert.equal(decision.verdict, 'fail')
  const withStatus = (status: string) => decision.tasks.filter((task) => task.status === status).map((task) => task.task_id)
  assert.deepEqual(withStatus('regressed').sort(), APP_TASKS)
  assert.deepEqual(withStatus('stable').sort(), TEXT_TASKS)
  assert.deepEqual(
    trials.filter((trial) => trial.verdict === 'infra').map((trial) => trial.detail),
    [],
  )
  const { size } = await stat(path.join(regressedFolder, 'report.html'))
  assert.ok(size < 15_000_000, `the report of thirty trials takes ${size} bytes`)
  const comment = await readFile(path.join(regressedFolder, 'comment.md'), 'utf8')
  for (const id of APP_TASKS) assert.ok(comment.includes(id), `the comment does not name ${id}`)
})
