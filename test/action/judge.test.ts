// The rubric judge in the packaged Action, run as GitHub runs it. The judge is a scripted endpoint on loopback.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { startJudgeService, type JudgeService } from '../usecases/judge-service.ts'
import { buildAction, makeBaseline, QUICK_TASKS, type BuiltAction } from './built-action.ts'
import { API_KEY, baselineOfHealthyBuild, errorLines, filesWith, startModel, startWorld, unpack } from './gate-world.ts'

const JUDGE_KEY = 'sk-e2e-judge-0123456789abcdefghij'
const TASKS = QUICK_TASKS.slice(0, 2)
const [JUDGED_TASK = ''] = TASKS

let built: BuiltAction
let model: ScriptedModel
let unjudged = ''
let judged = ''

before(async () => {
  built = await buildAction()
  model = await startModel()
  unjudged = await baselineOfHealthyBuild(built, model, TASKS)
  await using judge = await startJudgeService(() => 'PASS')
  const made = await makeBaseline(built, model.url, API_KEY, 3, TASKS, { judge: 'strict-judge', 'judge-base-url': judge.url })
  judged = made.replaceAll('"n": 3, "c": 3', '"n": 30, "c": 30')
})
after(async () => {
  await model.close()
  await built[Symbol.asyncDispose]()
})

function inputsFor({ url }: JudgeService): Readonly<Record<string, string>> {
  return { tasks: TASKS.join(','), judge: 'strict-judge', 'judge-base-url': url, 'judge-api-key': JUDGE_KEY }
}

test('a judge that passes what it passed before: pass; one rubric that it now fails: red, with its reason and quotation', async () => {
  await using world = await startWorld(built, model, judged)
  const { fake, store } = world
  await using kind = await startJudgeService(() => 'PASS')
  const pull = await world.open()
  const healthy = await world.run(pull, { inputs: inputsFor(kind) })
  assert.deepEqual([healthy.exit_code, healthy.outputs['verdict'], kind.questions.length], [0, 'pass', 6], healthy.log)
  assert.ok(kind.questions.every(({ authorization }) => authorization === `Bearer ${JUDGE_KEY}`))
  assert.match(fake.state.comments[0]?.body ?? '', /\*\*Judge\*\* .*6 calls for 6 trials/)

  await using strict = await startJudgeService(({ rubric }) => (rubric === 'no_overtriggering_on_simple_fact' ? 'FAIL' : 'PASS'))
  const worse = await world.run(pull, { inputs: inputsFor(strict), env: { GITHUB_RUN_ID: '556' } })
  assert.deepEqual([worse.exit_code, worse.outputs['verdict'], worse.outputs['tasks-regressed']], [1, 'fail', '1'], worse.log)
  const told = fake.state.comments[0]?.body ?? ''
  assert.match(told, new RegExp(`### 🔴 Regression: .*\`${JUDGED_TASK}\` \\(30/30 → 0/3\\)`))
  assert.match(told, /Because the script says FAIL/)
  assert.equal(fake.state.checks[1]?.conclusion, 'failure')

  const secrets = [API_KEY, JUDGE_KEY]
  assert.deepEqual(await filesWith(pull.workspace, secrets), [])
  for (const artifact of store.artifacts.filter((one) => one.mime_type === 'application/zip'))
    for (const [name, bytes] of await unpack(built, artifact.bytes))
      assert.ok(!secrets.some((secret) => bytes.includes(secret)), path.basename(name))
  const said = [healthy, worse].flatMap(({ log, post }) =>
    `${log}\n${post?.log ?? ''}`.split('\n').filter((line) => !line.startsWith('::add-mask::')),
  )
  const seen = JSON.stringify([fake.requests, said, healthy.summary, worse.summary, healthy.outputs, worse.outputs, worse.state])
  for (const secret of secrets) assert.ok(!seen.includes(secret))
  assert.deepEqual([fake.problems, store.problems], [[], []])
})

test('a baseline that no judge judged is not comparable: inconclusive, and the judge is named', async () => {
  await using world = await startWorld(built, model, unjudged)
  await using judge = await startJudgeService(() => 'PASS')
  const result = await world.run(await world.open(), { inputs: inputsFor(judge) })
  assert.deepEqual([result.exit_code, result.outputs['verdict']], [3, 'inconclusive'], result.log)
  assert.match(world.fake.state.comments[0]?.body ?? '', /### 🟡 Inconclusive: .*judge/)
})

test('a judge that refuses the key: inconclusive with the cause, no trial failed for it', async () => {
  await using world = await startWorld(built, model, judged)
  await using judge = await startJudgeService(() => ({ status: 401, error: `Incorrect API key provided: ${JUDGE_KEY}` }))
  const pull = await world.open()
  const result = await world.run(pull, { inputs: { ...inputsFor(judge), retries: '0' } })
  assert.deepEqual([result.exit_code, result.outputs['verdict'], result.outputs['trials-failed']], [3, 'inconclusive', '0'], result.log)
  assert.match(world.fake.state.comments[0]?.body ?? '', /refused the API key/)
  assert.deepEqual(await filesWith(pull.workspace, [JUDGE_KEY]), [])
})

test('a judge elsewhere without a key of its own: one sentence, and nothing is spent', async () => {
  await using world = await startWorld(built, model, judged)
  const asked = model.requests.length
  const inputs = { tasks: TASKS.join(','), judge: 'strict-judge', 'judge-base-url': 'https://judge.example/v1' }
  const result = await world.run(await world.open(), { inputs })
  assert.deepEqual([result.exit_code, model.requests.length], [2, asked], result.log)
  assert.match(errorLines(result).join(), /judge-api-key.*is needed to ask the judge at judge\.example/)
})
