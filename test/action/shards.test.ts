// `shard` and `mode: merge` of the packaged Action: a matrix, lost and repeated shards, re-runs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { StepResult } from '../github/runner.ts'
import { buildAction, QUICK_TASKS, type BuiltAction } from './built-action.ts'
import { baselineOfHealthyBuild, brokenPlugin, errorLines, startModel, startWorld, unpack, type GateWorld } from './gate-world.ts'
import type { PullRequest } from './pull-request.ts'

let built: BuiltAction
let model: ScriptedModel
let baseline = ''

before(async () => {
  built = await buildAction()
  model = await startModel()
  baseline = await baselineOfHealthyBuild(built, model, QUICK_TASKS)
})
after(async () => {
  await model.close()
  await built[Symbol.asyncDispose]()
})

const COMMON = { tasks: QUICK_TASKS.join(','), 'max-trials': '4' }

function runShard(world: GateWorld, pull: PullRequest, shard: string, over: Readonly<Record<string, string>> = {}, attempt = '1') {
  const inputs = { ...COMMON, shard, 'output-folder': `.genui-eval/${shard.replace('/', '-')}-${attempt}`, ...over }
  return world.run(pull, { inputs, env: { GITHUB_RUN_ATTEMPT: attempt } })
}

/** GitHub lists what the artifact service has taken. */
function list(world: GateWorld, without: readonly string[] = []): void {
  world.fake.state.artifacts.length = 0
  for (const { id, name, bytes } of world.store.artifacts) {
    if (!without.includes(name)) world.fake.state.artifacts.push({ id, run_id: 555, name, blob: bytes, expired: false, size: bytes.length })
  }
}

function merge(
  world: GateWorld,
  pull: PullRequest,
  over: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<StepResult> {
  return world.run(pull, { inputs: { mode: 'merge', plugin: '', model: '', agent: 'hermes', tasks: '', ...over }, env })
}

test('three shards are merged into one verdict, counted anew; a lost, doubled or half shard is red and named', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  for (const shard of ['1/3', '2/3', '3/3']) {
    const step = await runShard(world, pull, shard)
    assert.equal(step.exit_code, 0, step.log)
  }
  assert.deepEqual([world.fake.state.checks, world.fake.state.comments], [[], []], 'a shard has no verdict to tell')
  const shard = world.store.artifacts.find(({ name }) => name === 'genui-eval-shard-1-of-3')
  assert.deepEqual([...(await unpack(built, shard?.bytes ?? Buffer.from(''))).keys()], ['records.jsonl', 'shard.json'])

  list(world)
  const whole = await merge(world, pull)
  assert.equal(whole.exit_code, 0, whole.log)
  assert.deepEqual([whole.outputs['verdict'], whole.outputs['trials-planned'], whole.outputs['trials-passed']], ['pass', '16', '16'])
  assert.match(world.fake.state.comments[0]?.body ?? '', /Pass: No regression in 4 compared tasks/)
  const merged = world.store.artifacts.find(({ name }) => name === 'genui-eval-results')
  const files = await unpack(built, merged?.bytes ?? Buffer.from(''))
  assert.ok(files.has('trials/neg_reg_02-head-3/transcript.json'), 'what the shards uploaded for people is in the merged run')
  assert.deepEqual(
    world.fake.state.checks.map(({ conclusion }) => conclusion),
    ['success'],
  )

  list(world, ['genui-eval-shard-2-of-3'])
  const lost = await merge(world, pull, { 'on-inconclusive': 'warn' }, { GITHUB_RUN_ID: '555', GITHUB_RUN_ATTEMPT: '2' })
  assert.deepEqual(
    [lost.exit_code, lost.outputs['verdict'], world.fake.state.checks[1]?.conclusion],
    [3, 'inconclusive', 'failure'],
    lost.log,
  )
  assert.match(world.fake.state.comments[0]?.body ?? '', /Shard 2\/3 is missing: `neg_reg_02`/)
  const reported = await merge(world, pull, { gate: 'report-only' }, { GITHUB_RUN_ATTEMPT: '3' })
  assert.deepEqual([reported.exit_code, world.fake.state.checks[2]?.conclusion], [3, 'failure'], 'not even report-only hides a lost shard')

  await runShard(world, pull, '1/3')
  list(world)
  const doubled = await merge(world, pull, {}, { GITHUB_RUN_ATTEMPT: '4' })
  assert.equal(doubled.exit_code, 3, doubled.log)
  assert.match(errorLines(doubled).join(), /Shard 1\/3 was made twice in one attempt/)
  assert.deepEqual([world.fake.problems, world.store.problems], [[], []])
})

test('of a shard that was run again the newest attempt counts', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  await runShard(world, pull, '1/2')
  const dead = await runShard(world, pull, '2/2', { 'base-url': 'http://127.0.0.1:9/v1', retries: '0' })
  assert.equal(dead.exit_code, 0, dead.log)
  list(world)
  const before = await merge(world, pull)
  assert.deepEqual([before.exit_code, before.outputs['trials-infra']], [3, '8'], before.log)
  await runShard(world, pull, '2/2', {}, '2')
  list(world)
  const again = await merge(world, pull, {}, { GITHUB_RUN_ATTEMPT: '2' })
  assert.deepEqual([again.exit_code, again.outputs['trials-infra'], again.outputs['trials-passed']], [0, '0', '16'], again.log)
})

test('shards of different builds do not mix, and a run without any shard is an error', async () => {
  await using world = await startWorld(built, model, baseline)
  const none = await merge(world, await world.open())
  assert.deepEqual([none.exit_code, world.fake.state.checks[0]?.conclusion], [2, 'failure'], none.log)
  assert.match(errorLines(none).join(), /No shard of this run was found/)
  const [healthy, broken] = [await world.open(), await world.open({ head_plugin: await brokenPlugin(built) })]
  await runShard(world, healthy, '1/2')
  await runShard(world, broken, '2/2')
  list(world)
  const mixed = await merge(world, broken)
  assert.equal(mixed.exit_code, 2, mixed.log)
  assert.match(errorLines(mixed).join(), /genui-eval-shard-2-of-2: has another plugin build/)
  await runShard(world, broken, '1/2', { 'artifact-name': 'other' })
  await runShard(world, broken, '2/2', { 'artifact-name': 'other' })
  list(world)
  const regressed = await merge(world, broken, { 'artifact-name': 'other' })
  assert.deepEqual([regressed.exit_code, regressed.outputs['tasks-regressed']], [1, '4'], regressed.log)
})
