// The product's main job, whole: the packaged Action run as GitHub runs it, on a real git repository, with the real agent loop, plugin code and
// Chromium. Only GitHub, its artifact service and the model service are loopback ones.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { REPOSITORY } from '../github/world.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { buildAction, REGRESSED, type BuiltAction } from './built-action.ts'
import {
  API_KEY,
  baselineOfHealthyBuild,
  brokenPlugin,
  errorLines,
  filesWith,
  startModel,
  startWorld,
  TOKEN,
  unpack,
  warningLines,
  type GateWorld,
} from './gate-world.ts'
import type { PullRequest } from './pull-request.ts'

let built: BuiltAction
let model: ScriptedModel
let baseline = ''

before(async () => {
  built = await buildAction()
  model = await startModel()
  baseline = await baselineOfHealthyBuild(built, model)
})
after(async () => {
  await model.close()
  await built[Symbol.asyncDispose]()
})

/** The negative control alone: a run of a second. */
const QUICK = { tasks: 'neg_reg_01' }

test('a healthy build passes; the next push brings a regressed one, and the same comment turns red', async () => {
  await using world = await startWorld(built, model, baseline)
  const { fake, store } = world
  const first = await world.open()
  const healthy = await world.run(first)
  assert.equal(healthy.exit_code, 0, healthy.log)
  assert.deepEqual([healthy.outputs['verdict'], healthy.outputs['trials-passed'], healthy.outputs['tasks-regressed']], ['pass', '9', '0'])
  assert.match(healthy.summary, /Pass: No regression in 3 compared tasks/)
  assert.deepEqual(
    fake.state.checks.map((check) => [check.name, check.head_sha, check.status, check.conclusion]),
    [['genui-eval verdict', first.head, 'completed', 'success']],
  )
  const [comment] = fake.state.comments
  assert.match(comment?.body ?? '', /^<!-- genui-eval-action id=default head=[0-9a-f]{40} run=555\.1 -->\n### 🟢 Pass/)
  assert.match(comment?.body ?? '', new RegExp(`baseline of commit \`${first.base.slice(0, 10)}\``))
  assert.match(comment?.body ?? '', /npx genui-eval run --plugin plugin --tasks /)

  const [results, report] = store.artifacts
  assert.deepEqual([results?.name, report?.name, report?.mime_type], ['genui-eval-results', 'genui-eval-report.html', 'text/html'])
  const files = await unpack(built, results?.bytes ?? Buffer.from(''))
  const run = path.join(first.workspace, '.genui-eval', 'run')
  assert.equal(files.size > 20, true)
  for (const [name, bytes] of files) assert.equal(bytes.equals(await readFile(path.join(run, name))), true, name)
  assert.equal(Buffer.from(report?.bytes ?? []).equals(await readFile(path.join(run, 'report.html'))), true)
  assert.equal((await readRecords(path.join(run, 'records.jsonl'))).length, 9)

  const second = await first.push(REGRESSED)
  fake.state.pulls.splice(0, 1, { ...(fake.state.pulls[0] ?? assert.fail()), head_sha: second.head })
  const regressed = await world.run(second, {
    payload: { ...second.payload(), repository: { ...REPOSITORY, private: false } },
    inputs: { 'inline-images': 'true' },
    env: { GITHUB_RUN_ID: '556', GITHUB_SERVER_URL: 'https://github.com' },
  })
  assert.equal(regressed.exit_code, 1, regressed.log)
  assert.deepEqual([regressed.outputs['verdict'], regressed.outputs['tasks-regressed']], ['fail', '2'])
  assert.deepEqual(
    fake.state.comments.map((one) => [one.id, /run=(\d+)/.exec(one.body)?.[1]]),
    [[comment?.id, '556']],
  )
  const told = fake.state.comments[0]?.body ?? ''
  assert.match(told, /### 🔴 Regression: 2 (?:of 3 )?tasks regressed: `hitl_reg_01` \(30\/30 → 0\/3\), `study_reg_04` \(30\/30 → 0\/3\)/)
  assert.match(told, /no_callback|missing_grounding/)
  assert.match(told, /No callback came|The app does not hold/)
  assert.doesNotMatch(told, /neg_reg_01.*regressed/)
  await assertPicturesShown(told, world, second)
  const check = fake.state.checks[1]
  assert.deepEqual([check?.conclusion, check?.head_sha], ['failure', second.head])
  assert.deepEqual(
    check?.annotations.map(({ path: file, annotation_level: level }) => [file, level]),
    [
      ['plugin/SKILL.md', 'failure'],
      ['plugin/SKILL.md', 'failure'],
    ],
  )

  // nothing that was written or sent holds a secret; the runner's own mask commands must
  const secrets = [API_KEY, TOKEN]
  assert.deepEqual(await filesWith(first.workspace, secrets), [])
  assert.deepEqual(await filesWith(second.workspace, secrets), [])
  for (const artifact of store.artifacts.filter((one) => one.mime_type === 'application/zip'))
    for (const [name, bytes] of await unpack(built, artifact.bytes))
      assert.equal(
        secrets.some((secret) => bytes.includes(secret)),
        false,
        name,
      )
  const said = [healthy, regressed].flatMap(({ log, post }) =>
    `${log}\n${post?.log ?? ''}`.split('\n').filter((line) => !line.startsWith('::add-mask::')),
  )
  const seen = JSON.stringify([fake.requests, said, healthy.summary, regressed.summary, healthy.outputs, regressed.outputs, healthy.state])
  for (const secret of secrets) assert.equal(seen.includes(secret), false)
  assert.deepEqual([fake.problems, store.problems], [[], []])
})

/** What the comment's addresses name is on the branch, and is a screenshot of the run. */
async function assertPicturesShown(comment: string, { fake: { state } }: GateWorld, pull: PullRequest): Promise<void> {
  const address = /src="https:\/\/raw\.githubusercontent\.com\/octo\/plugin\/([0-9a-f]{40})\/([\w.-]+)"/g
  const shown = [...comment.matchAll(address)]
  assert.deepEqual(
    shown.map(([, , name]) => name),
    ['hitl_reg_01.png', 'study_reg_04.png'],
  )
  const screenshots = await readRecords(path.join(pull.workspace, '.genui-eval', 'run', 'records.jsonl'))
  const files = await Promise.all(
    screenshots.flatMap((record) => record.screenshots).map((file) => readFile(path.join(pull.workspace, '.genui-eval', 'run', file))),
  )
  for (const [, commit = '', name = ''] of shown) {
    assert.equal(state.refs.get('genui-eval-pictures/pr-7-default'), commit)
    assert.deepEqual(state.history.get(commit), [])
    const png = state.blobs.get(state.trees.get(commit)?.get(name) ?? '') ?? assert.fail(name)
    assert.equal(
      files.some((file) => file.equals(png)),
      true,
    )
  }
}

test("a fork's token only reads: the exit code is the verdict all the same, and the records wait for mode publish", async () => {
  await using world = await startWorld(built, model, baseline)
  world.fake.state.permissions.clear()
  const pull = await world.open({ head_plugin: await brokenPlugin(built) }, true)
  const result = await world.run(pull, { payload: pull.payload(true), inputs: QUICK })
  assert.deepEqual([result.exit_code, result.outputs['verdict'], errorLines(result).length], [1, 'fail', 1], result.log)
  assert.match(result.summary, /Regression: .*neg_reg_01/)
  assert.equal(warningLines(result).length, 2, result.log)
  for (const warning of warningLines(result)) assert.match(warning, /fork, whose token is read-only; publish from a second workflow/)
  assert.deepEqual([world.fake.state.comments, world.fake.state.checks], [[], []])
  const records = world.store.artifacts.find((artifact) => artifact.name === 'genui-eval-records')
  assert.deepEqual([...(await unpack(built, records?.bytes ?? Buffer.from(''))).keys()], ['records.jsonl'])
})

test('a fork without a key is told so in one sentence, and is not green', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open({}, true)
  const inputs = { ...QUICK, 'api-key': '', 'base-url': 'https://model.example/v1' }
  const result = await world.run(pull, { payload: pull.payload(true), inputs })
  assert.deepEqual([result.exit_code, result.outputs['verdict'], world.fake.state.checks[0]?.conclusion], [3, 'inconclusive', 'failure'])
  assert.match(errorLines(result).join(), /no key for the model service: the pull request comes from a fork/)
})

for (const { what, inputs, says } of [
  { what: 'a plugin that is not there', inputs: { plugin: 'nowhere' }, says: /nowhere: is no Hermes plugin: it has no plugin\.yaml/ },
  { what: 'k = 0', inputs: { k: '0' }, says: /input "k": must be a whole number from 1 to 100; it is "0"/ },
  { what: 'an unknown task', inputs: { tasks: 'no_such_task' }, says: /there is no task "no_such_task"/ },
]) {
  test(`${what}: exit 2, the check is closed as a failure, one sentence`, async () => {
    await using world = await startWorld(built, model, baseline)
    const result = await world.run(await world.open(), { inputs })
    assert.equal(result.exit_code, 2, result.log)
    assert.equal(errorLines(result).length, 1, result.log)
    assert.match(errorLines(result)[0] ?? '', says)
    assert.doesNotMatch(result.log, /^\s+at /m)
    assert.deepEqual([result.outputs['exit-code'], result.outputs['verdict']], ['2', ''])
    const [check] = world.fake.state.checks
    assert.deepEqual([check?.conclusion, check?.title], ['failure', 'The run could not start'])
    assert.match(check?.summary ?? '', says)
    assert.match(result.summary, says)
  })
}

test('a model service that cannot be reached: inconclusive, never green', async () => {
  await using world = await startWorld(built, model, baseline)
  const result = await world.run(await world.open(), { inputs: { ...QUICK, 'base-url': 'http://127.0.0.1:9/v1', retries: '0' } })
  assert.deepEqual([result.exit_code, result.outputs['verdict'], result.outputs['trials-infra']], [3, 'inconclusive', '3'], result.log)
  assert.equal(world.fake.state.checks[0]?.conclusion, 'failure')
  assert.match(world.fake.state.comments[0]?.body ?? '', /### 🟡 Inconclusive: Could not be measured/)
})

test('a model service that quotes the key it refuses: the key is written nowhere', async () => {
  await using world = await startWorld(built, model, baseline)
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '')
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const pull = await world.open()
  const result = await world.run(pull, { inputs: { ...QUICK, 'base-url': `http://127.0.0.1:${port}/v1`, retries: '0' } })
  server.close()
  assert.equal(result.exit_code, 3, result.log)
  assert.match(world.fake.state.comments[0]?.body ?? '', /Inconclusive/)
  assert.deepEqual(await filesWith(pull.workspace, [API_KEY]), [])
  const said = result.log.split('\n').filter((line) => !line.startsWith('::add-mask::'))
  assert.equal(JSON.stringify([said, world.fake.requests, result.summary, result.outputs]).includes(API_KEY), false)
})

test('without a baseline nothing is green, unless a warning was asked for: then the check is neutral', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open({ baseline: null })
  const strict = await world.run(pull, { inputs: QUICK })
  assert.deepEqual([strict.exit_code, strict.outputs['verdict'], world.fake.state.checks[0]?.conclusion], [3, 'inconclusive', 'failure'])
  assert.match(world.fake.state.comments[0]?.body ?? '', /has no baselines\/regression\.json/)
  const lenient = await world.run(pull, { inputs: { ...QUICK, 'on-inconclusive': 'warn' }, env: { GITHUB_RUN_ID: '556' } })
  assert.deepEqual([lenient.exit_code, world.fake.state.checks[1]?.conclusion], [0, 'neutral'])
})

