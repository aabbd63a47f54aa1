import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeAbandoned, completeCheck, openCheck, type CheckOpening, type CheckReport } from '../../src/github/check-run.ts'
import { SHA } from './github-state.ts'
import { startWorld } from './world.ts'

const OPENING: CheckOpening = {
  name: 'genui-eval verdict',
  head_sha: SHA.head,
  external_id: '555.1.default',
  details_url: 'https://github.localhost/octo/plugin/actions/runs/555',
  title: 'Running 10 tasks × 3',
  summary: 'In progress.',
}
const annotation = (line: number) =>
  ({
    path: 'plugin/SKILL.md',
    start_line: line,
    end_line: line,
    annotation_level: 'failure',
    title: 'no_callback',
    message: `trial ${line}`,
  }) as const
const REPORT: CheckReport = { conclusion: 'failure', title: '2 tasks regressed', summary: 'table', text: null, annotations: [] }
const many = (count: number): CheckReport => ({ ...REPORT, annotations: Array.from({ length: count }, (_, i) => annotation(i + 1)) })

test('a check is opened in progress and completed with 120 annotations in three batches', async () => {
  await using world = await startWorld()
  const open = await openCheck(world.github, OPENING, null)
  const [check] = world.fake.state.checks
  assert.deepEqual([open.kind, check?.status, check?.head_sha], ['check', 'in_progress', SHA.head])
  const outcome = await completeCheck(world.github, open, many(120))
  assert.deepEqual([check?.status, check?.conclusion, check?.batches], ['completed', 'failure', [50, 50, 20]])
  assert.equal(outcome.kind === 'check' && outcome.annotations, 120)
  assert.deepEqual(world.fake.problems, [])
})

test('the conclusion goes out before anything that can fail', async () => {
  await using world = await startWorld()
  const open = await openCheck(world.github, OPENING, null)
  let updates = 0
  world.fake.onRequest = (operation) => {
    if (operation !== 'checks/update') return
    updates += 1
    if (updates === 2) world.fake.faults.push({ operation, times: Infinity, answer: { kind: 'status', status: 500, message: 'broken' } })
  }
  const outcome = await completeCheck(world.github, open, many(120))
  assert.equal(world.fake.state.checks[0]?.conclusion, 'failure')
  assert.match(outcome.kind === 'check' ? outcome.notes.join() : '', /only 50 of 120 annotations/)
})

test('annotations that GitHub refuses do not take the verdict with them', async () => {
  await using world = await startWorld()
  const open = await openCheck(world.github, OPENING, null)
  world.fake.faults.push({ operation: 'checks/update', times: 1, answer: { kind: 'status', status: 422, message: 'bad annotation' } })
  const outcome = await completeCheck(world.github, open, many(3))
  assert.deepEqual([world.fake.state.checks[0]?.conclusion, world.fake.state.checks[0]?.batches], ['failure', []])
  assert.match(outcome.kind === 'check' ? outcome.notes.join() : '', /refused the annotations/)
})

test('titles, summaries and annotations stay within the limits, emoji and all', async () => {
  await using world = await startWorld()
  const open = await openCheck(world.github, { ...OPENING, title: 't'.repeat(400) }, null)
  const huge = { ...annotation(0), path: './plugin\\SKILL.md', end_line: -3, title: '😀'.repeat(300), message: '😀é'.repeat(60_000) }
  await completeCheck(world.github, open, {
    ...REPORT,
    title: '😀'.repeat(300),
    summary: 's'.repeat(70_000),
    text: '😀'.repeat(40_000),
    annotations: [huge],
  })
  const [check] = world.fake.state.checks
  const [stored] = check?.annotations ?? []
  assert.deepEqual([stored?.['path'], stored?.['start_line'], stored?.['end_line']], ['plugin/SKILL.md', 1, 1])
  assert.equal(Buffer.byteLength(JSON.stringify(stored?.['message'])) <= 65_536, true)
  assert.doesNotMatch(JSON.stringify(stored), /[\u{10000}-\u{10FFFF}]/u)
  assert.deepEqual([(check?.title.length ?? 999) <= 255, check?.conclusion, world.fake.problems], [true, 'failure', []])
})

test('where check runs are refused, a commit status stands in', async () => {
  await using world = await startWorld()
  world.fake.state.permissions.delete('checks: write')
  const open = await openCheck(world.github, OPENING, null)
  assert.equal(open.kind, 'status')
  await completeCheck(world.github, open, { ...REPORT, title: 'long '.repeat(60) })
  assert.deepEqual(
    world.fake.state.statuses.map((one) => [one.state, one.context, one.description.length <= 140]),
    [
      ['pending', OPENING.name, true],
      ['failure', OPENING.name, true],
    ],
  )
})

test('with neither, the missing permission is named and nothing is thrown', async () => {
  await using world = await startWorld()
  world.fake.state.permissions.clear()
  const open = await openCheck(world.github, OPENING, null)
  assert.match(open.kind === 'none' ? open.why : '', /permissions: checks: write/)
  assert.equal((await completeCheck(world.github, open, REPORT)).kind, 'none')
})

test('when the answer to the opening is lost, the check that arrived is used', async () => {
  await using world = await startWorld()
  world.fake.faults.push({ operation: 'checks/create', times: 1, answer: { kind: 'drop', after_effect: true } })
  const open = await openCheck(world.github, OPENING, null)
  assert.deepEqual([world.fake.state.checks.length, open.kind === 'check' && open.id === world.fake.state.checks[0]?.id], [1, true])
})

test('an abandoned check is closed as cancelled, a completed one is left alone', async () => {
  await using world = await startWorld()
  const open = await openCheck(world.github, OPENING, null)
  assert.equal(await closeAbandoned(world.github, open), true)
  assert.equal(world.fake.state.checks[0]?.conclusion, 'cancelled')
  const done = await openCheck(world.github, { ...OPENING, external_id: 'other' }, null)
  await completeCheck(world.github, done, REPORT)
  assert.equal(await closeAbandoned(world.github, done), false)
  assert.equal(world.fake.state.checks[1]?.conclusion, 'failure')
})
