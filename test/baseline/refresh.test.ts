import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBaselineFile, parseBaselineFile } from '../../src/baseline/baseline-file.ts'
import { contentsStore, type ContentsApi } from '../../src/baseline/contents-store.ts'
import { gitStore } from '../../src/baseline/git-store.ts'
import { refreshThrough } from '../../src/baseline/refresh-store.ts'
import { mergeRefresh, type RefreshRun } from '../../src/gate/refresh.ts'
import { UserError } from '../../src/model/errors.ts'
import { refreshBaseline, refreshedText, refreshTasks } from '../../src/usecases/refresh-baseline.ts'
import { FINGERPRINT, makeRecord } from '../records/make-record.ts'
import { BASELINE_PATH, type Repository, baselineWith, workplace, type Workplace } from './repositories.ts'

const SETTINGS = { k: 3, alpha: 0.05, golden_floor: 0.5 }
const AUTHOR = { name: 'genui-eval', email: 'genui-eval@example.invalid' }

function run(commit: string, taskIds: readonly string[] = ['a'], wholeSuite = true): RefreshRun {
  const planned = taskIds.map((id) => ({ task_id: id, digest: 'd1', golden: false, planned: 3 }))
  const records = taskIds.flatMap((id) => [0, 1, 2].map((i) => makeRecord(id, i)))
  return {
    suite: 'regression',
    fingerprint: FINGERPRINT,
    commit,
    date: '2026-01-02T00:00:00.000Z',
    tasks: refreshTasks(planned, records),
    whole_suite: wholeSuite,
    accept_regression: null,
    note: null,
  }
}

async function bareOrigin(place: Workplace): Promise<{ first: string; second: string; bare: Repository }> {
  const first = await place.origin.commit({ 'plugin.py': 'v1' })
  const second = await place.origin.commit({ 'plugin.py': 'v2' })
  await place.origin.git('checkout', '--quiet', '--detach')
  return { first, second, bare: place.origin }
}

async function standing(origin: Repository): Promise<ReturnType<typeof parseBaselineFile>> {
  return parseBaselineFile(await origin.git('show', `main:${BASELINE_PATH}`), 'main')
}

test('the file is sorted and stable, reads back as it was, and a refresh adds one line a task', () => {
  const file = baselineWith(91, ['b', 'a'])
  const text = formatBaselineFile(file)
  assert.deepEqual(parseBaselineFile(text, 'x'), { ...file, tasks: { a: file.tasks['a'], b: file.tasks['b'] } })
  assert.equal(formatBaselineFile(parseBaselineFile(text, 'x')), text)
  assert.ok(text.indexOf('"a"') < text.indexOf('"b"'))
  const outcome = mergeRefresh(file, run('c9', ['a', 'b']), new Set(), SETTINGS)
  if (outcome.kind !== 'write') throw new Error(JSON.stringify(outcome))
  const added = formatBaselineFile(outcome.file)
    .split('\n')
    .filter((line) => !text.includes(line.replace(/,$/, '')))
  assert.equal(added.length, 2)
})

test('a refresh commits to the branch without touching the checkout', async () => {
  await using place = await workplace()
  const { second } = await bareOrigin(place)
  const clone = await place.clone('--depth=1')
  await clone.git('checkout', '--quiet', '--detach')
  const store = await gitStore({ repo_folder: clone.folder, branch: 'main', path: BASELINE_PATH, author: AUTHOR })
  const outcome = await refreshBaseline(store, run(second), SETTINGS)
  assert.equal(outcome.kind, 'written')
  assert.equal(await clone.git('status', '--porcelain'), '')
  assert.equal(await clone.git('rev-parse', 'HEAD'), second)
  assert.equal(await clone.git('worktree', 'list').then((list) => list.split('\n').length), 1)
  assert.equal(await place.origin.git('diff', '--name-only', second, 'main'), BASELINE_PATH)
  assert.equal((await standing(place.origin)).tasks['a']?.refreshes[0]?.n, 3)
  assert.equal((await refreshBaseline(store, run(second), SETTINGS)).kind, 'unchanged')
})

test('four refreshes at once against one bare repository lose nothing, and the newest stays last', async () => {
  await using place = await workplace()
  const { first, second } = await bareOrigin(place)
  const refreshes = [run(first, ['a']), run(second, ['a']), run(second, ['b'], false), run(first, ['c'], false)]
  const stores = await Promise.all(
    refreshes.map(async () => {
      const clone = await place.clone()
      return gitStore({ repo_folder: clone.folder, branch: 'main', path: BASELINE_PATH, author: AUTHOR })
    }),
  )
  // The whole-suite run at the newest commit would drop tasks it does not hold, so it goes in as a part.
  const parts = refreshes.map((refresh) => ({ ...refresh, whole_suite: false }))
  await Promise.all(parts.map((refresh, i) => refreshBaseline(stores[i] ?? fail(), refresh, SETTINGS)))
  const file = await standing(place.origin)
  assert.deepEqual(Object.keys(file.tasks), ['a', 'b', 'c'])
  assert.deepEqual(
    file.tasks['a']?.refreshes.map(({ commit }) => commit),
    [first, second],
  )
  assert.equal(await place.origin.git('rev-list', '--count', `${second}..main`), '4')
})