test('a pull request that edits its own exam is held against the base commit, and told so', async () => {
  await using world = await startWorld(built, model, baseline)
  const easy = baseline.replaceAll('"n": 30, "c": 30', '"n": 30, "c": 0')
  const pull = await world.open({ head_plugin: await brokenPlugin(built), head_files: { 'baselines/regression.json': easy } })
  const result = await world.run(pull, { inputs: QUICK })
  assert.equal(result.exit_code, 1, result.log)
  assert.match(world.fake.state.comments[0]?.body ?? '', /This change edits its own exam \(baselines\/regression\\?\.json\)/)
})

test('a cancelled run: the post step closes the check, nothing is posted, and what was finished is on the disk', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const records = path.join(pull.workspace, '.genui-eval', 'run', 'records.jsonl')
  const begun = (async () => {
    for (;;) {
      const text = await readFile(records, 'utf8').catch(() => '')
      if (text.includes('\n')) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const result = await world.run(pull, { cancel: begun })
  assert.notEqual(result.exit_code, 0, result.log)
  assert.deepEqual(
    world.fake.state.checks.map((check) => [check.status, check.conclusion]),
    [['completed', 'cancelled']],
    `${result.log}\n${result.post?.log}`,
  )
  assert.deepEqual([world.fake.state.comments, world.store.artifacts], [[], []])
  assert.equal((await readRecords(records)).length >= 1, true)
})

test('pull_request_target is refused before anything of the pull request is run', async () => {
  await using world = await startWorld(built, model, baseline)
  const asked = model.requests.length
  const result = await world.run(await world.open(), { event: 'pull_request_target' })
  assert.deepEqual([result.exit_code, model.requests.length], [2, asked])
  assert.match(errorLines(result).join(), /pull_request_target gives this job secrets/)
})
