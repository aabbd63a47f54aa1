// Pictures of a comment: a branch of one root commit, and what may become a picture at all.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { readEvent, type EventFacts } from '../../src/github/event.ts'
import { publishPictures } from '../../src/github/pictures.ts'
import type { TrialRecord } from '../../src/model/record.ts'
import type { Results } from '../../src/model/results.ts'
import type { TaskVerdict } from '../../src/model/verdict.ts'
import { choosePictures } from '../../src/usecases/comment-pictures.ts'
import { RESULTS } from '../action/results.ts'
import { madeUpRecord } from '../action/made-up-run.ts'
import { pullPayload, REPOSITORY, RUNNER_ENV, startWorld } from './world.ts'

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
let folder = ''
before(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'genui-eval-pictures-'))))
after(() => rm(folder, { recursive: true, force: true }))

test('every run replaces the branch by a root commit, and the addresses are pinned to it', async () => {
  await using world = await startWorld()
  const plan = { branch: 'genui-eval-pictures/pr-7-default', pictures: [{ key: 'trials/a/1.png', name: 'a.png', png: PNG }] }
  const { state } = world.fake
  for (const run of ['first', 'second']) {
    const addresses = await publishPictures(world.github, plan)
    const commit = state.refs.get(plan.branch) ?? ''
    assert.deepEqual(addresses, { 'trials/a/1.png': `https://raw.githubusercontent.com/octo/plugin/${commit}/a.png` })
    assert.deepEqual(state.history.get(commit), [], run)
    assert.equal(PNG.equals(state.blobs.get(state.trees.get(commit)?.get('a.png') ?? '') ?? Buffer.of()), true)
  }
  assert.equal(
    world.fake.requests.map(({ operation }) => operation.replace('git/', '')).join(' '),
    'create-blob create-tree create-commit create-ref create-blob create-tree create-commit create-ref update-ref',
  )
  assert.deepEqual(world.fake.problems, [])
})

function event(over: { readonly is_private?: boolean; readonly server?: string; readonly head_repo?: number } = {}): EventFacts {
  const { is_private = false, server = 'https://github.com', head_repo = 1 } = over
  const payload = { ...pullPayload(head_repo), repository: { ...REPOSITORY, private: is_private } }
  return readEvent({ ...RUNNER_ENV, GITHUB_SERVER_URL: server }, payload)
}

/** Regressed tasks, each with two failing trials that name these files. */
function regressed(files: Readonly<Record<string, string>>): Results {
  const trials: TrialRecord[] = Object.entries(files).flatMap(([task, file]) =>
    [0, 1].map((index) => ({ ...madeUpRecord(task, index, 'nothing came'), screenshots: index === 0 ? [file] : ['never.png'] })),
  )
  const verdict = (task_id: string): TaskVerdict => ({
    task_id,
    status: 'regressed',
    reason: '',
    baseline: null,
    head: null,
    p_value: null,
    level: null,
    golden: false,
    quarantine: null,
  })
  return { ...RESULTS, trials, decision: { ...RESULTS.decision, verdict: 'fail', tasks: Object.keys(files).map(verdict) } }
}

test('only whole PNG files of the run folder are shown: the first failing trial of a regressed task, six at most', async () => {
  const run = path.join(folder, 'run')
  await mkdir(path.join(run, 'trials'), { recursive: true })
  const outside = path.join(folder, 'outside.png')
  await writeFile(outside, PNG)
  await symlink(outside, path.join(run, 'link.png'))
  const files: Record<string, string> = {
    page: 'page.png',
    cut: 'cut.png',
    big: 'big.png',
    link: 'link.png',
    climbs: '../outside.png',
    gone: 'gone.png',
  }
  await writeFile(path.join(run, 'page.png'), '<!doctype html>')
  await writeFile(path.join(run, 'cut.png'), PNG.subarray(0, -4))
  await writeFile(path.join(run, 'big.png'), Buffer.concat([PNG.subarray(0, 40), Buffer.alloc(3 * 2 ** 20), PNG.subarray(40)]))
  assert.deepEqual(await choosePictures(regressed(files), run, event(), 'default'), { kind: 'none', why: null })

  const good = Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`task_${number}`, `trials/${number}.png`]))
  for (const file of Object.values(good)) await writeFile(path.join(run, file), PNG)
  const choice = await choosePictures(regressed(good), run, event(), 'other model')
  assert.equal(choice.kind, 'publish')
  if (choice.kind !== 'publish') return
  assert.equal(choice.plan.branch, 'genui-eval-pictures/pr-7-other-model')
  assert.equal(choice.plan.pictures.length, 6)
  for (const { key, name, png } of choice.plan.pictures) assert.deepEqual([good[name.replace('.png', '')], PNG.equals(png)], [key, true])

  for (const [where, says] of [
    [event({ is_private: true }), /for public repositories/],
    [event({ server: 'https://ghes.example' }), /for public repositories/],
    [event({ head_repo: 99 }), /^$/],
  ] as const) {
    const none = await choosePictures(regressed(good), run, where, 'default')
    assert.match(none.kind === 'none' ? (none.why ?? '') : 'shown', says)
  }
})
