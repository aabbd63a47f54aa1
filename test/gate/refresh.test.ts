import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrift, fingerprintDifferences, gateTasks, pooledCounts } from '../../src/gate/pool.ts'
import { mergeRefresh, type RefreshRun, type RefreshTask } from '../../src/gate/refresh.ts'
import type { BaselineFile } from '../../src/model/baseline.ts'
import type { TrialOutcome } from '../../src/model/verdict.ts'
import { FINGERPRINT } from '../records/make-record.ts'

const SETTINGS = { k: 3, alpha: 0.05, golden_floor: 0.5 }
const NONE: ReadonlySet<string> = new Set()

function trials(passes: number, n: number, infra = 0): TrialOutcome[] {
  return [
    ...Array<TrialOutcome>(passes).fill('pass'),
    ...Array<TrialOutcome>(n - passes).fill('fail'),
    ...Array<TrialOutcome>(infra).fill('infra'),
  ]
}

function task(id: string, passes: number, n = 10, change: Partial<RefreshTask> = {}): RefreshTask {
  return {
    task_id: id,
    digest: 'd1',
    golden: false,
    planned: n,
    trials: trials(passes, n),
    failures: {},
    cost_usd: null,
    wall_ms: 5,
    tokens: null,
    tool_calls: 1,
    ...change,
  }
}

function run(commit: string, tasks: readonly RefreshTask[], change: Partial<RefreshRun> = {}): RefreshRun {
  return {
    suite: 'regression',
    fingerprint: FINGERPRINT,
    commit,
    date: `2026-01-01T00:00:00.000Z`,
    tasks,
    whole_suite: true,
    accept_regression: null,
    note: null,
    ...change,
  }
}

function written(standing: BaselineFile | null, refresh: RefreshRun, newer = NONE): BaselineFile {
  const outcome = mergeRefresh(standing, refresh, newer, SETTINGS)
  assert.equal(outcome.kind, 'write', JSON.stringify(outcome))
  if (outcome.kind !== 'write') throw new Error('not written')
  return outcome.file
}

function commits(file: BaselineFile, id: string): string[] {
  return file.tasks[id]?.refreshes.map(({ commit }) => commit) ?? []
}

test('refreshes are pooled, newest last, over a window', () => {
  let file: BaselineFile | null = null
  for (let i = 0; i < 14; i += 1) file = written(file, run(`c${i}`, [task('a', 9)]))
  if (file === null) throw new Error('no file')
  assert.deepEqual(commits(file, 'a'), ['c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c12', 'c13'])
  assert.deepEqual(pooledCounts(file.tasks['a']?.refreshes ?? []), { n: 50, c: 45, infra: 0 })
})

test('writing the same run twice does no harm', () => {
  const once = written(null, run('c1', [task('a', 9)]))
  assert.deepEqual(written(once, run('c1', [task('a', 9)])), once)
})

test('incomplete, adaptive and infrastructure-ridden runs are refused, with every reason', () => {
  const outcome = mergeRefresh(
    null,
    run('c1', [
      task('a', 9, 10, { planned: 12 }),
      task('b', 9, 10, { planned: 8 }),
      task('c', 2, 2, { planned: 10, trials: trials(2, 2, 8) }),
    ]),
    NONE,
    SETTINGS,
  )
  assert.equal(outcome.kind, 'refuse')
  if (outcome.kind !== 'refuse') return
  assert.match(outcome.reasons.join('\n'), /incomplete: a \(10 of 12\)/)
  assert.match(outcome.reasons.join('\n'), /more trials than planned.*b/)
  assert.match(outcome.reasons.join('\n'), /Fewer than 3 trials.*c/)
  assert.match(outcome.reasons.join('\n'), /Infrastructure cost 8/)
})

test('a regression is refused unless accepted with a reason, and then only newer counts are pooled', () => {
  const before = written(null, run('c1', [task('a', 30, 30), task('b', 30, 30)]))
  const worse = run('c2', [task('a', 3, 30), task('b', 30, 30)])
  const refused = mergeRefresh(before, worse, NONE, SETTINGS)
  assert.equal(refused.kind, 'refuse')
  const file = written(before, { ...worse, accept_regression: 'new layout drops the chart' })
  assert.equal(file.tasks['a']?.refreshes.at(-1)?.accepted_regression, 'new layout drops the chart')
  assert.equal(file.tasks['b']?.refreshes.at(-1)?.accepted_regression, undefined)
  assert.deepEqual(pooledCounts(file.tasks['a']?.refreshes ?? []), { n: 30, c: 3, infra: 0 })
  assert.deepEqual(pooledCounts(file.tasks['b']?.refreshes ?? []), { n: 60, c: 60, infra: 0 })
})

