// What the packaged Action asks of GitHub in the situations that matter, told request by request in golden/. Trials are made up or replayed, so a
// scenario takes a second; that real trials lead to the same doors is shown by gate.test.ts.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { asText, at, type JsonObject } from '../github/json.ts'
import { callerOf, type Fault } from '../github/fake-github.ts'
import { SHA } from '../github/github-state.ts'
import type { StepOptions, StepResult } from '../github/runner.ts'
import { REPOSITORY } from '../github/world.ts'
import { buildAction, makeBaseline, QUICK_TASKS, TASKS_FOLDER, type BuiltAction } from './built-action.ts'
import { startWorld, TOKEN, unpack, type GateWorld } from './gate-world.ts'
import { assertGolden, ending, story } from './golden.ts'
import { madeUpBaseline, recordRun, shardArtifact, type MadeUpShard } from './made-up-run.ts'
import type { PullRequest } from './pull-request.ts'

let built: BuiltAction
/** Recorded runs of the quick tasks, and the baseline of a replay: its fingerprint is the real one. */
let good = ''
let bad = ''
let replayedBaseline = ''

before(async () => {
  built = await buildAction()
  good = await recordRun(path.join(built.temp, 'recorded-good'), QUICK_TASKS, 12)
  bad = await recordRun(path.join(built.temp, 'recorded-bad'), QUICK_TASKS, 12, ['neg_reg_02'])
  const options = { agent: 'replay', 'replay-folder': good, model: 'recorded' }
  replayedBaseline = (await makeBaseline(built, NO_MODEL.url, '', 3, QUICK_TASKS, options)).replaceAll('"n": 3, "c": 3', '"n": 30, "c": 30')
})
after(() => built[Symbol.asyncDispose]())

/** Nothing asks a model. */
const NO_MODEL = { url: 'http://127.0.0.1:9/v1' }
const startScenario = (baseline: string = madeUpBaseline(QUICK_TASKS)) => startWorld(built, NO_MODEL, baseline)

/** `mode: merge` over made-up shards. */
function merge(world: GateWorld, pull: PullRequest, over: Partial<StepOptions> = {}): Promise<StepResult> {
  const inputs = { mode: 'merge', plugin: '', model: '', agent: 'hermes', tasks: '', 'api-key': '', ...over.inputs }
  return world.run(pull, { ...over, inputs })
}

/** GitHub lists these shards for the run. */
function arrive(world: GateWorld, shards: readonly Omit<MadeUpShard, 'tasks'>[], run_id = 555): void {
  for (const shard of shards) {
    const blob = shardArtifact({ tasks: QUICK_TASKS, ...shard })
    const attempt = shard.attempt === undefined || shard.attempt === 1 ? '' : `-attempt-${shard.attempt}`
    const name = `genui-eval-shard-${shard.number}-of-${shard.of}${attempt}`
    world.fake.state.artifacts.push({ id: world.fake.state.nextId(), run_id, name, blob, expired: false, size: blob.length })
  }
}

const WHOLE = { number: 1, of: 1, trials: 10 }
const REGRESSED = { ...WHOLE, failing: ['neg_reg_02'] }

/** `mode: run` with agent replay. */
function replay(world: GateWorld, pull: PullRequest, folder: string, over: Partial<StepOptions> = {}): Promise<StepResult> {
  const inputs = {
    agent: 'replay',
    'replay-folder': folder,
    plugin: 'plugin',
    model: 'recorded',
    'api-key': '',
    tasks: QUICK_TASKS.join(','),
    ...over.inputs,
  }
  return world.run(pull, { ...over, inputs })
}

function assertNoProblems({ fake, store }: GateWorld): void {
  assert.deepEqual([fake.problems, store.problems], [[], []])
}

test('the first run of a pull request opens the check and creates the comment; the next push updates the same comment', async () => {
  await using world = await startScenario(replayedBaseline)
  const { fake } = world
  const pull = await world.open()
  const first = await replay(world, pull, good)
  assert.deepEqual([first.exit_code, first.outputs['verdict']], [0, 'pass'], first.log)
  await assertGolden('first-run', [...story(fake.requests), ...ending(first, world)], pull)

  const asked = fake.requests.length
  const next = await pull.push(path.join(TASKS_FOLDER, '..', 'examples', 'genui-plugin-regressed'))
  fake.state.pulls.splice(0, 1, { ...(fake.state.pulls[0] ?? assert.fail()), head_sha: next.head })
  const second = await replay(world, next, bad, { env: { GITHUB_RUN_ID: '556' } })
  assert.deepEqual([second.exit_code, second.outputs['verdict'], fake.state.comments.length], [1, 'fail', 1], second.log)
  await assertGolden('update', [...story(fake.requests.slice(asked)), ...ending(second, world)], next)
  assertNoProblems(world)
})

