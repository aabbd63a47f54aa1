import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBaseCommit, type BaseEvent } from '../../src/baseline/base-commit.ts'
import { changedExamFiles, readBaselineAt, readQuarantineAt, type BaselineAnswer } from '../../src/baseline/read-baseline.ts'
import { UserError } from '../../src/model/errors.ts'
import { BASELINE_PATH, type Repository, baselineText, workplace, type Workplace } from './repositories.ts'

async function readFor(repository: Repository, event: BaseEvent, named: string | null = null): Promise<BaselineAnswer> {
  const base = await findBaseCommit({ repo_folder: repository.folder, event, named })
  return readBaselineAt({ repo_folder: repository.folder, base, path: BASELINE_PATH })
}

function passes({ file }: BaselineAnswer): number | undefined {
  return file?.tasks['a']?.refreshes[0]?.c
}

/** main has a baseline of 91, then 92; the PR branched off at 91 and edits its own exam. */
async function pullRequest(place: Workplace): Promise<{ base: string; tip: string; head: string; merge: string; event: BaseEvent }> {
  const { origin } = place
  const base = await origin.commit({ [BASELINE_PATH]: baselineText(91), 'plugin.py': 'v1' })
  await origin.git('checkout', '--quiet', '-b', 'feature')
  const head = await origin.commit({ [BASELINE_PATH]: baselineText(1), 'plugin.py': 'v2', 'tasks/a/task.json': '{}' })
  await origin.git('checkout', '--quiet', 'main')
  const tip = await origin.commit({ [BASELINE_PATH]: baselineText(92), 'README.md': 'moved' })
  await origin.git('checkout', '--quiet', '--detach', 'main')
  await origin.git('merge', '--quiet', '--no-ff', '-X', 'theirs', '-m', 'merge ref', 'feature')
  const merge = await origin.git('rev-parse', 'HEAD')
  await origin.git('update-ref', 'refs/pull/1/merge', merge)
  await origin.git('checkout', '--quiet', 'main')
  return { base, tip, head, merge, event: { kind: 'pull_request', base_sha: tip, base_ref: 'main', head_sha: head } }
}

test('merge ref in a clone of depth 1: the first parent’s baseline, fetched by its SHA', async () => {
  await using place = await workplace()
  const { tip, merge, event } = await pullRequest(place)
  const clone = await place.clone('--depth=1')
  await clone.git('fetch', '--quiet', '--depth=1', 'origin', '+refs/pull/1/merge:refs/remotes/pull/1/merge')
  await clone.git('checkout', '--quiet', '--detach', merge)
  const answer = await readFor(clone, event)
  assert.equal(passes(answer), 92)
  assert.deepEqual(answer.origin, { kind: 'base_commit', commit: tip, path: BASELINE_PATH })
})

test('main moved on after the merge ref was made: still the main it was merged with', async () => {
  await using place = await workplace()
  const { tip, merge, event } = await pullRequest(place)
  await place.origin.commit({ [BASELINE_PATH]: baselineText(99) })
  const clone = await place.clone()
  await clone.git('fetch', '--quiet', 'origin', 'refs/pull/1/merge')
  await clone.git('checkout', '--quiet', '--detach', merge)
  const base = await findBaseCommit({ repo_folder: clone.folder, event, named: null })
  assert.equal(base.kind === 'found' && base.commit, tip)
  assert.equal(base.kind === 'found' && base.how, 'merge_first_parent')
})

test('the pull request’s own head, as a fork with an old main has it: the merge base', async () => {
  await using place = await workplace()
  const { base, head, event } = await pullRequest(place)
  for (const options of [[], ['--depth=1', '--branch=feature']]) {
    const clone = await place.clone(...options)
    await clone.git('checkout', '--quiet', '--detach', head)
    const answer = await readFor(clone, event)
    assert.equal(passes(answer), 91, options.join(' '))
    assert.deepEqual(answer.origin, { kind: 'base_commit', commit: base, path: BASELINE_PATH })
  }
})

test('a head that is itself a merge of main into the branch is no merge ref', async () => {
  await using place = await workplace()
  const { tip } = await pullRequest(place)
  await place.origin.git('checkout', '--quiet', 'feature')
  await place.origin.git('merge', '--quiet', '-X', 'ours', '-m', 'update branch', 'main')
  const head = await place.origin.git('rev-parse', 'HEAD')
  const clone = await place.clone('--branch=feature')
  const base = await findBaseCommit({
    repo_folder: clone.folder,
    event: { kind: 'pull_request', base_sha: tip, base_ref: 'main', head_sha: head },
    named: null,
  })
  assert.deepEqual(base.kind === 'found' && [base.commit, base.how], [tip, 'merge_base'])
})

test('a branch on top of one that was squashed into main: the commit both still share', async () => {
  await using place = await workplace()
  const { origin } = place
  const root = await origin.commit({ [BASELINE_PATH]: baselineText(91), 'plugin.py': 'v1' })
  await origin.git('checkout', '--quiet', '-b', 'first')
  await origin.commit({ 'plugin.py': 'v2' })
  await origin.git('checkout', '--quiet', '-b', 'second')
  const head = await origin.commit({ 'other.py': 'v1' })
  await origin.git('checkout', '--quiet', 'main')
  await origin.git('merge', '--quiet', '--squash', 'first')
  const squashed = await origin.commit({ [BASELINE_PATH]: baselineText(95) }, 'squash')
  const clone = await place.clone('--branch=second')
  const answer = await readFor(clone, { kind: 'pull_request', base_sha: squashed, base_ref: 'main', head_sha: head })
  assert.equal(passes(answer), 91)
  assert.equal(answer.origin.kind === 'base_commit' && answer.origin.commit, root)
})

