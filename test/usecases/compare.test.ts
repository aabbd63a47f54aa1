import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import { RESULTS_SCHEMA_VERSION } from '../../src/model/results.ts'
import { compareFiles, type CompareSettings } from '../../src/usecases/compare.ts'
import { describePower, measurePower, plotPower } from '../../src/usecases/power.ts'
import { baselineWith } from '../baseline/repositories.ts'
import { FINGERPRINT, makeRecord } from '../records/make-record.ts'

const SETTINGS: CompareSettings = {
  mode: 'statistical',
  k: 3,
  alpha: 0.05,
  max_trials: 30,
  golden_floor: 0.5,
  today: '2026-01-15',
  accepted_removals: [],
  accepted_changes: [],
}

function doc(name: string, value: unknown): { name: string; value: unknown } {
  return { name, value }
}

function counts(tasks: Readonly<Record<string, readonly [number, number]>>): unknown {
  return { tasks: Object.fromEntries(Object.entries(tasks).map(([id, [c, n]]) => [id, { n, c }])) }
}

function results(tasks: Readonly<Record<string, string>>, change: { model?: string; missing?: number; stage?: number } = {}): unknown {
  const trials = Object.entries(tasks).flatMap(([id, letters]) =>
    letters
      .split('')
      .map((letter, i) =>
        makeRecord(id, i, { verdict: letter === 'p' ? 'pass' : letter === 'f' ? 'fail' : 'infra', stage: i < 3 ? 0 : (change.stage ?? 0) }),
      ),
  )
  return {
    schema: RESULTS_SCHEMA_VERSION,
    run: { fingerprint: { ...FINGERPRINT, model: change.model ?? 'm' } },
    totals: { missing: change.missing ?? 0 },
    decision: { tasks: Object.keys(tasks).map((id) => ({ task_id: id, golden: false, head: {} })) },
    trials,
  }
}

test('bare counts on both sides: status, pass^k, interval and p-value a task', () => {
  const comparison = compareFiles(
    doc('base', counts({ a: [30, 30], b: [29, 30] })),
    doc('head', counts({ a: [2, 10], b: [10, 10] })),
    SETTINGS,
  )
  assert.equal(comparison.verdict, 'fail')
  const { a, b } = comparison.tasks
  assert.equal(a?.status, 'regressed')
  assert.equal(a?.baseline?.pass_k, 1)
  assert.ok((a?.p_value ?? 1) < 1e-5 && (a?.head?.interval?.high ?? 1) < 0.2)
  assert.equal(b?.status, 'stable')
})

test('identical documents of every kind: zero difference and pass', () => {
  const documents = [
    counts({ a: [29, 30], b: [3, 3] }),
    baselineWith(91),
    results({ a: 'ppp', b: 'ppfppp' }, { stage: 1 }),
    counts({ a: [0, 3] }),
  ]
  for (const value of documents) {
    const comparison = compareFiles(doc('base', value), doc('head', value), SETTINGS)
    assert.equal(comparison.verdict, 'pass', comparison.reason)
    for (const task of Object.values(comparison.tasks)) assert.equal(task.difference, 0)
    assert.deepEqual(comparison.suite.head, comparison.suite.baseline)
  }
})

test('results against a baseline file: infrastructure trials are counted apart, a changed model is named', () => {
  const base = doc('base', baselineWith(95))
  assert.equal(compareFiles(base, doc('head', results({ a: 'ppp' })), SETTINGS).verdict, 'pass')
  const unmeasured = compareFiles(base, doc('head', results({ a: 'iiip' })), SETTINGS)
  assert.equal(unmeasured.verdict, 'inconclusive')
  assert.deepEqual([unmeasured.tasks['a']?.status, unmeasured.tasks['a']?.head?.infra], ['unmeasured', 3])
  const other = compareFiles(base, doc('head', results({ a: 'ppp' }, { model: 'm2' })), SETTINGS)
  assert.equal(other.verdict, 'inconclusive')
  assert.deepEqual(other.fingerprint_differences, ['model: m → m2'])
  assert.equal(compareFiles(base, doc('head', results({ a: 'ppp' }, { missing: 2 })), SETTINGS).verdict, 'inconclusive')
})

test('a task that only the baseline has is not green by silence', () => {
  const comparison = compareFiles(doc('base', counts({ a: [30, 30], b: [10, 30] })), doc('head', counts({ a: [30, 30] })), SETTINGS)
  assert.deepEqual([comparison.verdict, comparison.tasks['b']?.status], ['inconclusive', 'removed'])
})

test('every problem of both documents is told at once', () => {
  const bad = doc('base.json', { tasks: { a: { n: 3, c: 4 }, b: { n: 1, c: 2 } } })
  const worse = doc('head.json', { schema: 'genui-eval/baseline@1', suite: 'x' })
  assert.throws(
    () => compareFiles(bad, worse, SETTINGS),
    (error) =>
      error instanceof UserError && error.problems.length >= 4 && /base\.json/.test(error.message) && /head\.json/.test(error.message),
  )
  assert.throws(() => compareFiles(doc('x', null), doc('y', []), SETTINGS), UserError)
})

test('1,000 tasks of 30 trials are compared within a second', () => {
  const make = (offset: number): unknown =>
    results(
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, i) => [
          `t${i}`,
          Array.from({ length: 30 }, (_, j) => ((i * 7 + j * 13 + offset) % 19 === 0 ? 'f' : 'p')).join(''),
        ]),
      ),
    )
  const [base, head] = [doc('base', make(0)), doc('head', make(3))]
  const started = performance.now()
  const comparison = compareFiles(base, head, SETTINGS)
  const took = performance.now() - started
  assert.equal(Object.keys(comparison.tasks).length, 1000)
  assert.ok(took < 1000, `${took.toFixed(0)} ms`)
})

const QUESTION = { runs: 100, seed: 1, baseline_n: 30, k: 3, tasks: 10, p_base: 0.95, p_head: 0.3, changed: 1, max_trials: 30, alpha: 0.05 }

test('power: a table with the three designs, a plot, and a warning before money is spent', () => {
  const text = describePower(measurePower(QUESTION))
  assert.match(text, /adaptive/)
  assert.match(text, /fixed size/)
  assert.match(text, /naive/)
  assert.match(plotPower(QUESTION, 20), /100 %/)
  assert.match(measurePower({ ...QUESTION, baseline_n: 1, tasks: 1, p_base: 0.7, max_trials: 3 }).warning ?? '', /cannot decide/)
})

test('power: every bad number is told at once', () => {
  assert.throws(
    () => measurePower({ ...QUESTION, k: 0, p_base: 2, changed: 11 }),
    (error) => error instanceof UserError && error.problems.length === 3,
  )
})
