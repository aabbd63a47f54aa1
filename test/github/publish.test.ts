import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { artifactName, isArtifactPath } from '../../src/github/artifact-names.ts'
import { contentsOf } from '../../src/github/contents.ts'
import { readEvent } from '../../src/github/event.ts'
import { fitsComment } from '../../src/github/limits.ts'
import { inertLogText } from '../../src/github/log.ts'
import { publish, type Documents, type PublishPlan } from '../../src/github/publish.ts'
import { listChangedPaths, openProposal, prepareProposalBranch, resolvePulls } from '../../src/github/pull-requests.ts'
import { writeSummary } from '../../src/github/summary.ts'
import { SHA } from './github-state.ts'
import { pullPayload, RUNNER_ENV, startWorld, type World } from './world.ts'

let temp = ''
before(async () => void (temp = await mkdtemp(path.join(tmpdir(), 'genui-eval-publish-'))))
after(() => rm(temp, { recursive: true, force: true }))

const DOCUMENTS: Documents = {
  comment: ['body'],
  summary: ['summary'],
  check: { title: 't', summary: 's', text: null, annotations: [] },
  outputs: {},
}

function plan(over: Partial<PublishPlan> = {}): PublishPlan {
  const event = readEvent(RUNNER_ENV, pullPayload())
  const opening = { name: 'verdict', head_sha: SHA.head, external_id: '1', details_url: event.run.url, title: 't', summary: 's' }
  return {
    event,
    pull_numbers: [7],
    comment_id: 'default',
    head_sha: SHA.head,
    source_run: event.run,
    check: { kind: 'check', id: 1, opening },
    conclusion: 'failure',
    artifacts: [],
    render: () => DOCUMENTS,
    certain_outputs: {},
    ...over,
  }
}

const io = (world: World) => ({
  github: world.github,
  env: {},
  log: world.log,
  redact: (text: string) => text.replaceAll('hunter2', '[redacted]'),
})

test('each publisher stands alone: a check that is gone does not keep the comment away', async () => {
  await using world = await startWorld()
  const published = await publish(plan(), io(world))
  assert.deepEqual([published.check, published.comments.map((one) => one?.kind)], [null, ['created']])
  assert.match(world.log.warnings.join(), /check run was not published.*404/)
})

test('a renderer that throws costs the report, not the verdict', async () => {
  await using world = await startWorld()
  const broken = () => {
    throw new Error('renderer broke')
  }
  const published = await publish(plan({ render: broken, check: null }), io(world))
  const [comment] = published.comments
  assert.match(comment?.kind === 'created' ? comment.body : '', /genui-eval: failure/)
  assert.match(world.log.warnings.join(), /renderer broke/)
})

test('secrets are taken out of everything that leaves', async () => {
  await using world = await startWorld()
  await publish(plan({ check: null, render: () => ({ ...DOCUMENTS, comment: ['key hunter2'] }) }), io(world))
  assert.match(world.fake.state.comments[0]?.body ?? '', /key \[redacted\]/)
})

for (const [status, message] of [
  [403, 'Resource not accessible by integration'],
  [404, 'Not Found'],
  [410, 'Gone'],
  [422, 'Validation Failed'],
  [500, 'oops'],
] as const) {
  test(`a ${status} on the comment becomes one warning`, async () => {
    await using world = await startWorld()
    world.fake.faults.push({ operation: 'issues/create-comment', times: Infinity, answer: { kind: 'status', status, message } })
    const published = await publish(plan({ check: null }), io(world))
    assert.deepEqual([published.comments, published.warnings.length], [[null], 1])
  })
}

test('a connection that always breaks, and one that is too slow, become warnings', async () => {
  await using world = await startWorld({ timeout_ms: 200 })
  world.fake.faults.push({ operation: 'pulls/get', times: Infinity, answer: { kind: 'drop', after_effect: false } })
  assert.match((await publish(plan({ check: null }), io(world))).warnings.join(), /could not be reached/)
  world.fake.faults[0] = { operation: 'pulls/get', times: Infinity, answer: { kind: 'slow', ms: 400 } }
  assert.match((await publish(plan({ check: null }), io(world))).warnings.join(), /could not be reached/)
})