test('a base without a baseline: the branch’s tip stands in and is named; without any, none', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({ 'plugin.py': 'v1' })
  await origin.git('checkout', '--quiet', '-b', 'feature')
  const head = await origin.commit({ 'plugin.py': 'v2' })
  await origin.git('checkout', '--quiet', 'main')
  const tip = await origin.commit({ 'README.md': 'x' })
  const event: BaseEvent = { kind: 'pull_request', base_sha: tip, base_ref: 'main', head_sha: head }
  const clone = await place.clone('--branch=feature')
  const none = await readFor(clone, event)
  assert.equal(none.file, null)
  assert.match(none.origin.kind === 'none' ? none.origin.why : '', /has no baselines\/regression\.json/)
  const later = await origin.commit({ [BASELINE_PATH]: baselineText(97) })
  const standIn = await readFor(clone, event)
  assert.equal(passes(standIn), 97)
  assert.equal(standIn.origin.kind === 'stand_in' && standIn.origin.commit, later)
  assert.match(standIn.origin.kind === 'stand_in' ? standIn.origin.why : '', /the tip of main stands in/)
})

test('a base that can no longer be reached is said to be so, and the remembered branch stands in', async () => {
  await using place = await workplace()
  const { head } = await pullRequest(place)
  const clone = await place.clone('--branch=feature')
  await clone.git('remote', 'set-url', 'origin', 'file:///nowhere/at/all')
  const lost = { kind: 'merge_group', base_sha: 'f'.repeat(40), base_ref: 'main' } as const
  const answer = await readFor(clone, lost)
  assert.equal(passes(answer), 92)
  assert.match(answer.origin.kind === 'stand_in' ? answer.origin.why : '', /neither in the checkout nor on origin/)
  assert.ok(head !== '')
})

test('merge queue, push, local work and a named ref', async () => {
  await using place = await workplace()
  const { base, tip, head } = await pullRequest(place)
  const clone = await place.clone()
  assert.equal(passes(await readFor(clone, { kind: 'merge_group', base_sha: base, base_ref: 'main' })), 91)
  assert.equal(passes(await readFor(clone, { kind: 'push' })), 91)
  assert.equal(passes(await readFor(clone, { kind: 'local' })), 92)
  await clone.git('checkout', '--quiet', '--detach', head)
  assert.equal(passes(await readFor(clone, { kind: 'local' })), 91)
  assert.equal(passes(await readFor(clone, { kind: 'local' }, 'main')), 92)
  assert.equal(passes(await readFor(clone, { kind: 'local' }, tip)), 92)
  assert.equal((await findBaseCommit({ repo_folder: clone.folder, event: { kind: 'local' }, named: '--upload-pack=x' })).kind, 'none')
})

test('what a pull request changes in its own exam is told, whatever was cloned', async () => {
  await using place = await workplace()
  const { tip, base, head, merge } = await pullRequest(place)
  const shallow = await place.clone('--depth=1')
  await shallow.git('fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/1/merge')
  await shallow.git('checkout', '--quiet', '--detach', merge)
  assert.deepEqual(await changedExamFiles(shallow.folder, tip, merge), [BASELINE_PATH, 'tasks/a/task.json'])
  const full = await place.clone()
  assert.deepEqual(await changedExamFiles(full.folder, base, head), [BASELINE_PATH, 'tasks/a/task.json'])
  assert.deepEqual(await changedExamFiles(full.folder, tip, tip), [])
})

test('quarantine is read from the base commit, not from the working tree', async () => {
  await using place = await workplace()
  const list = { schema: 'genui-eval/quarantine@1', tasks: { a: { owner: 'ada', reason: 'slow', expires: '2026-02-01' } } }
  const base = await place.origin.commit({ [BASELINE_PATH]: baselineText(91), 'baselines/quarantine.json': JSON.stringify(list) })
  const clone = await place.clone()
  await clone.commit({ 'baselines/quarantine.json': JSON.stringify({ ...list, tasks: { b: list.tasks.a } }) })
  assert.deepEqual(Object.keys((await readQuarantineAt(clone.folder, base, BASELINE_PATH))?.tasks ?? {}), ['a'])
  const bad = await place.origin.commit({ 'baselines/quarantine.json': '{"schema":"genui-eval/quarantine@1","tasks":{"a":{"owner":""}}}' })
  await assert.rejects(readQuarantineAt(place.origin.folder, bad, BASELINE_PATH), UserError)
})

test('a broken baseline, a path outside and a folder without git are one clear sentence each', async () => {
  await using place = await workplace()
  await place.origin.commit({ [BASELINE_PATH]: '{"schema":"genui-eval/baseline@1","suite":"other","extra":1}' })
  const base = await findBaseCommit({ repo_folder: place.origin.folder, event: { kind: 'local' }, named: null })
  const read = readBaselineAt({ repo_folder: place.origin.folder, base, path: BASELINE_PATH })
  await assert.rejects(
    read,
    (error) => error instanceof UserError && error.problems.length >= 3 && /unknown key "extra"/.test(error.message),
  )
  await assert.rejects(readBaselineAt({ repo_folder: place.origin.folder, base, path: '../x.json' }), UserError)
  const bare = await mkdtemp(join(tmpdir(), 'genui-nogit-'))
  try {
    await assert.rejects(findBaseCommit({ repo_folder: bare, event: { kind: 'local' }, named: null }), UserError)
  } finally {
    await rm(bare, { recursive: true })
  }
})
