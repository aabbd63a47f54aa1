// `mode: baseline` of the packaged Action: written through GitHub's contents API, by commit and by pull request.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { parseBaselineFile } from '../../src/baseline/baseline-file.ts'
import type { StepOptions } from '../github/runner.ts'
import { REPOSITORY } from '../github/world.ts'
import { buildAction, QUICK_TASKS, type BuiltAction } from './built-action.ts'
import { baselineOfHealthyBuild, brokenPlugin, errorLines, startModel, startWorld, type GateWorld } from './gate-world.ts'
import type { PullRequest } from './pull-request.ts'

const PATH = 'baselines/regression.json'
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

/** The checkout as a push to main has it. `after` is the pushed commit, whose parent the loopback GitHub is told. */
function push(world: GateWorld, pull: PullRequest, pushed: string, inputs: Readonly<Record<string, string>> = {}): Partial<StepOptions> {
  const parent = world.fake.state.refs.get('main') ?? ''
  world.fake.state.history.set(pushed, [parent])
  world.fake.state.refs.set('main', pushed)
  return {
    event: 'push',
    payload: { repository: REPOSITORY, ref: 'refs/heads/main', before: parent, after: pushed, deleted: false },
    inputs: { mode: 'baseline', tasks: QUICK_TASKS.join(','), 'baseline-trials': '3', 'baseline-write': 'commit', ...inputs },
    env: { GITHUB_SHA: pushed },
  }
}

const stored = (world: GateWorld, branch = 'main') =>
  world.fake.state.files.get(branch)?.get(PATH) ?? assert.fail(`${branch} has no baseline`)
const commitsIn = (text: string, task = 'neg_reg_01') =>
  parseBaselineFile(text, 'test').tasks[task]?.refreshes.map(({ commit }) => commit[0]) ?? []

test('by commit: the first refresh makes the file, the next pools into it, and a late one is filed before the newer', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40))
  const first = await world.run(pull, push(world, pull, one ?? ''))
  assert.equal(first.exit_code, 0, first.log)
  assert.match(first.outputs['baseline-url'] ?? '', /^https:\/\/github\.localhost\/octo\/plugin\/commit\/[0-9a-f]{40}$/)
  assert.match(first.summary, /Baseline baselines\/regression\.json on main: 4 tasks refreshed/)
  const file = parseBaselineFile(stored(world), 'test')
  assert.deepEqual(Object.keys(file.tasks), QUICK_TASKS)
  assert.deepEqual(
    Object.values(file.tasks).map(({ refreshes }) => refreshes.map(({ n, c }) => [n, c])),
    QUICK_TASKS.map(() => [[3, 3]]),
  )
  const late = push(world, pull, two ?? '')
  await world.run(pull, push(world, pull, three ?? ''))
  await world.run(pull, late)
  assert.deepEqual(commitsIn(stored(world)), ['1', '2', '3'])
  assert.deepEqual(
    world.store.artifacts.map(({ name }) => name),
    ['genui-eval-baseline', 'genui-eval-baseline-2', 'genui-eval-baseline-3'],
  )
  assert.deepEqual([world.fake.problems, world.store.problems, world.fake.state.comments, world.fake.state.checks], [[], [], [], []])
})

test('two refreshes at once lose nothing', async () => {
  await using world = await startWorld(built, model, baseline)
  const [a, b] = [await world.open(), await world.open()]
  const steps = [world.run(a, push(world, a, '1'.repeat(40))), world.run(b, push(world, b, '2'.repeat(40)))]
  for (const { exit_code: code, log } of await Promise.all(steps)) assert.equal(code, 0, log)
  assert.deepEqual(commitsIn(stored(world)), ['1', '2'])
})

test('by pull request: one branch and one pull request, carried on by the next refresh; main stays as it is', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const inputs = { 'baseline-write': 'pull-request' }
  const first = await world.run(pull, push(world, pull, '1'.repeat(40), inputs))
  const second = await world.run(pull, push(world, pull, '2'.repeat(40), inputs))
  assert.deepEqual([first.exit_code, second.exit_code], [0, 0], `${first.log}\n${second.log}`)
  const proposals = world.fake.state.pulls.filter(({ head_ref: ref }) => ref === 'genui-eval/baseline-regression-main')
  assert.deepEqual([proposals.length, proposals[0]?.base_ref, first.outputs['baseline-url']], [1, 'main', second.outputs['baseline-url']])
  assert.deepEqual(commitsIn(stored(world, 'genui-eval/baseline-regression-main')), ['1', '2'])
  assert.equal(world.fake.state.files.get('main')?.has(PATH), false)
  assert.deepEqual(world.fake.problems, [])
})

test('a regression is refused in a sentence, and accepted with a reason', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open({ head_plugin: await brokenPlugin(built) })
  world.fake.state.files.get('main')?.set(PATH, baseline)
  const refused = await world.run(pull, push(world, pull, '1'.repeat(40)))
  assert.equal(refused.exit_code, 2, refused.log)
  assert.match(errorLines(refused).join(), /baseline not refreshed: .*regressed.* give accept-regression a reason/)
  assert.equal(stored(world), baseline)
  const accepted = await world.run(pull, push(world, pull, '2'.repeat(40), { 'accept-regression': 'the old build was wrong' }))
  assert.equal(accepted.exit_code, 0, accepted.log)
  assert.match(stored(world), /"accepted_regression": "the old build was wrong"/)
})

test('a run without measurements, and a token that may not write, leave the baseline alone and say why', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const dead = { 'base-url': 'http://127.0.0.1:9/v1', retries: '0' }
  const unmeasured = await world.run(pull, push(world, pull, '1'.repeat(40), dead))
  assert.equal(unmeasured.exit_code, 2, unmeasured.log)
  assert.match(errorLines(unmeasured).join(), /Fewer than 3 trials could be counted.*Infrastructure cost 12 of 12 trials/)
  world.fake.state.permissions.delete('contents: write')
  const refused = await world.run(pull, push(world, pull, '2'.repeat(40)))
  assert.equal(refused.exit_code, 2, refused.log)
  assert.match(errorLines(refused).join(), /"permissions: contents: write"/)
  assert.equal(world.fake.state.files.get('main')?.has(PATH), false)
})

test('a pull request must not write what it is judged by', async () => {
  await using world = await startWorld(built, model, baseline)
  const result = await world.run(await world.open(), { inputs: { mode: 'baseline' } })
  assert.equal(result.exit_code, 2)
  assert.match(errorLines(result).join(), /a pull request must not write what it is judged by/)
})
