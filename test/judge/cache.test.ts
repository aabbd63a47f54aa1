import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { says, startEndpoint, verdict } from './endpoint.ts'
import { ask, judgeAt, MATERIAL, QUOTE, RUBRIC, SECOND_RUBRIC } from './question.ts'

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-cache-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'not-made-yet')
}

test('a vote is kept across judges, with its words and quotation', async (t) => {
  const folder = await folderOf(t)
  await using endpoint = await startEndpoint(() => says(verdict('FAIL', QUOTE, 'It is there at once.')))
  const first = await ask(judgeAt(endpoint.baseUrl, { votes: 3 }, folder))
  const second = await ask(judgeAt(endpoint.baseUrl, { votes: 3 }, folder))
  assert.equal(endpoint.asked.length, 2)
  assert.deepEqual([first.answers[0]?.cached, first.usage.cached_votes], [false, 0])
  assert.deepEqual([second.answers[0]?.cached, second.usage.cached_votes, second.usage.prompt_tokens], [true, 2, 0])
  assert.deepEqual({ ...second.answers[0], cached: false }, first.answers[0])
  const names = await readdir(folder)
  assert.equal(names.length, 2)
  assert.ok(names.every((name) => /^[0-9a-f]{64}\.json$/.test(name)))
})

test('anything that is shown, asked or set makes a question of its own', async (t) => {
  const folder = await folderOf(t)
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const png = (byte: number) => ({ ...MATERIAL, screenshots: [{ name: 's.png', png: Uint8Array.of(137, 80, byte) }] })
  const base = judgeAt(endpoint.baseUrl, {}, folder)
  const asks = [
    () => ask(base),
    () => ask(base, { material: { ...MATERIAL, final_text: 'Here is your quiz!' } }),
    () => ask(base, { material: { ...MATERIAL, payloads: [{ action: 'revealed', count: 2 }] } }),
    () => ask(base, { rubrics: [{ ...RUBRIC, criteria: `${RUBRIC.criteria} ` }] }),
    () => ask(base, { rubrics: [{ ...RUBRIC, id: 'other' }] }),
    () => ask(base, { material: png(1) }),
    () => ask(base, { material: png(2) }),
    () => ask(judgeAt(endpoint.baseUrl, { model: { name: 'other', temperature: 0, max_tokens: 800, effort: null } }, folder)),
    () => ask(judgeAt(endpoint.baseUrl, { model: { name: 'judge-model', temperature: 1, max_tokens: 800, effort: null } }, folder)),
    () => ask(judgeAt(endpoint.baseUrl, { token_budget: 16_001 }, folder)),
  ]
  for (const [index, each] of asks.entries()) {
    await each()
    assert.equal(endpoint.asked.length, index + 1, `question ${index}`)
  }
  for (const each of asks) assert.equal((await each()).answers[0]?.cached, true)
  assert.equal(endpoint.asked.length, asks.length)
})

test('of equal questions at once one is asked; without a cache each trial has votes of its own', async (t) => {
  const folder = await folderOf(t)
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const shared = judgeAt(endpoint.baseUrl, {}, folder)
  await Promise.all(['a', 'b', 'c'].map((account) => ask(shared, { account })))
  assert.equal(endpoint.asked.length, 1)
  const alone = judgeAt(endpoint.baseUrl)
  await Promise.all(['a', 'b', 'c'].map((account) => ask(alone, { account })))
  assert.equal(endpoint.asked.length, 4)
})

test('no judge_error is kept', async (t) => {
  const folder = await folderOf(t)
  const answers = ['no idea', 'no idea', verdict('PASS', 'words that nobody wrote'), verdict('PASS', QUOTE)]
  await using endpoint = await startEndpoint((_body, call) => says(answers[call - 1] ?? ''))
  const judge = judgeAt(endpoint.baseUrl, {}, folder)
  assert.equal((await ask(judge)).status, 'infra')
  assert.equal((await ask(judge)).status, 'infra')
  assert.deepEqual(await readdir(folder).catch(() => []), [])
  assert.equal((await ask(judge)).status, 'judged')
  assert.equal(endpoint.asked.length, 4)
})

test('an entry that is torn, forged in form, or no plain file is as if it were not there', async (t) => {
  const folder = await folderOf(t)
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  await ask(judgeAt(endpoint.baseUrl, {}, folder))
  const [name = ''] = await readdir(folder)
  const path = join(folder, name)
  const good = await readFile(path, 'utf8')
  const entry = JSON.parse(good) as { key: string; answer: Record<string, unknown> }
  const forged = (answer: unknown): string => JSON.stringify({ ...entry, answer })
  const bad = [
    '',
    good.slice(0, 40),
    'null',
    '[]',
    forged(null),
    forged({ ...entry.answer, verdict: 'pass' }),
    forged({ ...entry.answer, evidence: 'words that nobody wrote' }),
    forged({ ...entry.answer, extra: 1 }),
    JSON.stringify({ ...entry, key: '0'.repeat(64) }),
    JSON.stringify({ ...entry, version: 99 }),
    good.replace('"verdict"', '"verdict":"FAIL","verdict"'),
    forged({ ...entry.answer, reason: 'x'.repeat(300_000) }),
  ]
  for (const [index, text] of bad.entries()) {
    const before = endpoint.asked.length
    await writeFile(path, text)
    const result = await ask(judgeAt(endpoint.baseUrl, {}, folder))
    assert.deepEqual([result.answers[0]?.verdict, result.answers[0]?.cached], ['PASS', false], `entry ${index}`)
    assert.equal(endpoint.asked.length, before + 1)
    assert.equal(await readFile(path, 'utf8'), good, 'and is replaced')
  }
  const elsewhere = join(folder, '..', 'elsewhere.json')
  await writeFile(elsewhere, good)
  await rm(path)
  await symlink(elsewhere, path)
  assert.equal((await ask(judgeAt(endpoint.baseUrl, {}, folder))).answers[0]?.cached, false)
  assert.equal(await readFile(elsewhere, 'utf8'), good)
})

test('a cache folder that cannot be made costs no verdict', async (t) => {
  const folder = await folderOf(t)
  await writeFile(folder, 'a file')
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  assert.equal((await ask(judgeAt(endpoint.baseUrl, {}, join(folder, 'below')))).status, 'judged')
})

test('one answer for all rubrics is kept whole', async (t) => {
  const folder = await folderOf(t)
  await using endpoint = await startEndpoint(() =>
    says(`{"answers_hidden":${verdict('PASS', QUOTE)},"safe_defaults":${verdict('FAIL', 'tax return.pdf')}}`),
  )
  const both = { rubrics: [RUBRIC, SECOND_RUBRIC] }
  const first = await ask(judgeAt(endpoint.baseUrl, { together: true }, folder), both)
  const second = await ask(judgeAt(endpoint.baseUrl, { together: true }, folder), both)
  assert.equal(endpoint.asked.length, 1)
  assert.deepEqual(
    second.answers.map(({ verdict, cached }) => [verdict, cached]),
    [
      ['PASS', true],
      ['FAIL', true],
    ],
  )
  assert.equal(second.usage.cached_votes, 1)
  assert.equal(first.status, 'judged')
})
