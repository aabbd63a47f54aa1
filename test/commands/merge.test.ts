// Shards on a developer's machine, or unpacked from the Action's artifacts, joined into one run.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { madeUpBaseline, shardFiles, type MadeUpShard } from '../action/made-up-run.ts'
import { asList, asText, at, parseJson } from '../github/json.ts'
import { flags, genuiEval, HEALTHY, scratchFolder, TASKS_FOLDER } from './command-line.ts'

const TASKS = ['hitl_reg_01', 'neg_reg_01', 'study_reg_04']
const PICTURE = 'trials/study_reg_04-head-0/00-after-loading.png'
/** The smallest PNG that there is. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const scratch = await scratchFolder()
after(() => scratch[Symbol.asyncDispose]())

/** A folder that holds shard folders, as `gh run download` leaves them, and the baseline beside it. */
async function shardsIn(name: string, shards: readonly Partial<MadeUpShard>[]): Promise<{ folder: string; options: string[] }> {
  const folder = path.join(scratch.path, name)
  for (const [index, shard] of shards.entries()) {
    const files = shardFiles({ tasks: TASKS, number: index + 1, of: 2, trials: 6, ...shard })
    const own = path.join(folder, `shard-${index + 1}`)
    await mkdir(own, { recursive: true })
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(own, file), content)
  }
  const baseline = path.join(scratch.path, `${name}-baseline.json`)
  await writeFile(baseline, madeUpBaseline(TASKS))
  const output = path.join(scratch.path, `${name}-merged`)
  return { folder, options: flags({ 'output-folder': output, 'baseline-file': baseline, 'tasks-folder': TASKS_FOLDER }) }
}

test('shards become one run with one verdict, its reports and its pictures', async () => {
  const { folder, options } = await shardsIn('whole', [{ failing: ['study_reg_04'] }, { failing: ['study_reg_04'] }])
  await addPicture(path.join(folder, 'shard-1', 'records.jsonl'))
  const ended = await genuiEval(['merge', folder, '--json', ...options])
  assert.equal(ended.code, 1, ended.stderr)
  const results = parseJson(ended.stdout)
  assert.deepEqual(
    [at(results, 'decision', 'verdict'), at(results, 'totals', 'planned'), at(results, 'totals', 'missing')],
    ['fail', 18, 0],
  )
  const merged = path.join(scratch.path, 'whole-merged')
  assert.deepEqual(await readFile(path.join(merged, PICTURE)), PNG)
  assert.ok((await readFile(path.join(merged, 'report.html'), 'utf8')).includes(PNG.toString('base64')))
  assert.match(await readFile(path.join(merged, 'comment.md'), 'utf8'), /Regression: 1 task regressed: `study_reg_04`/)
})

test('a missing shard is named and never green, whatever is asked of the inconclusive', async () => {
  const { folder, options } = await shardsIn('lost', [{}])
  const ended = await genuiEval(['merge', path.join(folder, 'shard-1'), '--json', '--on-inconclusive', 'warn', ...options])
  assert.equal(ended.code, 3, ended.stderr)
  const results = parseJson(ended.stdout)
  assert.equal(at(results, 'decision', 'verdict'), 'inconclusive')
  assert.match(asText(at(results, 'decision', 'reason')), /Shard 2\/2 is missing: neg_reg_01/)
  assert.equal(asList(at(results, 'trials')).length, 12)
})

test("what is no shard, and shards that do not belong together, are the user's mistakes", async () => {
  const none = await genuiEval(['merge', HEALTHY])
  assert.equal(none.code, 2)
  assert.match(none.stderr, /holds no shard\.json/)
  const { folder, options } = await shardsIn('mixed', [{}, { trials: 5 }])
  const mixed = await genuiEval(['merge', folder, ...options])
  assert.equal(mixed.code, 2)
  assert.match(mixed.stderr, /has another number of trials a task than/)
})

async function addPicture(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const changed = lines.map((line) =>
    line.includes('"study_reg_04-head-0"') ? line.replace('"screenshots":[]', `"screenshots":["${PICTURE}"]`) : line,
  )
  assert.notDeepEqual(changed, lines)
  await writeFile(file, `${changed.join('\n')}\n`)
  const picture = path.join(path.dirname(file), PICTURE)
  await mkdir(path.dirname(picture), { recursive: true })
  await writeFile(picture, PNG)
}