test('our comment is found behind 150 foreign ones; a marker forged by another author is left alone', async () => {
  await using world = await startScenario()
  const { fake } = world
  const { comments } = fake.state
  const pull = await world.open()
  const forged = `<!-- genui-eval-action id=default head=${pull.head} run=999999.1 -->\n### 🟢 Pass: all green`
  for (let number = 1; number <= 150; number++) {
    const body = number % 50 === 0 ? forged : `comment ${number}, quoting ${forged}`
    const login = number === 100 ? 'github-actions' : 'eve'
    comments.push({ id: fake.state.nextId(), issue: 7, login, type: 'User', body })
  }
  const before = JSON.stringify(comments)
  arrive(world, [REGRESSED])
  const first = await merge(world, pull)
  const second = await merge(world, pull, { env: { GITHUB_RUN_ATTEMPT: '2' } })
  assert.deepEqual([first.exit_code, second.exit_code], [1, 1], second.log)
  assert.deepEqual([comments.length, JSON.stringify(comments.slice(0, 150)) === before], [151, true])
  assert.match(comments[150]?.body ?? '', /run=555\.2 -->\n### 🔴 Regression/)
  await assertGolden('behind-150-comments', [...story(fake.requests), ...ending(second, world)], pull)
  assertNoProblems(world)
})

test('two publishers that both find no comment leave one, and it is the later run that speaks', async () => {
  await using world = await startScenario()
  const { fake } = world
  const pull = await world.open()
  const runs = [
    { id: '555', token: `${TOKEN}1`, shard: WHOLE },
    { id: '556', token: `${TOKEN}2`, shard: REGRESSED },
  ]
  const late = callerOf(runs[1]?.token)
  let created = 0
  const both = Promise.withResolvers<void>()
  fake.onRequest = async (operation, caller) => {
    if (operation !== 'issues/create-comment') return
    created += 1
    if (created === runs.length) both.resolve()
    await both.promise
    // both have seen that there is none; the earlier run's request is served first
    if (caller === late) await new Promise((resolve) => setTimeout(resolve, 300))
  }
  const steps = await Promise.all(
    runs.map(({ id, token, shard }) => {
      arrive(world, [shard], Number(id))
      const inputs = { 'upload-artifacts': 'false', 'output-folder': `.genui-eval/${id}` }
      return merge(world, pull, { token, inputs, env: { GITHUB_RUN_ID: id } })
    }),
  )
  assert.deepEqual(
    steps.map(({ exit_code: code }) => code),
    [0, 1],
  )
  assert.deepEqual(
    fake.state.comments.map(({ body }) => /run=(\d+)\.1 -->\n### (\S+)/.exec(body)?.slice(1)),
    [['556', '🔴']],
  )
  const told = runs.flatMap(({ id, token }) => [`run ${id}:`, ...story(fake.requests.filter(({ caller }) => caller === callerOf(token)))])
  await assertGolden('two-publishers', told, pull)
  assertNoProblems(world)
})

test("a fork's run can write nothing and hands its records over; the workflow_run job posts them", async () => {
  await using world = await startScenario(replayedBaseline)
  const { fake, store } = world
  const { permissions } = fake.state
  const allowed = [...permissions]
  const pull = await world.open({}, true)
  permissions.clear()
  const forked = await replay(world, pull, bad, { payload: pull.payload(true) })
  assert.deepEqual([forked.exit_code, forked.outputs['verdict']], [1, 'fail'], forked.log)
  assert.match(forked.summary, /Regression: .*neg_reg_02/)
  await assertGolden('fork', [...story(fake.requests), ...ending(forked, world)], pull)

  for (const permission of allowed) permissions.add(permission)
  const asked = fake.requests.length
  for (const { id, name, bytes } of store.artifacts)
    fake.state.artifacts.push({ id, run_id: 555, name, blob: bytes, expired: false, size: bytes.length })
  fake.state.files.set(pull.base, new Map([['baselines/regression.json', replayedBaseline]]))
  const head_repository = { id: 99, owner: { login: 'eve' }, full_name: 'eve/plugin' }
  const run = { id: 555, run_attempt: 1, event: 'pull_request', conclusion: 'failure', head_branch: 'feature', head_repository }
  const workflow_run = { ...run, head_sha: pull.head, pull_requests: [] }
  const published = await world.run(pull, {
    event: 'workflow_run',
    payload: { action: 'completed', repository: REPOSITORY, workflow_run },
    inputs: { mode: 'publish', plugin: '', model: '', agent: 'hermes', 'api-key': '', tasks: QUICK_TASKS.join(',') },
    env: { GITHUB_SHA: SHA.base, GITHUB_RUN_ID: '600' },
  })
  assert.equal(published.exit_code, 0, published.log)
  await assertGolden('fork-publish', [...story(fake.requests.slice(asked)), ...ending(published, world)], pull)
  assertNoProblems(world)
})

test('without any permission the verdict stands in exit code, outputs, summary and artifact', async () => {
  await using world = await startScenario(replayedBaseline)
  world.fake.state.permissions.clear()
  const pull = await world.open()
  const step = await replay(world, pull, bad)
  assert.deepEqual([step.exit_code, step.outputs['verdict'], step.outputs['tasks-regressed']], [1, 'fail', '1'], step.log)
  assert.match(step.summary, /### 🔴 Regression: .*neg_reg_02/)
  const results = world.store.artifacts.find(({ name }) => name === 'genui-eval-results')
  const json = (await unpack(built, results?.bytes ?? Buffer.from(''))).get('results.json')?.toString('utf8') ?? ''
  const told: { readonly decision: { readonly verdict: string } } = JSON.parse(json)
  assert.equal(told.decision.verdict, 'fail')
  await assertGolden('no-permission', [...story(world.fake.requests), ...ending(step, world)], pull)
  assertNoProblems(world)
})

/** Every call about check and comment goes wrong once. */
const OPERATIONS = ['checks/create', 'checks/update', 'pulls/get', 'issues/list-comments', 'issues/create-comment', 'issues/update-comment']
const TROUBLES: readonly { readonly name: string; readonly answer: Fault['answer'] }[] = [
  { name: '429', answer: { kind: 'status', status: 429, message: 'too many requests', headers: { 'retry-after': '0' } } },
  { name: '500', answer: { kind: 'status', status: 500, message: 'oops' } },
  { name: 'dropped-before', answer: { kind: 'drop', after_effect: false } },
  { name: 'dropped-after', answer: { kind: 'drop', after_effect: true } },
  { name: 'slow', answer: { kind: 'slow', ms: 1500 } },
]

// they mostly wait, so they wait together
describe('GitHub in trouble', { concurrency: true }, () => {
  for (const { name, answer } of TROUBLES) {
    test(`${name} once at every call: one check, one comment, the same verdict`, async () => {
      await using world = await startScenario()
      const { fake } = world
      const pull = await world.open()
      arrive(world, [REGRESSED])
      fake.faults.push(...OPERATIONS.map((operation) => ({ operation, times: 1, answer })))
      const step = await merge(world, pull)
      assert.deepEqual([step.exit_code, step.outputs['verdict']], [1, 'fail'], step.log)
      assert.deepEqual(
        [fake.state.checks.map(({ status, conclusion }) => [status, conclusion]), fake.state.comments.length],
        [[['completed', 'failure']], 1],
        step.log,
      )
      await assertGolden(`trouble-${name}`, [...story(fake.requests), ...ending(step, world)], pull)
      assertNoProblems(world)
    })
  }
})

test('bad inputs of both kinds are told together, in log and summary, and nothing is asked of GitHub', async () => {
  await using world = await startScenario()
  const pull = await world.open()
  const step = await replay(world, pull, good, { inputs: { mode: 'baseline', shard: '4/3', k: '0', 'on-inconclusive': 'maybe' } })
  assert.deepEqual([step.exit_code, step.outputs['exit-code'], step.outputs['verdict']], [2, '2', ''], step.log)
  const told = step.log.split('\n').filter((line) => line.startsWith('::error::'))
  assert.deepEqual(
    told.map((line) => /^::error::input "([\w-]+)": must be /.exec(line)?.[1]),
    ['on-inconclusive', 'shard', 'k'],
  )
  for (const name of ['shard', 'k']) assert.match(step.summary, new RegExp(`input "${name}"`))
  const typo = await replay(world, pull, good, { inputs: { mode: 'publsh', k: '0' } })
  assert.match(typo.log, /input "mode": must be one of .* it is "publsh"[^]*input "k": must be/)
  assert.deepEqual([typo.exit_code, world.fake.requests], [2, []])
})

test('a cancelled run: the post step closes the check', async () => {
  await using world = await startScenario()
  const { fake } = world
  const pull = await world.open()
  arrive(world, [WHOLE])
  const waiting = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  fake.onRequest = async (operation) => {
    if (operation !== 'actions/list-workflow-run-artifacts') return
    waiting.resolve()
    await released.promise
  }
  const step = await merge(world, pull, { cancel: waiting.promise })
  assert.notEqual(step.exit_code, 0, step.log)
  assert.deepEqual(
    fake.state.checks.map(({ status, conclusion }) => [status, conclusion]),
    [['completed', 'cancelled']],
  )
  assert.deepEqual(fake.state.comments, [])
  await assertGolden('cancelled', [...story(fake.requests), ...ending(step, world)], pull)
  released.resolve()
})

test('a matrix of three that lost a shard is red and names it; its failed job is run again, and the second attempt is green', async () => {
  await using world = await startScenario()
  const { fake } = world
  const pull = await world.open()
  arrive(world, [
    { number: 1, of: 3, trials: 10 },
    { number: 3, of: 3, trials: 10 },
  ])
  const lost = await merge(world, pull, { inputs: { 'on-inconclusive': 'warn' } })
  assert.deepEqual([lost.exit_code, lost.outputs['verdict'], lost.outputs['trials-missing']], [3, 'inconclusive', '10'], lost.log)
  assert.match(fake.state.comments[0]?.body ?? '', /Shard 2\/3 is missing: `neg_reg_02`/)
  await assertGolden('lost-shard', [...story(fake.requests), ...ending(lost, world)], pull)

  const asked = fake.requests.length
  arrive(world, [{ number: 2, of: 3, trials: 10, attempt: 2 }])
  const again = await merge(world, pull, { env: { GITHUB_RUN_ATTEMPT: '2' } })
  assert.deepEqual([again.exit_code, again.outputs['verdict'], again.outputs['trials-passed']], [0, 'pass', '40'], again.log)
  await assertGolden('failed-jobs-again', [...story(fake.requests.slice(asked)), ...ending(again, world)], pull)
  assertNoProblems(world)
})

test('120 failing trials that each say a kilobyte of emoji: everything within the limits and well formed', async () => {
  await using world = await startScenario()
  const { fake } = world
  const pull = await world.open()
  // astral, joined, with modifier and flags: a cut in the wrong place shows
  const says = '💥👩‍👩‍👧‍👦👍🏽🇩🇪'.repeat(24)
  assert.equal(Buffer.byteLength(says) >= 1000, true)
  arrive(world, [{ number: 1, of: 1, trials: 30, failing: QUICK_TASKS, says }])
  const step = await merge(world, pull, { inputs: { 'max-trials': '30' } })
  assert.deepEqual([step.exit_code, step.outputs['trials-failed']], [1, '120'], step.log)
  const [comment, check] = [fake.state.comments[0]?.body ?? '', fake.state.checks[0] ?? assert.fail()]
  const fits = (text: string, units: number, bytes: number) => text.length <= units && Buffer.byteLength(text) <= bytes
  assert.equal(fits(comment, 65_536, 262_144), true, `${comment.length} units`)
  const details = asText(at(fake.requests.findLast(({ operation }) => operation === 'checks/update')?.body, 'output', 'text'))
  for (const part of [check.summary, details]) assert.equal(fits(part, 65_535, 65_535), true)
  assert.equal(Buffer.byteLength(step.summary) <= 2 ** 20, true)
  for (const document of [comment, check.summary, details, step.summary]) assertWellFormed(document)
  assert.match(comment, /more failing trials in the report/)
  assert.deepEqual(check.annotations.length, QUICK_TASKS.length)
  for (const annotation of check.annotations) assertAnnotation(annotation)
  assert.deepEqual([fake.state.comments.length, check.conclusion], [1, 'failure'])
  assertNoProblems(world)
})

/** No half character, and blocks that are closed as a reader's parser sees them. */
function assertWellFormed(markdown: string): void {
  assert.equal(markdown.isWellFormed(), true)
  assert.doesNotMatch(markdown, /\ufffd/)
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
  const count = (pattern: RegExp) => [...html.matchAll(pattern)].length
  assert.equal(count(/<details>/g) > 0, true)
  assert.deepEqual([count(/<\/details>/g), count(/<\/summary>/g)], [count(/<details>/g), count(/<summary>/g)])
  // an unclosed fence would swallow the end of the document
  assert.doesNotMatch(html.slice(-200), /<code/)
}

function assertAnnotation(annotation: JsonObject): void {
  const [title, message] = [asText(annotation['title']), asText(annotation['message'])]
  assert.equal(annotation['path'], 'plugin/SKILL.md')
  assert.equal(title.length <= 255 && title.isWellFormed(), true)
  assert.equal(Buffer.byteLength(message) <= 64_000 && message.isWellFormed(), true)
}
