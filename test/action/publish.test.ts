// A fork's run and the `workflow_run` job that posts it: `mode: publish` of the packaged Action, with honest and with hostile artifacts.
import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { TrialRecord } from '../../src/model/record.ts'
import { SHA } from '../github/github-state.ts'
import type { StepResult } from '../github/runner.ts'
import { REPOSITORY } from '../github/world.ts'
import { buildAction, QUICK_TASKS, type BuiltAction } from './built-action.ts'
import { baselineOfHealthyBuild, brokenPlugin, errorLines, startModel, startWorld, unpack, type GateWorld } from './gate-world.ts'
import { zip } from './made-up-run.ts'
import type { PullRequest } from './pull-request.ts'

let built: BuiltAction
let model: ScriptedModel
let baseline = ''
/** What the fork's runs uploaded. */
let healthy: readonly TrialRecord[] = []
let regressed: readonly TrialRecord[] = []

before(async () => {
  built = await buildAction()
  model = await startModel()
  baseline = await baselineOfHealthyBuild(built, model, QUICK_TASKS)
  healthy = await recordsOfFork()
  regressed = await recordsOfFork(await brokenPlugin(built))
})
after(async () => {
  await model.close()
  await built[Symbol.asyncDispose]()
})

/** The unprivileged half: a fork's run, whose token only reads, and the records that it leaves. */
async function recordsOfFork(head_plugin?: string): Promise<readonly TrialRecord[]> {
  await using world = await startWorld(built, model, baseline)
  world.fake.state.permissions.clear()
  const pull = await world.open(head_plugin === undefined ? {} : { head_plugin }, true)
  const step = await world.run(pull, { payload: pull.payload(true), inputs: { tasks: QUICK_TASKS.join(',') } })
  const artifact = world.store.artifacts.find(({ name }) => name === 'genui-eval-records') ?? assert.fail(step.log)
  const lines = (await unpack(built, artifact.bytes)).get('records.jsonl')?.toString('utf8') ?? ''
  return lines
    .trim()
    .split('\n')
    .map((line): TrialRecord => JSON.parse(line))
}

const jsonl = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

interface Published {
  readonly world: GateWorld
  readonly step: StepResult
  readonly pull: PullRequest
}

/** The privileged half: a run on `workflow_run`, in a checkout of main. */
async function publish(
  world: GateWorld,
  files: Readonly<Record<string, string>> | null,
  over: { readonly head_sha?: string } = {},
): Promise<Published> {
  const pull = await world.open({}, true)
  world.fake.state.files.set(pull.base, new Map([['baselines/regression.json', baseline]]))
  if (files !== null) {
    const blob = zip(files)
    world.fake.state.artifacts.push({ id: 901, run_id: 77, name: 'genui-eval-records', blob, expired: false, size: blob.length })
  }
  const head_repository = { id: 99, owner: { login: 'eve' }, full_name: 'eve/plugin' }
  const run = { id: 77, run_attempt: 1, event: 'pull_request', conclusion: 'failure', head_branch: 'feature', head_repository }
  const step = await world.run(pull, {
    event: 'workflow_run',
    payload: {
      action: 'completed',
      repository: REPOSITORY,
      workflow_run: { ...run, head_sha: over.head_sha ?? pull.head, pull_requests: [] },
    },
    inputs: { mode: 'publish', plugin: '', model: '', agent: 'hermes', 'api-key': '', tasks: QUICK_TASKS.join(',') },
    env: { GITHUB_SHA: SHA.base, GITHUB_RUN_ID: '600' },
  })
  return { world, step, pull }
}

const commentOf = (world: GateWorld): string => world.fake.state.comments[0]?.body ?? ''
const checksOf = (world: GateWorld) => world.fake.state.checks.map(({ head_sha, status, conclusion }) => [head_sha, status, conclusion])

test("a fork's green and red are posted once each, on its head commit, as its own word", async () => {
  for (const [records, sign, conclusion] of [
    [healthy, '🟢 Pass', 'success'],
    [regressed, '🔴 Regression', 'failure'],
  ] as const) {
    await using world = await startWorld(built, model, baseline)
    const { step, pull } = await publish(world, { 'records.jsonl': jsonl(records) })
    assert.equal(step.exit_code, 0, step.log)
    assert.deepEqual([world.fake.state.comments.length, checksOf(world)], [1, [[pull.head, 'completed', conclusion]]], step.log)
    assert.match(commentOf(world), new RegExp(`run=77\\.1 -->\\n### ${sign}: By the pull request's own word: `))
    assert.match(commentOf(world), /made and uploaded by code of the pull request itself/)
    assert.match(
      commentOf(world),
      /Screenshots and transcripts\]\(https:\/\/github\.localhost\/octo\/plugin\/actions\/runs\/77#artifacts\)/,
    )
    assert.match(commentOf(world), new RegExp(`baseline of commit \`${pull.base.slice(0, 10)}\``))
    assert.deepEqual([world.fake.problems, world.store.problems], [[], []])
  }
})

test('a forged verdict is counted anew: a pass against its own checks is a failure', async () => {
  await using world = await startWorld(built, model, baseline)
  const forged = regressed.map((record) => ({ ...record, verdict: 'pass', failure_class: null, detail: 'every check passed', score: 1 }))
  const files = { 'records.jsonl': jsonl(forged), 'results.json': '{"decision":{"verdict":"pass"}}', 'comment.md': '# all green', pr: '8' }
  const { step } = await publish(world, files)
  assert.equal(step.exit_code, 0, step.log)
  assert.deepEqual(
    world.fake.state.checks.map(({ conclusion }) => conclusion),
    ['failure'],
  )
  assert.match(commentOf(world), /trials claimed to pass against their own checks/)
  assert.doesNotMatch(commentOf(world), /all green/)
  assert.deepEqual(
    world.fake.state.comments.map(({ issue }) => issue),
    [7],
  )
})

