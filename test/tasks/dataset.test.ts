import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { UserError } from '../../src/model/errors.ts'
import { exportTasks, rowOfTask } from '../../src/tasks/export.ts'
import { importTasks } from '../../src/tasks/import.ts'
import { loadTasks } from '../../src/tasks/load.ts'
import { readRows } from '../../src/tasks/row-files.ts'
import { GOOD_NEGATIVE, GOOD_TASK, temporaryFolder } from './temporary-tasks.ts'

const SHIPPED = join(import.meta.dirname, '../../tasks')
const APP = '<!doctype html><html><body>quiz, "quoted"\n<button>Send</button></body></html>'

for (const format of ['json', 'jsonl', 'csv', 'parquet']) {
  test(`tasks survive the way through ${format} and back`, async (context) => {
    const folder = await temporaryFolder(context, {})
    const file = join(folder, `rows.${format}`)
    const tasks = await loadTasks(SHIPPED, { suite: 'regression' })
    await exportTasks(tasks, file)
    const { written, problems } = await importTasks(file, join(folder, 'tasks'))
    assert.deepEqual(problems, [])
    assert.equal(written.length, tasks.length)
    const back = await loadTasks(join(folder, 'tasks'), {})
    assert.deepEqual(back.map(rowOfTask), tasks.map(rowOfTask))
  })
}

test('JSON in strings is decoded, from CSV as from a dataset server', async (context) => {
  const { $schema: _, ...columns } = GOOD_NEGATIVE
  const row = {
    ...Object.fromEntries(Object.entries(columns).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])),
    expected_tool_trigger: 'False',
    expected_callback_schema: '',
    reference_solution: 'It is 42...',
  }
  const folder = await temporaryFolder(context, { 'rows.json': { rows: [{ row_idx: 0, row, truncated_cells: [] }] } })
  const { written, problems } = await importTasks(join(folder, 'rows.json'), join(folder, 'tasks'))
  assert.deepEqual([written, problems], [['demo_neg'], []])
  const [loaded] = await loadTasks(join(folder, 'tasks'), {})
  assert.equal(loaded?.reference.content, 'It is 42...', 'dots at the end of a sentence are no cut')
  assert.deepEqual(loaded?.task.mock_tool_context, GOOD_NEGATIVE.mock_tool_context)
})

test('cut cells are left out and named, so that the task is refused until it is completed', async (context) => {
  const { $schema: _, ...columns } = GOOD_TASK
  const rows = [
    {
      ...columns,
      mock_tool_context: '[{"tool":"read_file","args":{},"output":"A plugin cons...',
      reference_solution: '<!DOCTYPE html><html><bo...',
    },
    { ...columns, task_id: 'demo_02', reference_solution: APP, model_grader_rubrics: 'x', truncated_fields: '["model_grader_rubrics"]' },
  ]
  const folder = await temporaryFolder(context, { 'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') })
  const { written, problems } = await importTasks(join(folder, 'rows.jsonl'), join(folder, 'tasks'))
  assert.deepEqual(written, ['demo_01', 'demo_02'])
  assert.deepEqual(
    problems.map(({ at }) => at),
    ['$.mock_tool_context', '$.reference_solution', '$.model_grader_rubrics'],
  )
  await assert.rejects(loadTasks(join(folder, 'tasks'), {}), (error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, /demo_01.*"mock_tool_context" is missing/)
    assert.match(error.message, /demo_02.*"model_grader_rubrics" is missing/)
    return true
  })
  assert.deepEqual(await readdir(join(folder, 'tasks/demo_01')), ['task.json'], 'half a reference is no reference')
})

test('faulty rows are not written: each fault is named, other rows go on', async (context) => {
  const { $schema: _, ...columns } = GOOD_TASK
  const whole = { ...columns, reference_solution: APP }
  const rows = [
    { ...whole, task_id: '../../escape' },
    { ...whole, task_id: 'demo_03', outcome_interaction_steps: '[{"action":"hover","selector":"button"}]' },
    { ...whole, task_id: 'demo_04', outcome_dom_assertions: '{not json}' },
    { ...whole, task_id: 'demo_05', comment: 'mine' },
    whole,
    whole,
  ]
  const folder = await temporaryFolder(context, { 'rows.json': rows, 'tasks/readme.txt': '' })
  const { written, problems } = await importTasks(join(folder, 'rows.json'), join(folder, 'tasks'))
  assert.deepEqual(written, ['demo_01'])
  const said = problems.map(({ at, message }) => `${at}: ${message}`).join('\n')
  assert.match(said, /task_id: must match pattern/)
  assert.match(said, /action: must be one of/)
  assert.match(said, /outcome_dom_assertions: is not JSON/)
  assert.match(said, /comment: is no column/)
  assert.match(said, /row 6: repeats the task_id demo_01/)
  assert.deepEqual((await readdir(folder)).sort(), ['rows.json', 'tasks'], 'nothing escaped the tasks folder')
})

test('an existing task is kept unless told otherwise, and then keeps its own keys', async (context) => {
  const { $schema: _, ...columns } = GOOD_TASK
  const own = { golden: true, own_assertions: { reactivity: false } }
  const folder = await temporaryFolder(context, {
    'rows.json': [{ ...columns, user_prompt: 'New prompt', reference_solution: APP }],
    'tasks/demo_01/task.json': { ...GOOD_TASK, ...own },
    'tasks/demo_01/reference.html': APP,
  })
  const kept = await importTasks(join(folder, 'rows.json'), join(folder, 'tasks'))
  assert.deepEqual(kept.written, [])
  assert.match(kept.problems[0]?.message ?? '', /--overwrite/)
  await importTasks(join(folder, 'rows.json'), join(folder, 'tasks'), { overwrite: true })
  const [loaded] = await loadTasks(join(folder, 'tasks'), {})
  assert.equal(loaded?.task.user_prompt, 'New prompt')
  assert.deepEqual([loaded?.task.golden, loaded?.task.own_assertions], [true, own.own_assertions])
})

test('files that are no dataset are refused in one sentence', async (context) => {
  const folder = await temporaryFolder(context, {
    'a.json': '{"a":1}',
    'b.jsonl': '{}\n{oops',
    'c.parquet': 'PAR?',
    'd.txt': '',
    'e.csv': 'a,b\n"1',
  })
  for (const [file, sentence] of [
    ['a.json', /must be an array of rows/],
    ['b.jsonl', /line 2.*is not JSON/],
    ['c.parquet', /cannot be read as parquet/],
    ['d.txt', /name a file that ends in \.json/],
    ['e.csv', /cannot be read as csv/],
    ['absent.csv', /cannot be read as csv.*ENOENT/],
  ] as const) {
    await assert.rejects(
      readRows(join(folder, file)),
      (error) => error instanceof UserError && error.problems.length === 1 && sentence.test(error.message),
      file,
    )
  }
})

test('the published schema is what its source says', async () => {
  const script = join(import.meta.dirname, '../../scripts/write-schemas.ts')
  await promisify(execFile)(process.execPath, [script, '--check'])
})
