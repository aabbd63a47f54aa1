import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { asList, asText, at, parseJson } from '../github/json.ts'
import { genuiEval, HEALTHY, makeRun, scratchFolder, TASKS, TASKS_FOLDER } from './command-line.ts'

const scratch = await scratchFolder()
const run = path.join(scratch.path, 'run')
const tasksOption = ['--tasks-folder', TASKS_FOLDER]

before(() => makeRun(HEALTHY, run))
after(() => scratch[Symbol.asyncDispose]())

test('the same graders over the same trials change nothing, and what was spent stays', async () => {
  const ended = await genuiEval(['regrade', run, '--json', ...tasksOption])
  assert.equal(ended.code, 0, ended.stderr)
  const document = parseJson(ended.stdout)
  assert.equal(at(document, 'schema'), 'genui-eval/regrade@1')
  assert.deepEqual(at(document, 'trials'), { total: TASKS.length, changed: 0, left_out: 0 })
  assert.deepEqual([at(document, 'checks_changed'), at(document, 'conditions_changed')], [[], []])
  const output = asText(at(document, 'output_folder'))
  assert.equal(output, `${run}-regraded`)
  const spent = async (folder: string) => {
    const trials = asList(at(parseJson(await readFile(path.join(folder, 'results.json'), 'utf8')), 'trials'))
    const figures = trials.map((trial) =>
      ['trial_id', 'wall_ms', 'tokens', 'model_calls', 'tool_calls', 'seed'].map((name) => at(trial, name)),
    )
    return figures.sort((a, b) => (asText(a[0]) < asText(b[0]) ? -1 : 1))
  }
  assert.deepEqual(await spent(output), await spent(run))
  const transcript = 'trials/hitl_reg_01-head-0/transcript.json'
  assert.equal(await readFile(path.join(output, transcript), 'utf8'), await readFile(path.join(run, transcript), 'utf8'))
})

test('an app that would fail today is named with its class before and after, and the recorded run is left alone', async () => {
  const folder = path.join(scratch.path, 'broken')
  await cp(run, folder, { recursive: true })
  const app = path.join(folder, 'trials/study_reg_04-head-0/app.html')
  await writeFile(app, (await readFile(app, 'utf8')).replace('</body>', '<script>throw new Error("planted")</script></body>'))
  const records = await readFile(path.join(folder, 'records.jsonl'), 'utf8')
  const ended = await genuiEval(['regrade', folder, ...tasksOption])
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /^3 trials graded anew: 1 changed, 2 as before/)
  assert.match(ended.stdout, /study_reg_04-head-0: pass → fail \(js_error\): .*planted/)
  assert.match(ended.stdout, /dom\.zero_js_errors: pass → fail/)
  assert.equal(await readFile(path.join(folder, 'records.jsonl'), 'utf8'), records)
  const regraded = parseJson(await readFile(`${folder}-regraded/results.json`, 'utf8'))
  assert.deepEqual([at(regraded, 'totals', 'pass'), at(regraded, 'totals', 'fail')], [2, 1])
})

test('trouble of the model service stays trouble; a trial that only the browser lost is measured now', async () => {
  const folder = path.join(scratch.path, 'troubled')
  await cp(run, folder, { recursive: true })
  const file = path.join(folder, 'records.jsonl')
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  const lost = { verdict: 'infra', failure_class: null, score: null, checks: [] }
  const edited = lines.map((line) => {
    const record: { task_id: string } = JSON.parse(line)
    if (record.task_id === 'hitl_reg_01')
      return JSON.stringify({ ...record, ...lost, infra_class: 'quota', detail: 'the quota is used up' })
    return record.task_id === 'study_reg_04'
      ? JSON.stringify({ ...record, ...lost, infra_class: 'browser_error', detail: 'it died' })
      : line
  })
  await writeFile(file, `${edited.join('\n')}\n`)
  const ended = await genuiEval(['regrade', folder, '--json', ...tasksOption])
  assert.equal(ended.code, 0, ended.stderr)
  const changes = asList(at(parseJson(ended.stdout), 'changes'))
  assert.deepEqual(
    changes.map((change) => [at(change, 'trial_id'), at(change, 'before', 'infra_class'), at(change, 'after', 'verdict')]),
    [['study_reg_04-head-0', 'browser_error', 'pass']],
  )
})

test('it never writes over the run it grades; trials whose task is gone are left out and counted as missing', async () => {
  const over = await genuiEval(['regrade', run, '--output-folder', run])
  assert.deepEqual([over.code, over.stdout], [2, ''])
  assert.match(over.stderr, /never writes over the run/)

  const tasks = path.join(scratch.path, 'tasks')
  for (const id of ['neg_reg_01', 'study_reg_04']) await cp(path.join(TASKS_FOLDER, id), path.join(tasks, id), { recursive: true })
  const output = path.join(scratch.path, 'fewer')
  const fewer = await genuiEval(['regrade', run, '--output-folder', output, '--tasks-folder', tasks])
  assert.equal(fewer.code, 0, fewer.stderr)
  assert.match(fewer.stdout, /left out: hitl_reg_01-head-0: the task hitl_reg_01 is not in the tasks folder any more/)
  assert.equal(at(parseJson(await readFile(path.join(output, 'results.json'), 'utf8')), 'totals', 'missing'), 1)

  const nothing = await genuiEval(['regrade', path.join(scratch.path, 'nowhere'), '--json'])
  assert.deepEqual([nothing.code, nothing.stdout], [2, ''])
  assert.match(nothing.stderr, /does not exist/)
})
