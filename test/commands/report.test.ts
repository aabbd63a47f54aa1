import assert from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { parseJson, at, asList } from '../github/json.ts'
import { genuiEval, HEALTHY, makeRun, scratchFolder } from './command-line.ts'

const scratch = await scratchFolder()
const run = path.join(scratch.path, 'run')

before(() => makeRun(HEALTHY, run))
after(() => scratch[Symbol.asyncDispose]())

/** A copy of the run, so that tests do not meet. */
async function copied(name: string): Promise<string> {
  const folder = path.join(scratch.path, name)
  await cp(run, folder, { recursive: true })
  return folder
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const edited = change(text)
  assert.notEqual(edited, text, `the edit of ${path.basename(file)} changed nothing`)
  await writeFile(file, edited)
}

test('lost reports come back as they were, and results and records stay', async () => {
  const folder = await copied('lost')
  const files = ['report.html', 'junit.xml', 'comment.md', 'summary.md']
  const kept = ['results.json', 'records.jsonl']
  const read = (names: readonly string[], from: string) => Promise.all(names.map((name) => readFile(path.join(from, name), 'utf8')))
  for (const name of files) await rm(path.join(folder, name))
  const ended = await genuiEval(['report', folder])
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(
    ended.stdout.trim().split('\n'),
    files.map((name) => path.join(folder, name)),
  )
  assert.deepEqual(await read(kept, folder), await read(kept, run))
  assert.deepEqual(await read(files.slice(1), folder), await read(files.slice(1), run))
})

test('the report shows payloads beside the schema of the task, and of a passing trial the first and last picture alone', async () => {
  const folder = await copied('media')
  const ended = await genuiEval(['report', folder, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(at(parseJson(ended.stdout), 'schema'), 'genui-eval/report@1')
  const html = await readFile(path.join(folder, 'report.html'), 'utf8')
  assert.match(html, /Expected by the schema/)
  const trials = asList(at(parseJson(await readFile(path.join(folder, 'results.json'), 'utf8')), 'trials'))
  const taken = trials.map((trial) => asList(at(trial, 'screenshots')).length)
  assert.ok(
    taken.some((count) => count > 2),
    'no trial took more than two pictures, so nothing is shown',
  )
  assert.equal(
    html.match(/src="data:image\/png/g)?.length,
    taken.reduce((sum, count) => sum + Math.min(2, count), 0),
  )
})

test('tasks that changed since the run are named, and shown without their schema', async () => {
  const folder = await copied('changed')
  const tasks = path.join(scratch.path, 'tasks')
  await cp(path.join(import.meta.dirname, '../../tasks/hitl_reg_01'), path.join(tasks, 'hitl_reg_01'), { recursive: true })
  await edit(path.join(tasks, 'hitl_reg_01/task.json'), (text) => text.replace('"user_prompt": "', '"user_prompt": "Now: '))
  const ended = await genuiEval(['report', folder, '--tasks-folder', tasks])
  assert.equal(ended.code, 0)
  assert.match(ended.stderr, /changed since the run.*hitl_reg_01/)
  assert.doesNotMatch(await readFile(path.join(folder, 'report.html'), 'utf8'), /Expected by the schema/)
})

test('a folder without a run, an interrupted run and damaged results are told apart, each in a sentence', async () => {
  const empty = await genuiEval(['report', path.join(scratch.path, 'nowhere')])
  assert.deepEqual([empty.code, empty.stdout], [2, ''])
  assert.match(empty.stderr, /^error: .*nowhere: does not exist; give the folder that "run" wrote/)

  const interrupted = await copied('interrupted')
  await rm(path.join(interrupted, 'results.json'))
  const early = await genuiEval(['report', interrupted, '--json'])
  assert.deepEqual([early.code, early.stdout], [2, ''])
  assert.match(early.stderr, /ended before its verdict/)

  const damaged = await copied('damaged')
  await edit(path.join(damaged, 'results.json'), (text) => text.replace('"verdict": "pass",\n  "reason"', '"verdict": "fine",\n  "reason"'))
  const refused = await genuiEval(['report', damaged])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /results\.json \(\/decision\/verdict\)/)

  const cut = await copied('cut')
  await edit(path.join(cut, 'results.json'), (text) => text.slice(0, 500))
  assert.match((await genuiEval(['report', cut])).stderr, /results\.json: is no JSON/)
})

test('results and records of two runs are refused', async () => {
  const folder = await copied('mixed')
  await edit(path.join(folder, 'records.jsonl'), (text) => text.replace(/"run_id":"[^"]*"/, '"run_id":"another"'))
  const ended = await genuiEval(['report', folder])
  assert.equal(ended.code, 2)
  assert.match(ended.stderr, /not of one run: they differ in \w+-head-0/)
})

test('nothing outside of the run folder enters the report, whatever the records name', async () => {
  const folder = await copied('hostile')
  await writeFile(path.join(scratch.path, 'secret.html'), '<p>planted-secret-9141</p>')
  const lead = (text: string) => text.replaceAll(/trials\/[\w-]+\/app\.html/g, 'trials/../../secret.html')
  await edit(path.join(folder, 'results.json'), lead)
  await edit(path.join(folder, 'records.jsonl'), lead)
  assert.equal((await genuiEval(['report', folder])).code, 0)
  assert.doesNotMatch(await readFile(path.join(folder, 'report.html'), 'utf8'), /planted-secret-9141/)
})
