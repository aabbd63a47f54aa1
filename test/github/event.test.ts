import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import { readEvent } from '../../src/github/event.ts'
import { SHA } from './github-state.ts'
import { pullPayload, REPOSITORY, RUNNER_ENV } from './world.ts'

const read = (GITHUB_EVENT_NAME: string, payload: unknown, env: Record<string, string> = {}) =>
  readEvent({ ...RUNNER_ENV, GITHUB_EVENT_NAME, ...env }, payload)

test('a pull request is judged by its head commit, not by the merge commit of GITHUB_SHA', () => {
  const event = read('pull_request', pullPayload())
  assert.equal(event.kind, 'pull_request')
  assert.deepEqual(
    [event.head_sha, event.base_sha, event.base_ref, event.pull_number, event.is_fork, event.can_write],
    [SHA.head, SHA.base, 'main', 7, false, true],
  )
  assert.equal(event.run.url, 'https://github.localhost/octo/plugin/actions/runs/555')
})

test('a fork, a deleted fork and Dependabot have tokens that only read', () => {
  assert.deepEqual([read('pull_request', pullPayload(99)).is_fork, read('pull_request', pullPayload(null)).is_fork], [true, true])
  assert.match(read('pull_request', pullPayload(99)).can_write_why ?? '', /fork/)
  const dependabot = read('pull_request', pullPayload(), { GITHUB_ACTOR: 'dependabot[bot]' })
  assert.deepEqual([dependabot.is_fork, dependabot.can_write], [false, false])
})

test('pull_request_target carries the reason why it does not run code of the pull request', () => {
  const event = read('pull_request_target', pullPayload(99))
  assert.equal(event.kind === 'pull_request_target' && /workflow_run/.test(event.refusal), true)
})

test('a push names what it replaced, a new branch nothing', () => {
  const push = { repository: REPOSITORY, ref: 'refs/heads/main', before: SHA.base, after: SHA.head, deleted: false }
  const event = read('push', push)
  assert.deepEqual([event.head_sha, event.base_sha, event.base_ref, event.pull_number], [SHA.head, SHA.base, 'main', null])
  assert.equal(read('push', { ...push, before: '0'.repeat(40) }).base_sha, null)
})

test('a merge group names its pull request by the last segment, whatever the base branch is called', () => {
  const head_ref = `refs/heads/gh-readonly-queue/release/pr-1-${SHA.base}/pr-42-${SHA.base}`
  const event = read('merge_group', {
    repository: REPOSITORY,
    merge_group: { head_sha: SHA.head, head_ref, base_sha: SHA.base, base_ref: 'refs/heads/release' },
  })
  assert.deepEqual([event.pull_number, event.head_sha, event.base_sha, event.base_ref], [42, SHA.head, SHA.base, 'release'])
})

test('workflow_run speaks of the run before it, and knows a stranger by the repository', () => {
  const run = { id: 77, run_attempt: 2, event: 'pull_request', conclusion: 'success', head_sha: SHA.head, head_branch: 'main' }
  const from = (id: number | null) =>
    read('workflow_run', {
      repository: REPOSITORY,
      workflow_run: { ...run, head_repository: id === null ? null : { id, owner: { login: 'eve' } } },
    })
  const event = from(99)
  assert.deepEqual([event.head_sha, event.is_fork, event.pull_number, event.can_write], [SHA.head, true, null, true])
  assert.equal(event.kind === 'workflow_run' && event.source.head_owner, 'eve')
  assert.deepEqual([from(1).is_fork, from(null).is_fork], [false, true])
})

test('dispatch, schedule and unknown events stand on GITHUB_SHA, and a schedule may have an empty payload', () => {
  for (const name of ['workflow_dispatch', 'schedule', 'deployment']) {
    const event = read(name, name === 'schedule' ? {} : { repository: REPOSITORY })
    assert.deepEqual([event.head_sha, event.pull_number, event.base_sha], [SHA.merge, null, null])
  }
})

test('outside of a workflow, and on a broken payload, one sentence a problem', () => {
  assert.throws(
    () => readEvent({}, {}),
    (error) => error instanceof UserError && error.problems.length === 4,
  )
  assert.throws(() => read('pull_request', {}), UserError)
})