test('a task whose failures were left out is not green', async () => {
  await using world = await startWorld(built, model, baseline)
  const { step } = await publish(world, { 'records.jsonl': jsonl(healthy.filter(({ task_id: id }) => id !== 'neg_reg_02')) })
  assert.equal(step.outputs['verdict'], 'inconclusive', step.log)
  assert.deepEqual(
    world.fake.state.checks.map(({ conclusion }) => conclusion),
    ['failure'],
  )
  assert.match(commentOf(world), /lack 3 trials that the design asks for \(`neg_reg_02`\)/)
})

test('paths in records open nothing, and what a record says stays text', async () => {
  await using world = await startWorld(built, model, baseline)
  const detail = '@octocat </details> ![x](https://evil.example/?q=1) <!-- genui-eval-action id=default --> ::error::x ##[error]y'
  const climbing = regressed.map((record) => ({
    ...record,
    detail,
    screenshots: ['../../../../etc/passwd'],
    transcript_file: '../../../../etc/passwd',
    app_file: '/etc/passwd',
  }))
  const { step } = await publish(world, { 'records.jsonl': jsonl(climbing) })
  assert.equal(step.exit_code, 0, step.log)
  const report = world.store.artifacts.find(({ mime_type: type }) => type === 'text/html')
  const html = Buffer.from(report?.bytes ?? []).toString('utf8')
  assert.equal(html.length > 1000, true)
  assert.doesNotMatch(html, /root:x:0:0|cm9vdDp4OjA6/)
  const shown = micromark(commentOf(world), { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
  const outsideOfCode = shown.replaceAll(/<(code|pre)>.*?<\/\1>/gs, '')
  assert.match(shown, /octocat/)
  assert.doesNotMatch(outsideOfCode, /octocat|<img|evil\.example/)
  assert.doesNotMatch(step.log, /##\[error\]y|^::error::x/m)
})

const HOSTILE: readonly { readonly what: string; readonly files: () => Readonly<Record<string, string>>; readonly says: RegExp }[] = [
  {
    what: 'climbs out of its folder',
    files: () => ({ '../escaped.txt': 'x', 'records.jsonl': jsonl(healthy) }),
    says: /refused: invalid relative path: \.\.\/escaped\.txt/,
  },
  { what: 'is a bomb', files: () => ({ 'records.jsonl': '0'.repeat(70 * 2 ** 20) }), says: /unpacks to more than/ },
  {
    what: 'holds too many files',
    files: () => Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, ''])),
    says: /more than 4 files/,
  },
  { what: 'has no records', files: () => ({ 'results.json': '{}' }), says: /are not in the artifact/ },
  { what: 'holds no JSON', files: () => ({ 'records.jsonl': 'nonsense\nmore\n' }), says: /are refused: line 1 is no JSON/ },
  {
    what: 'has records with a strange key',
    files: () => ({ 'records.jsonl': jsonl(healthy.map((record) => ({ ...record, evil: true }))) }),
    says: /are refused: line 1 the record must NOT have additional properties/,
  },
  {
    what: 'calls a trial by the name of a path',
    files: () => ({ 'records.jsonl': jsonl(healthy.map((record) => ({ ...record, trial_id: `../${record.trial_id}` }))) }),
    says: /not called after task and number/,
  },
  {
    what: 'mixes fingerprints',
    files: () => ({
      'records.jsonl': jsonl(
        healthy.map((record, i) => (i === 0 ? { ...record, fingerprint: { ...record.fingerprint, model: 'other' } } : record)),
      ),
    }),
    says: /different conditions/,
  },
]

for (const { what, files, says } of HOSTILE) {
  test(`an artifact that ${what} is refused: the check fails with one sentence, nothing is posted`, async () => {
    await using world = await startWorld(built, model, baseline)
    const { step, pull } = await publish(world, files())
    assert.equal(step.exit_code, 2, step.log)
    assert.equal(errorLines(step).length, 1, step.log)
    assert.match(errorLines(step).join(), says)
    assert.deepEqual([world.fake.state.comments, checksOf(world)], [[], [[pull.head, 'completed', 'failure']]])
    await assert.rejects(access('/tmp/escaped.txt'))
  })
}

test('a pull request that has moved on gets nothing, and a run that left no records fails its check', async () => {
  await using world = await startWorld(built, model, baseline)
  const stale = await publish(world, { 'records.jsonl': jsonl(healthy) }, { head_sha: SHA.newer })
  assert.deepEqual([stale.step.exit_code, world.fake.state.comments, world.fake.state.checks], [0, [], []], stale.step.log)
  assert.match(stale.step.log, /Nothing is posted: pull request #7 has moved on/)
  world.fake.state.artifacts.length = 0
  const empty = await publish(world, null)
  assert.deepEqual([empty.step.exit_code, checksOf(world)], [3, [[empty.pull.head, 'completed', 'failure']]], empty.step.log)
  assert.match(errorLines(empty.step).join(), /has uploaded no records/)
})

test('publish outside of workflow_run is refused', async () => {
  await using world = await startWorld(built, model, baseline)
  const step = await world.run(await world.open(), { inputs: { mode: 'publish' } })
  assert.equal(step.exit_code, 2)
  assert.match(errorLines(step).join(), /publish belongs into a workflow on: workflow_run/)
})
