import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upsertComment, type CommentPlan } from '../../src/github/comment.ts'
import { writeMarker } from '../../src/github/marker.ts'
import { SHA, type StoredComment } from './github-state.ts'
import { startWorld, type World } from './world.ts'

const PLAN: CommentPlan = { pull_number: 7, id: 'default', head_sha: SHA.head, run: { id: 555, attempt: 1 }, bodies: ['verdict: pass'] }

function addComment(world: World, body: string, login = 'ada', type: StoredComment['type'] = 'User'): StoredComment {
  const comment = { id: world.fake.state.nextId(), issue: 7, login, type, body }
  world.fake.state.comments.push(comment)
  return comment
}

const ours = (world: World) => world.fake.state.comments.filter((one) => one.login === 'github-actions[bot]')
const marked = (run: number, head: string = SHA.head) =>
  `${writeMarker({ id: 'default', head_sha: head, run_id: run, run_attempt: 1 })}\nold`

test('the comment is created once and then updated, though 150 others stand before it', async () => {
  await using world = await startWorld()
  for (let i = 0; i < 150; i++) addComment(world, `comment ${i}`)
  const first = await upsertComment(world.github, PLAN)
  const second = await upsertComment(world.github, { ...PLAN, run: { id: 556, attempt: 1 }, bodies: ['verdict: fail'] })
  assert.deepEqual([first.kind, second.kind], ['created', 'updated'])
  assert.equal(ours(world).length, 1)
  assert.match(ours(world)[0]?.body ?? '', /^<!-- genui-eval-action id=default head=a{40} run=556\.1 -->\nverdict: fail$/)
  assert.deepEqual(world.fake.problems, [])
})

test("our marker in somebody else's comment, even under the bot's name, is not ours", async () => {
  await using world = await startWorld()
  const forged = [
    addComment(world, marked(1)),
    addComment(world, marked(1), 'github-actions', 'User'),
    addComment(world, marked(1), 'other[bot]', 'Bot'),
  ]
  const quoted = addComment(world, `> ${marked(1)}`, 'github-actions[bot]', 'Bot')
  const before = [...forged, quoted].map((one) => one.body)
  assert.equal((await upsertComment(world.github, PLAN)).kind, 'created')
  assert.deepEqual(
    [...forged, quoted].map((one) => one.body),
    before,
  )
})

test('a token of a person updates the comment of that person', async () => {
  await using world = await startWorld({ token: 'ghp_test' })
  world.fake.state.viewer = 'Ada'
  addComment(world, marked(1), 'ada', 'User')
  assert.equal((await upsertComment(world.github, PLAN)).kind, 'updated')
})

test('two configurations on one pull request keep a comment each', async () => {
  await using world = await startWorld()
  await upsertComment(world.github, PLAN)
  await upsertComment(world.github, { ...PLAN, id: 'model b/2' })
  await upsertComment(world.github, { ...PLAN, id: 'model b/2', run: { id: 556, attempt: 1 } })
  assert.equal(ours(world).length, 2)
})

test('a run of an old commit yields: nothing is written', async () => {
  await using world = await startWorld()
  Object.assign(world.fake.state.pulls[0] ?? {}, { head_sha: SHA.newer })
  const outcome = await upsertComment(world.github, PLAN)
  assert.equal(outcome.kind === 'yielded' && /moved on to cccccccc/.test(outcome.why), true)
  assert.deepEqual(
    world.fake.requests.map((one) => one.method),
    ['GET'],
  )
})

test('on one commit the later run wins, in whatever order they finish', async () => {
  await using world = await startWorld()
  await upsertComment(world.github, { ...PLAN, run: { id: 555, attempt: 2 }, bodies: ['second attempt'] })
  const late = await upsertComment(world.github, { ...PLAN, bodies: ['first attempt'] })
  assert.equal(late.kind, 'yielded')
  assert.match(ours(world)[0]?.body ?? '', /second attempt/)
})

test('a comment about an older commit is taken over even when its run has the higher number', async () => {
  await using world = await startWorld()
  addComment(world, marked(999, SHA.base), 'github-actions[bot]', 'Bot')
  assert.equal((await upsertComment(world.github, PLAN)).kind, 'updated')
})

test('two publishers that race leave one comment, of the later run', async () => {
  await using world = await startWorld()
  let raced = false
  world.fake.onRequest = (operation) => {
    if (operation !== 'issues/create-comment' || raced) return
    raced = true
    addComment(world, marked(554), 'github-actions[bot]', 'Bot')
  }
  assert.equal((await upsertComment(world.github, PLAN)).kind, 'updated')
  assert.equal(ours(world).length, 1)
  assert.match(ours(world)[0]?.body ?? '', /run=555\.1 -->\nverdict: pass/)
  assert.deepEqual(world.fake.problems, [])
})

test('when the answer to the creation is lost, no second comment appears', async () => {
  await using world = await startWorld()
  world.fake.faults.push({ operation: 'issues/create-comment', times: 1, answer: { kind: 'drop', after_effect: true } })
  await upsertComment(world.github, PLAN)
  assert.equal(ours(world).length, 1)
})

test('a body that GitHub finds too long makes way for the next shorter one', async () => {
  await using world = await startWorld()
  const outcome = await upsertComment(world.github, { ...PLAN, bodies: ['x'.repeat(70_000), '😀'.repeat(40_000), 'short'] })
  assert.equal(outcome.kind === 'created' && outcome.body.endsWith('\nshort'), true)
  world.fake.faults.push({
    operation: 'issues/update-comment',
    times: 1,
    answer: { kind: 'status', status: 422, message: 'Body is too long' },
  })
  const again = await upsertComment(world.github, { ...PLAN, bodies: ['longer', 'shorter'] })
  assert.equal(again.kind === 'updated' && again.body.endsWith('\nshorter'), true)
})

test('our marker inside the text of a model is disarmed', async () => {
  await using world = await startWorld()
  await upsertComment(world.github, { ...PLAN, bodies: [`model said ${marked(9)}`] })
  assert.equal((ours(world)[0]?.body ?? '').split('<!-- genui-eval-action').length, 2)
})

test('rate limits are waited out as GitHub asks: retry-after, or a minute when it does not say', async () => {
  await using world = await startWorld()
  const secondary = { kind: 'status', status: 403, message: 'You have exceeded a secondary rate limit' } as const
  world.fake.faults.push({
    operation: 'issues/create-comment',
    times: 1,
    answer: { ...secondary, status: 429, headers: { 'retry-after': '7' } },
  })
  world.fake.faults.push({ operation: 'issues/create-comment', times: 1, answer: secondary })
  assert.equal((await upsertComment(world.github, PLAN)).kind, 'created')
  assert.deepEqual(world.waits, [8_000, 120_000])
})

test('a GitHub that asks for an hour is not waited for', async () => {
  await using world = await startWorld()
  const answer = { kind: 'status', status: 429, message: 'slow down', headers: { 'retry-after': '3600' } } as const
  world.fake.faults.push({ operation: 'pulls/get', times: 1, answer })
  await assert.rejects(upsertComment(world.github, PLAN), /slow down/)
  assert.deepEqual(world.waits, [])
})
