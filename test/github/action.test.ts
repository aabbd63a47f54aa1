// The packaged edge run as a runner runs it, against a loopback GitHub and artifact service.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { buildInto } from '../../scripts/build.ts'
import { unzipInto } from '../../src/github/unzip.ts'
import { writeFile } from 'node:fs/promises'
import { startArtifactEmulator, type ArtifactEmulator } from './artifact-emulator.ts'
import { startFakeGitHub, type FakeGitHub } from './fake-github.ts'
import { SHA } from './github-state.ts'
import { installAction, runStep, type InstalledAction, type StepOptions } from './runner.ts'
import { pullPayload, RUNNER_ENV } from './world.ts'

const fixture = path.join(import.meta.dirname, 'fixtures', 'action')
let folder = ''
let action: InstalledAction

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'genui-eval-build-'))
  const doors = ['main', 'post'].map((name) => ({ name: name === 'main' ? 'index' : name, file: `src/${name}.ts`, shebang: false }))
  await buildInto(path.join(folder, 'dist'), fixture, doors)
  action = await installAction({ 'action.yml': path.join(fixture, 'action.yml'), dist: path.join(folder, 'dist') })
})
after(async () => {
  await action[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const SECRET = 'sk-live-1234567890'

function options(fake: FakeGitHub, store: ArtifactEmulator, over: Partial<StepOptions> = {}): StepOptions {
  return {
    event: 'pull_request',
    payload: pullPayload(),
    inputs: { 'api-key': SECRET },
    env: { ...RUNNER_ENV, ...store.env, GITHUB_API_URL: fake.url },
    token: 'ghs_token',
    ...over,
  }
}

test('first run creates, second run updates; check, artifacts, summary, outputs and exit code are all there', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  const first = await runStep(action, options(fake, store))
  assert.equal(first.exit_code, 1, first.log)
  assert.equal(first.outputs['verdict'], 'fail')
  assert.match(first.outputs['report-url'] ?? '', /^https:\/\/github\.localhost\/octo\/plugin\/actions\/runs\/555\/artifacts\/\d+$/)
  assert.match(first.summary, /^\*\*1 task regressed\.\*\*/)
  const second = await runStep(action, options(fake, store, { env: { ...options(fake, store).env, GITHUB_RUN_ID: '556' } }))
  assert.deepEqual(
    fake.state.comments.map((one) => /run=(\d+)/.exec(one.body)?.[1]),
    ['556'],
  )
  assert.deepEqual(
    fake.state.checks.map((one) => [one.status, one.conclusion, one.head_sha]),
    [
      ['completed', 'failure', SHA.head],
      ['completed', 'failure', SHA.head],
    ],
  )
  assert.deepEqual([first.post?.exit_code, first.post?.log, second.post?.exit_code], [0, '', 0])
  assert.deepEqual(
    fake.requests.slice(0, 7).map((one) => `${one.method} ${one.path}`),
    [
      'POST /repos/octo/plugin/check-runs',
      `PATCH /repos/octo/plugin/check-runs/${fake.state.checks[0]?.id}`,
      'GET /repos/octo/plugin/pulls/7',
      'POST /graphql',
      'GET /repos/octo/plugin/issues/7/comments?per_page=100',
      'POST /repos/octo/plugin/issues/7/comments',
      'GET /repos/octo/plugin/issues/7/comments?per_page=100',
    ],
  )
  assert.deepEqual([fake.problems, store.problems], [[], []])
})

test('artifacts arrive byte for byte, the report unzipped and as HTML, and taken names make way', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  store.occupy('fixture-results')
  store.occupy('fixture-report.html')
  const result = await runStep(action, options(fake, store))
  assert.deepEqual(
    store.artifacts.map((one) => [one.name, one.mime_type]),
    [
      ['fixture-results-2', 'application/zip'],
      ['fixture-report-2.html', 'text/html'],
    ],
    result.log,
  )
  const [results, report] = store.artifacts
  assert.equal(Buffer.from(report?.bytes ?? []).toString('utf8'), '<!doctype html><title>report</title>')
  const days = (Date.parse(results?.expires_at ?? '') - Date.now()) / 86_400_000
  assert.equal(days > 4 && days < 6, true)
  const unpacked = await mkdtemp(path.join(folder, 'unpacked-'))
  await writeFile(path.join(folder, 'results.zip'), results?.bytes ?? Buffer.from(''))
  const files = await unzipInto(path.join(folder, 'results.zip'), unpacked, { archive_bytes: 1e6, files: 10, file_bytes: 1e6, bytes: 1e6 })
  assert.deepEqual(files, ['records.jsonl', 'report.html', 'screenshots/a.png'])
  assert.equal(await readFile(path.join(unpacked, 'records.jsonl'), 'utf8'), '{"task_id":"a"}\n'.repeat(5_000))
  assert.deepEqual(
    [...(await readFile(path.join(unpacked, 'screenshots', 'a.png')))].slice(0, 300),
    Array.from({ length: 300 }, (_, i) => i % 251),
  )
})

test('no secret leaves, and model text in the log is no command', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  const result = await runStep(action, options(fake, store))
  const everything = JSON.stringify([fake.requests, result.log, result.summary, result.outputs, result.state])
  assert.doesNotMatch(everything, new RegExp(SECRET))
  assert.doesNotMatch(result.log, /##\[|^\s*::error/m)
  assert.match(result.log, /model says ::error::forged\nand ## \[set-output/)
})

test('without any permission the verdict still stands in exit code, outputs, summary and artifact', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  fake.state.permissions.clear()
  const result = await runStep(action, options(fake, store, { payload: pullPayload(99) }))
  assert.deepEqual([result.exit_code, result.outputs['verdict'], store.artifacts.length], [1, 'fail', 2], result.log)
  assert.match(result.summary, /1 task regressed/)
  const warnings = result.log.split('\n').filter((line) => line.startsWith('::warning::'))
  assert.equal(warnings.length, 2, result.log)
  assert.match(warnings.join('\n'), /lacks "checks: write".*fork.*workflow_run/)
  assert.match(warnings.join('\n'), /lacks "pull-requests: write".*fork.*workflow_run/)
  assert.deepEqual([fake.state.comments, fake.state.checks], [[], []])
})

test('an artifact service out of quota costs a warning, not the verdict', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  store.refusals.push(...Array.from({ length: 2 }, () => ({ status: 403, message: 'insufficient usage to create artifact' })))
  const result = await runStep(action, options(fake, store))
  assert.deepEqual([result.exit_code, fake.state.checks[0]?.conclusion, store.artifacts.length], [1, 'failure', 0], result.log)
  assert.match(result.log, /::warning::Artifact fixture-results was not uploaded: the account's artifact storage is used up/)
})

test('a cancelled run leaves no check in progress: the post step closes it', async () => {
  await using fake = await startFakeGitHub()
  await using store = await startArtifactEmulator()
  const opened = new Promise<void>((resolve) => {
    fake.onRequest = (operation) => void (operation === 'checks/create' && setTimeout(resolve, 500))
  })
  const ready = path.join(folder, 'ready')
  const result = await runStep(action, options(fake, store, { inputs: { hang: 'true', 'ready-file': ready }, cancel: opened }))
  assert.equal(result.exit_code, null, result.log)
  assert.match(result.post?.log ?? '', /closed the check/)
  assert.deepEqual(
    fake.state.checks.map((one) => [one.status, one.conclusion]),
    [['completed', 'cancelled']],
  )
  assert.deepEqual(fake.problems, [])
})

test('the build is the same wherever it is made', async () => {
  const doors = [{ name: 'index', file: 'src/main.ts', shebang: false }]
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'deeper', 'b b')]
  await buildInto(a, fixture, doors)
  await buildInto(b, fixture, doors)
  for (const name of ['engine.js', 'licences.txt'])
    assert.equal((await readFile(path.join(a, name))).equals(await readFile(path.join(b, name))), true)
})