function fail(): never {
  throw new Error('no store')
}

test('a stale run under another fingerprint overwrites nothing', async () => {
  await using place = await workplace()
  const { first, second } = await bareOrigin(place)
  const clone = await place.clone()
  const store = await gitStore({ repo_folder: clone.folder, branch: 'main', path: BASELINE_PATH, author: AUTHOR })
  await refreshBaseline(store, run(second), SETTINGS)
  const tip = await place.origin.git('rev-parse', 'main')
  const stale = await refreshBaseline(store, { ...run(first), fingerprint: { ...FINGERPRINT, model: 'old' } }, SETTINGS)
  assert.equal(stale.kind, 'unchanged')
  assert.match(stale.why, /too late/)
  assert.equal(await place.origin.git('rev-parse', 'main'), tip)
})

test('a push that the remote forbids is a clear sentence, not a retry', async () => {
  await using place = await workplace()
  const { second } = await bareOrigin(place)
  const { writeFile } = await import('node:fs/promises')
  await writeFile(
    `${place.origin.folder}/.git/hooks/pre-receive`,
    '#!/bin/sh\necho "GH006: Protected branch update failed" >&2\nexit 1\n',
    { mode: 0o755 },
  )
  const clone = await place.clone()
  const store = await gitStore({ repo_folder: clone.folder, branch: 'main', path: BASELINE_PATH, author: AUTHOR })
  await assert.rejects(
    refreshBaseline(store, run(second), SETTINGS),
    (error) => error instanceof UserError && /contents: write.*pull request/.test(error.message),
  )
})

test('a refused run throws every reason and writes nothing', async () => {
  await using place = await workplace()
  const { second } = await bareOrigin(place)
  const clone = await place.clone()
  const store = await gitStore({ repo_folder: clone.folder, branch: 'main', path: BASELINE_PATH, author: AUTHOR })
  const short = { ...run(second), tasks: run(second).tasks.map((task) => ({ ...task, planned: 10 })) }
  await assert.rejects(refreshBaseline(store, short, SETTINGS), (error) => error instanceof UserError && /incomplete/.test(error.message))
  assert.equal(await place.origin.git('rev-parse', 'main'), second)
})

/** The contents API as GitHub behaves: the blob SHA is the precondition. */
function fakeContents(order: readonly string[]): ContentsApi & { file: { text: string; blob_sha: string } | null } {
  let writes = 0
  return {
    file: null,
    async read() {
      const standing = this.file
      await new Promise((resolve) => setTimeout(resolve, 20))
      return standing
    },
    async write({ text, blob_sha: sha }) {
      if ((this.file?.blob_sha ?? null) !== sha) return { kind: 'moved' }
      writes += 1
      this.file = { text, blob_sha: `blob-${writes}` }
      return { kind: 'written', commit: `commit-${writes}` }
    },
    async isAncestor(earlier, later) {
      return order.indexOf(earlier) < order.indexOf(later)
    },
  }
}

test('two refreshes at once through the contents API lose nothing', async () => {
  const api = fakeContents(['c1', 'c2'])
  const store = contentsStore(api, 'main', BASELINE_PATH)
  const outcomes = await Promise.all([refreshBaseline(store, run('c2'), SETTINGS), refreshBaseline(store, run('c1'), SETTINGS)])
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['written', 'written'],
  )
  const file = parseBaselineFile(api.file?.text ?? '', 'x')
  assert.deepEqual(
    file.tasks['a']?.refreshes.map(({ commit }) => commit),
    ['c1', 'c2'],
  )
})

test('a store that never stands still ends in a clear error', async () => {
  const store = { ...contentsStore(fakeContents([]), 'main', BASELINE_PATH), write: async () => ({ kind: 'moved' }) as const }
  await assert.rejects(
    refreshThrough(store, { message: 'm', change: () => ({ kind: 'write', file: baselineWith(1) }), retries: 2, min_wait_ms: 1 }),
    /kept being changed/,
  )
})

test('the text seam merges what stands and keeps commit order', () => {
  const first = refreshedText(null, run('c2'), SETTINGS, () => false)
  const both = refreshedText(first, run('c1'), SETTINGS, (commit) => commit === 'c2')
  assert.deepEqual(
    parseBaselineFile(both ?? '', 'x').tasks['a']?.refreshes.map(({ commit }) => commit),
    ['c1', 'c2'],
  )
})

test('a refresh stores failure classes and medians of counted trials', () => {
  const records = [
    makeRecord('a', 0, { cost_usd: 0.03, wall_ms: 10 }),
    makeRecord('a', 1, { cost_usd: 0.01, wall_ms: 20, verdict: 'fail', failure_class: 'js_error' }),
    makeRecord('a', 2, { verdict: 'infra', infra_class: 'quota', cost_usd: 9, wall_ms: 9000, score: null }),
  ]
  const [task] = refreshTasks([{ task_id: 'a', digest: 'd', golden: false, planned: 3 }], records)
  assert.deepEqual(task?.trials, ['pass', 'fail', 'infra'])
  assert.deepEqual(task?.failures, { js_error: 1 })
  assert.deepEqual([task?.cost_usd, task?.wall_ms, task?.tokens, task?.tool_calls], [0.02, 15, 15, 2])
})
