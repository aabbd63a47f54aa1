// The events on which a plugin is evaluated without a pull request's comment: base, head and check are found rightly in each.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { ScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { REPOSITORY } from '../github/world.ts'
import { buildAction, type BuiltAction } from './built-action.ts'
import { baselineOfHealthyBuild, errorLines, startModel, startWorld, type GateWorld } from './gate-world.ts'
import { git, type PullRequest } from './pull-request.ts'

let built: BuiltAction
let model: ScriptedModel
let baseline = ''

before(async () => {
  built = await buildAction()
  model = await startModel()
  baseline = await baselineOfHealthyBuild(built, model, ['neg_reg_01'])
})
after(async () => {
  await model.close()
  await built[Symbol.asyncDispose]()
})

async function evaluate(world: GateWorld, pull: PullRequest, event: string, payload: unknown, sha: string) {
  const step = await world.run(pull, {
    event,
    payload,
    env: { GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/main' },
    inputs: { tasks: 'neg_reg_01' },
  })
  const text = await readFile(path.join(pull.workspace, '.genui-eval', 'run', 'results.json'), 'utf8')
  const { baseline_origin: origin, run }: { baseline_origin: unknown; run: { head_commit: string } } = JSON.parse(text)
  return { step, origin, head: run.head_commit, checked: world.fake.state.checks.map(({ head_sha }) => head_sha) }
}

/** The workspace as a checkout of main has it, after two commits were pushed at once. */
async function pushTwo(world: GateWorld): Promise<{ readonly pull: PullRequest; readonly before: string; readonly after: string }> {
  const pull = await world.open()
  const main = pull.workspace
  await git(main, 'fetch', '--quiet', 'origin', 'main')
  await git(main, 'checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
  const before = await git(main, 'rev-parse', 'HEAD')
  for (const message of ['one', 'two']) await git(main, 'commit', '--quiet', '--allow-empty', '-m', message)
  return { pull, before, after: await git(main, 'rev-parse', 'HEAD') }
}

const from = (commit: string) => ({ kind: 'base_commit', commit, path: 'baselines/regression.json' })

test('merge_group: the group against its base; nothing is said on the pull request', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const merge_group = {
    head_sha: pull.merge,
    head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${pull.base}`,
    base_sha: pull.base,
    base_ref: 'refs/heads/main',
  }
  const seen = await evaluate(world, pull, 'merge_group', { repository: REPOSITORY, merge_group }, pull.merge)
  assert.equal(seen.step.exit_code, 0, seen.step.log)
  assert.deepEqual([seen.origin, seen.head, seen.checked, world.fake.state.comments], [from(pull.base), pull.merge, [pull.merge], []])
})

test('push: all pushed commits together against what the branch was before; after a forced push against the first parent', async () => {
  await using world = await startWorld(built, model, baseline)
  const { pull, before, after } = await pushTwo(world)
  const payload = { repository: REPOSITORY, ref: 'refs/heads/main', before, after, deleted: false }
  const seen = await evaluate(world, pull, 'push', payload, after)
  assert.equal(seen.step.exit_code, 0, seen.step.log)
  assert.deepEqual([seen.origin, seen.head, seen.checked, world.fake.state.comments], [from(before), after, [after], []])
  const forced = await evaluate(world, pull, 'push', { ...payload, before: 'e'.repeat(40) }, after)
  assert.deepEqual(forced.origin, from(await git(pull.workspace, 'rev-parse', 'HEAD~1')))
})

test('workflow_dispatch and schedule: the commit of the run, against the default branch', async () => {
  await using world = await startWorld(built, model, baseline)
  const { pull, after } = await pushTwo(world)
  for (const event of ['workflow_dispatch', 'schedule']) {
    const seen = await evaluate(world, pull, event, event === 'schedule' ? {} : { repository: REPOSITORY, inputs: {} }, after)
    assert.equal(seen.step.exit_code, 0, seen.step.log)
    assert.deepEqual([seen.head, seen.checked.at(-1), world.fake.state.comments], [after, after, []])
    assert.equal(typeof seen.origin === 'object' && seen.origin !== null && 'kind' in seen.origin && seen.origin.kind, 'base_commit')
  }
  assert.deepEqual(world.fake.problems, [])
})

test('a branch that was deleted has nothing to evaluate', async () => {
  await using world = await startWorld(built, model, baseline)
  const pull = await world.open()
  const payload = { repository: REPOSITORY, ref: 'refs/heads/gone', before: pull.head, after: '0'.repeat(40), deleted: true }
  const step = await world.run(pull, { event: 'push', payload, inputs: { 'check-run': 'false' } })
  assert.equal(step.exit_code, 2)
  assert.match(errorLines(step).join(), /deleted its branch/)
})