test('the job summary takes the fullest text that fits in what the step has left', async () => {
  const file = path.join(temp, 'summary')
  await writeFile(file, 'x'.repeat(1_000_000))
  const outcome = await writeSummary(['é'.repeat(100_000), 'short'], { GITHUB_STEP_SUMMARY: file })
  assert.deepEqual(outcome, { kind: 'written', shortened: true })
  assert.match(await readFile(file, 'utf8'), /xshort\n$/)
  await writeFile(file, '')
  await writeSummary(['😀'.repeat(400_000)], { GITHUB_STEP_SUMMARY: file })
  const written = await readFile(file)
  assert.equal(written.length < 1_048_576 && !written.toString('utf8').includes('\uFFFD'), true)
})

const PATH = 'baselines/regression.json'
const change = (text: string, blob_sha: string | null) => ({ branch: 'main', path: PATH, text, message: 'm', blob_sha })

test('a file is written only while it is what was read', async () => {
  await using world = await startWorld()
  const contents = contentsOf(world.github, null)
  assert.equal((await contents.write(change('first\n', null))).kind, 'written')
  const read = (await contents.read('main', PATH)) ?? assert.fail()
  world.fake.state.files.get('main')?.set(PATH, 'first\nrival\n')
  assert.deepEqual(await contents.write(change('first\nsecond\n', read.blob_sha)), { kind: 'moved' })
  assert.deepEqual(await contents.write(change('anew\n', null)), { kind: 'moved' })
  const again = (await contents.read('main', PATH)) ?? assert.fail()
  assert.equal((await contents.write(change(`${again.text}second\n`, again.blob_sha))).kind, 'written')
  assert.equal((await contents.read('main', PATH))?.text, 'first\nrival\nsecond\n')
  assert.equal(await contents.read('main', 'nothing.json'), null)
  assert.deepEqual(world.fake.problems, [])
})

test('an answer that was lost is no proof of failure, a refusal is a sentence that says what to change', async () => {
  await using world = await startWorld()
  const contents = contentsOf(world.github, null)
  const operation = 'repos/create-or-update-file-contents'
  world.fake.faults.push({ operation, times: 1, answer: { kind: 'drop', after_effect: true } })
  assert.deepEqual(await contents.write(change('text\n', null)), { kind: 'moved' })
  assert.equal((await contents.read('main', PATH))?.text, 'text\n')
  world.fake.state.permissions.delete('contents: write')
  await assert.rejects(contents.write(change('other\n', null)), /contents: write/)
  world.fake.faults.push({ operation, times: 1, answer: { kind: 'status', status: 409, message: 'Repository rule violations found' } })
  await assert.rejects(contents.write(change('other\n', null)), /main: is protected .*pull request/)
})

test('ancestors are told apart from descendants, and an unknown commit from both', async () => {
  await using world = await startWorld()
  const { isAncestor } = contentsOf(world.github, null)
  world.fake.state.history.set(SHA.newer, [SHA.base])
  assert.deepEqual(
    await Promise.all([isAncestor(SHA.base, SHA.newer), isAncestor(SHA.newer, SHA.base), isAncestor('0'.repeat(40), SHA.base)]),
    [true, false, false],
  )
  assert.deepEqual(world.fake.problems, [])
})

test('a proposal is one branch and one pull request, carried on while it is open and begun anew after it was closed', async () => {
  await using world = await startWorld()
  const { github, fake } = world
  const branch = 'genui-eval/baseline'
  const proposal = { base: 'main', branch, title: 't', body: 'b' }
  const store = contentsOf(github, null)
  const write = async (text: string) =>
    store.write({ ...change(text, (await store.read(branch, 'b.json'))?.blob_sha ?? null), branch, path: 'b.json' })
  await prepareProposalBranch(github, 'main', branch)
  await write('1')
  const first = await openProposal(github, proposal)
  await prepareProposalBranch(github, 'main', branch)
  await write('12')
  assert.deepEqual([await openProposal(github, proposal), fake.state.files.get('main')?.size], [first, 0])
  assert.equal((await store.read(branch, 'b.json'))?.text, '12')
  for (const pull of fake.state.pulls) pull.state = 'closed'
  fake.state.refs.set('main', SHA.newer)
  fake.state.history.set(SHA.newer, [SHA.base])
  await prepareProposalBranch(github, 'main', branch)
  assert.equal(await store.read(branch, 'b.json'), null)
  assert.deepEqual(fake.problems, [])
})