test('a late run is filed before the newer one and loses nothing', () => {
  const newer = written(null, run('c2', [task('a', 10)]))
  const file = written(newer, run('c1', [task('a', 9)]), new Set(['c2']))
  assert.deepEqual(commits(file, 'a'), ['c1', 'c2'])
})

test('a late run under another fingerprint, or with an older task, overwrites nothing', () => {
  const newer = written(null, run('c2', [task('a', 10, 10, { digest: 'd2' }), task('added', 10)]))
  const late = new Set(['c2'])
  assert.equal(
    mergeRefresh(newer, run('c1', [task('a', 9)], { fingerprint: { ...FINGERPRINT, model: 'old' } }), late, SETTINGS).kind,
    'leave',
  )
  const file = written(newer, run('c1', [task('a', 9), task('dropped', 9)]), late)
  assert.deepEqual(commits(file, 'a'), ['c2'])
  assert.deepEqual(commits(file, 'added'), ['c2'])
})

test('a new fingerprint or a changed task starts anew; removed tasks leave with a whole run only', () => {
  const before = written(null, run('c1', [task('a', 9), task('b', 9)]))
  const model = written(before, run('c2', [task('a', 9), task('b', 9)], { fingerprint: { ...FINGERPRINT, model: 'new' } }))
  assert.deepEqual(commits(model, 'a'), ['c2'])
  const changed = written(before, run('c2', [task('a', 2, 10, { digest: 'd2' })]))
  assert.deepEqual(Object.keys(changed.tasks), ['a'])
  assert.deepEqual(commits(changed, 'a'), ['c2'])
  const part = written(before, run('c2', [task('a', 9)], { whole_suite: false }))
  assert.deepEqual([commits(part, 'a'), commits(part, 'b')], [['c1', 'c2'], ['c1']])
})

test('baseline, head and quarantine join into gate tasks: new, removed and changed are told apart', () => {
  const file = written(null, run('c1', [task('same', 9), task('changed', 9), task('gone', 9)]))
  const head = ['same', 'changed', 'new'].map((id) => ({
    task_id: id,
    digest: id === 'changed' ? 'd2' : 'd1',
    golden: id === 'new',
    trials: trials(3, 3),
  }))
  const quarantine = { owner: 'ada', reason: 'slow', expires: '2026-02-01' }
  const joined = gateTasks(file, head, { schema: 'genui-eval/quarantine@1', tasks: { same: quarantine } })
  assert.deepEqual(
    joined.map(({ task_id: id, changed, baseline, head: now, golden, quarantine: held }) => [
      id,
      changed,
      baseline?.c ?? null,
      now?.n ?? null,
      golden,
      held !== null,
    ]),
    [
      ['same', false, 9, 3, false, true],
      ['changed', true, 9, 3, false, false],
      ['new', false, null, 3, true, false],
      ['gone', false, 9, null, false, false],
    ],
  )
})

test('drift over the window is seen, steady refreshes are not', () => {
  let file: BaselineFile | null = null
  for (const [i, passes] of [20, 20, 19, 12, 11].entries()) {
    file = written(file, run(`c${i}`, [task('a', passes, 20), task('b', 20, 20)], { accept_regression: i === 0 ? null : 'kept' }))
    // Taken out again, so that the window is not cut at the acceptance.
    for (const refresh of file.tasks['a']?.refreshes ?? []) delete refresh.accepted_regression
  }
  if (file === null) throw new Error('no file')
  assert.deepEqual(
    findDrift(file).map(({ task_id: id }) => id),
    ['a'],
  )
})

test('fingerprint differences name the part and both sides', () => {
  assert.deepEqual(fingerprintDifferences(FINGERPRINT, { ...FINGERPRINT, judge: 'gpt/2', browser: 'chromium/151' }), [
    'judge: off → gpt/2',
    'browser: chromium/150 → chromium/151',
  ])
})
