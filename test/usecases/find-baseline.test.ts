import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatBaselineFile } from '../../src/baseline/baseline-file.ts'
import { decide } from '../../src/gate/decide.ts'
import { gateTasks } from '../../src/gate/pool.ts'
import type { BaselineFile } from '../../src/model/baseline.ts'
import { parseRunConfig } from '../../src/model/config.ts'
import type { RawInputs } from '../../src/model/inputs.ts'
import type { TrialOutcome } from '../../src/model/verdict.ts'
import { findBaseline, type FoundBaseline } from '../../src/usecases/find-baseline.ts'
import { driftNotice, examNotice, gateContext } from '../../src/usecases/gate-context.ts'
import { BASELINE_PATH, baselineText, baselineWith, workplace, type Repository } from '../baseline/repositories.ts'

const QUARANTINE_PATH = 'baselines/quarantine.json'

function quarantineText(expires: string): string {
  const tasks = { a: { owner: 'ada', reason: 'provider outage', expires } }
  return JSON.stringify({ schema: 'genui-eval/quarantine@1', tasks })
}

const configFor = ({ folder }: Repository, more: RawInputs = {}) =>
  parseRunConfig({ plugin: 'plugin', model: 'm', agent: 'builtin', 'tasks-folder': 'tasks', ...more }, (path) => join(folder, path))

const find = (repository: Repository, more: RawInputs = {}): Promise<FoundBaseline> =>
  findBaseline(configFor(repository, more), repository.folder, { kind: 'local' })

/** What the gate says of a build whose task `a` always fails (or passes), and whose task `b` passes. */
function verdictOn(found: FoundBaseline, repository: Repository, more: RawInputs = {}, a: TrialOutcome = 'fail', digestOfA = 'd1') {
  const config = configFor(repository, more)
  const nine = (outcome: TrialOutcome): TrialOutcome[] => Array.from({ length: 9 }, () => outcome)
  const head = [
    { task_id: 'a', digest: digestOfA, golden: false, trials: nine(a) },
    { task_id: 'b', digest: 'd1', golden: false, trials: nine('pass') },
  ]
  return decide(gateTasks(found.file, head, found.quarantine), config.gate, gateContext(found, [], config))
}

test('a quarantine counts as the base commit has it, not as the change under test would like it', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({ [BASELINE_PATH]: formatBaselineFile(baselineWith(100, ['a', 'b'])) })
  await origin.git('checkout', '--quiet', '-b', 'change')
  await origin.commit({ [QUARANTINE_PATH]: quarantineText('2999-01-01') })
  const found = await find(origin)
  assert.equal(found.quarantine, null)
  assert.equal(verdictOn(found, origin).verdict, 'fail')
  assert.match(examNotice(found).join(' '), /edits its own exam \(baselines\/quarantine\.json\)/)

  await origin.git('checkout', '--quiet', 'main')
  await origin.git('merge', '--quiet', 'change')
  await origin.git('checkout', '--quiet', '-b', 'later')
  await origin.commit({ 'plugin/tools.py': 'x' })
  const after = await find(origin)
  assert.deepEqual(examNotice(after), [])
  const held = verdictOn(after, origin)
  assert.equal(held.verdict, 'pass')
  const task = held.tasks.find(({ task_id: id }) => id === 'a')
  assert.equal(task?.status, 'regressed')
  assert.deepEqual(task?.quarantine, { owner: 'ada', reason: 'provider outage', expires: '2999-01-01' })
})

test('an expired quarantine gates again', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({
    [BASELINE_PATH]: formatBaselineFile(baselineWith(100, ['a', 'b'])),
    [QUARANTINE_PATH]: quarantineText('2020-01-01'),
  })
  const decision = verdictOn(await find(origin), origin)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.tasks[0]?.reason ?? '', /quarantine \(ada\) expired on 2020-01-01/)
})

test('a task that the suite lost is inconclusive until its removal is accepted by name', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({ [BASELINE_PATH]: formatBaselineFile(baselineWith(100, ['a', 'b', 'gone'])) })
  const found = await find(origin)
  const silent = verdictOn(found, origin, {}, 'pass')
  assert.equal(silent.verdict, 'inconclusive')
  assert.match(silent.reason, /not in this build’s suite: gone/)
  assert.equal(verdictOn(found, origin, { 'accepted-removals': 'other' }, 'pass').verdict, 'inconclusive')
  assert.equal(verdictOn(found, origin, { 'accepted-removals': 'other, gone' }, 'pass').verdict, 'pass')
  const asked = await find(origin, { tasks: 'a,b' })
  assert.equal(verdictOn(asked, origin, {}, 'pass').verdict, 'pass')
})

test('a change that edits a task and fails it is inconclusive until the edit is accepted by name', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({ [BASELINE_PATH]: formatBaselineFile(baselineWith(100, ['a', 'b'])) })
  const found = await find(origin)
  const silent = verdictOn(found, origin, {}, 'fail', 'edited')
  assert.equal(silent.verdict, 'inconclusive')
  assert.match(silent.reason, /fails it as edited: a \(0\/9\)/)
  assert.equal(verdictOn(found, origin, { 'accepted-changes': 'b' }, 'fail', 'edited').verdict, 'inconclusive')
  assert.equal(verdictOn(found, origin, { 'accepted-changes': 'a' }, 'fail', 'edited').verdict, 'pass')
  assert.equal(verdictOn(found, origin, {}, 'pass', 'edited').verdict, 'pass')
})

test('a paired run without a stored baseline still reads the quarantine of its base commit', async () => {
  await using place = await workplace()
  const { origin } = place
  await origin.commit({ [QUARANTINE_PATH]: quarantineText('2999-01-01') })
  const found = await find(origin, { paired: 'true' })
  assert.equal(found.file, null)
  assert.equal(found.quarantine?.tasks['a']?.owner, 'ada')
})

test('a baseline whose newer refreshes differ from its older ones is told of; a steady one is not', async () => {
  await using place = await workplace()
  const { origin } = place
  const steady = baselineWith(95, ['a', 'b'])
  const made = { date: '2026-01-01T00:00:00.000Z', n: 30, failures: {}, cost_usd: null, wall_ms: null }
  const refresh = (commit: string, c: number) => ({ ...made, commit, c })
  const moved: BaselineFile = {
    ...steady,
    tasks: {
      a: { digest: 'd1', refreshes: [refresh('1', 30), refresh('2', 29), refresh('3', 14), refresh('4', 12)] },
      b: { digest: 'd1', refreshes: [refresh('1', 30), refresh('2', 29), refresh('3', 30), refresh('4', 28)] },
    },
  }
  await origin.commit({ [BASELINE_PATH]: formatBaselineFile(moved) })
  const notices = driftNotice(await find(origin))
  assert.equal(notices.length, 1)
  assert.match(notices[0] ?? '', /a \(59\/60 → 26\/60\)/)
  assert.doesNotMatch(notices[0] ?? '', /b \(/)
  await origin.commit({ [BASELINE_PATH]: baselineText(95) })
  assert.deepEqual(driftNotice(await find(origin)), [])
})