const SOURCE = {
  run_id: 77,
  run_attempt: 1,
  event: 'pull_request',
  conclusion: 'success',
  head_sha: SHA.head,
  head_branch: 'feature',
  head_owner: 'eve',
  head_repo_id: 99,
}

test("a fork's run is resolved by head commit and repository, never otherwise", async () => {
  await using world = await startWorld()
  const { pulls } = world.fake.state
  const fork = { ...(pulls[0] ?? assert.fail()), number: 8, head_owner: 'eve', head_repo_id: 99 }
  pulls.push(fork, { ...fork, number: 9, base_ref: 'release' }, { ...fork, number: 10, head_repo_id: 100 })
  const found = await resolvePulls(world.github, SOURCE)
  assert.deepEqual(found.kind === 'found' && found.pulls.map((one) => one.number), [8, 9])
  const stale = await resolvePulls(world.github, { ...SOURCE, head_sha: SHA.newer })
  assert.match(stale.kind === 'none' ? stale.why : '', /#8 has moved on/)
  assert.equal((await resolvePulls(world.github, { ...SOURCE, head_repo_id: 1 })).kind, 'none')
  assert.equal((await resolvePulls(world.github, { ...SOURCE, head_repo_id: null })).kind, 'none')
  assert.deepEqual(await listChangedPaths(world.github, 7), ['plugin/SKILL.md'])
  assert.deepEqual(world.fake.problems, [])
})

test('artifact names are safe, and unsafe paths are known', () => {
  assert.equal(artifactName(['genui-eval', 'model: gpt/4 ü', '', 'shard 1/3', 'try-2']), 'genui-eval-model-gpt-4-u-shard-1-3-try-2')
  assert.equal(artifactName(['???']), 'genui-eval')
  assert.deepEqual(['a/b.png', 'a:b', 'a/../b', 'a\\b', ''].map(isArtifactPath), [true, false, false, false, false])
})

test('a comment is measured in UTF-16 units and in bytes', () => {
  assert.deepEqual(['x'.repeat(65_000), 'x'.repeat(65_001), '漢'.repeat(65_000), '😀'.repeat(32_501)].map(fitsComment), [
    true,
    false,
    true,
    false,
  ])
})

/** Port of the runner's two grammars: `::name::` after white space at the start of a line, `##[name]` anywhere in one; lines end at LF, CRLF and CR. */
function readsCommand(text: string): boolean {
  return text.split(/\r\n|\n|\r/).some((line) => /^\s*::[\w-]+[^:]*::/.test(line) || /##\[[^\]]+\]/.test(line))
}

const COMMANDS = [
  '::error::x',
  '  \t::add-mask::a',
  'log: ##[error]x',
  '##[set-output name=verdict]pass',
  'a\r::set-output name=verdict::pass',
  'a\r\n::stop-commands::x',
  '\u001b[31m::error::x',
  '\u200b::error::x',
  '#\u200b#[error]x',
  '#\u001b[0m#[error]x',
  '\ufeff::warning::x',
  ':\u2060:error::x',
  '###[error]x',
  '::::error::x',
  '\u0085::error::x',
  '\u2028::error::x',
]

for (const text of COMMANDS) {
  test(`in the log this is no command: ${JSON.stringify(text)}`, () => {
    assert.equal(readsCommand(inertLogText(text)), false, inertLogText(text))
  })
}

test('plain text goes to the log as it is', () => {
  assert.equal(inertLogText('naïve 😀 a::b ## [x] 100%\n\tnext'), 'naïve 😀 a::b ## [x] 100%\n\tnext')
})
