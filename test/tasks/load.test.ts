import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import type { Problem } from '../../src/model/schema.ts'
import { loadTasks, type TaskFilter } from '../../src/tasks/load.ts'
import { GOOD_NEGATIVE, GOOD_TASK, temporaryFolder } from './temporary-tasks.ts'

const PAGE = '<!doctype html><p>quiz</p>'

async function problemsOf(folder: string, filter: TaskFilter = {}): Promise<readonly Problem[]> {
  try {
    await loadTasks(folder, filter)
  } catch (error) {
    assert.ok(error instanceof UserError, String(error))
    return error.problems
  }
  return []
}

/** Problems of one task whose task.json is the good one with changes. */
async function problemsOfTask(
  context: TestContext,
  changes: object,
  files: Readonly<Record<string, string>> = {},
): Promise<readonly Problem[]> {
  const folder = await temporaryFolder(context, {
    'demo_01/task.json': { ...GOOD_TASK, ...changes },
    'demo_01/reference.html': PAGE,
    ...files,
  })
  return problemsOf(folder)
}

test('a good folder loads, sorted by id, with reference and traps', async (context) => {
  const traps = [{ file: 'blank.html', fails: 'dom.not_blank', why: 'nothing is shown' }]
  const folder = await temporaryFolder(context, {
    'demo_neg/task.json': GOOD_NEGATIVE,
    'demo_neg/reference.md': 'The answer is 42.',
    'demo_01/task.json': { ...GOOD_TASK, traps },
    'demo_01/reference.html': PAGE,
    'demo_01/traps/blank.html': '<!doctype html><body hidden></body>',
    'task.schema.json': '{}',
    '.hidden/nothing.txt': '',
  })
  const tasks = await loadTasks(folder, { suite: 'regression' })
  assert.deepEqual(
    tasks.map(({ task, reference }) => [task.task_id, reference.kind, reference.file]),
    [
      ['demo_01', 'app', 'reference.html'],
      ['demo_neg', 'text', 'reference.md'],
    ],
  )
  assert.deepEqual(tasks[0]?.traps, [
    {
      file: 'traps/blank.html',
      kind: 'app',
      content: '<!doctype html><body hidden></body>',
      fails: 'dom.not_blank',
      why: 'nothing is shown',
    },
  ])
  assert.equal(tasks[0]?.folder, join(folder, 'demo_01'))
})

test('the digest changes with what decides a grade and with nothing else', async (context) => {
  const digestOf = async (task: object): Promise<string> => {
    const folder = await temporaryFolder(context, { 'demo_01/task.json': task, 'demo_01/reference.html': PAGE })
    return (await loadTasks(folder, {}))[0]?.digest ?? ''
  }
  const digest = await digestOf(GOOD_TASK)
  assert.match(digest, /^sha256:[0-9a-f]{64}$/)
  assert.equal(await digestOf({ ...Object.fromEntries(Object.entries(GOOD_TASK).reverse()), $schema: 'elsewhere.json', traps: [] }), digest)
  assert.notEqual(await digestOf({ ...GOOD_TASK, user_prompt: 'Build another quiz.' }), digest)
  assert.notEqual(await digestOf({ ...GOOD_TASK, own_assertions: { reactivity: false } }), digest)
})

const REFUSALS: readonly { readonly name: string; readonly changes: object; readonly at: RegExp; readonly message: RegExp }[] = [
  { name: 'unknown key', changes: { promt: 'x' }, at: /^\$\.promt, line \d+$/, message: /unknown key "promt"/ },
  { name: 'missing key', changes: { user_prompt: undefined }, at: /^\$, line 1$/, message: /"user_prompt" is missing/ },
  {
    name: 'unknown step action',
    changes: { outcome_interaction_steps: [{ action: 'hover', selector: 'button' }] },
    at: /^\$\.outcome_interaction_steps\[0\]\.action, line \d+$/,
    message: /must be one of click, set_range/,
  },
  {
    name: 'selector that does not parse',
    changes: { outcome_dom_assertions: { required_selectors: ['button', "input[type='range'"] } },
    at: /^\$\.outcome_dom_assertions\.required_selectors\[1\], line \d+$/,
    message: /is not a CSS selector/,
  },
  {
    name: 'selector that only jQuery knows',
    changes: { outcome_interaction_steps: [{ action: 'click', selector: 'div > :not(button:contains(Send))' }] },
    at: /selector/,
    message: /no pseudo-class :contains/,
  },
  {
    name: 'callback schema with a misspelt keyword',
    changes: { expected_callback_schema: { type: 'object', requierd: ['action'] } },
    at: /expected_callback_schema/,
    message: /ajv can compile.*requierd/,
  },
  {
    name: 'callback schema of no type',
    changes: { expected_callback_schema: { type: 'objekt' } },
    at: /expected_callback_schema/,
    message: /ajv can compile/,
  },
  { name: 'other folder name', changes: { task_id: 'demo_02' }, at: /task_id/, message: /"demo_02" but the folder is named "demo_01"/ },
  {
    name: 'range step without a number',
    changes: { outcome_interaction_steps: [{ action: 'set_range', selector: 'input', value: 'five' }] },
    at: /steps\[0\]\.value/,
    message: /needs a number/,
  },
  {
    name: 'fill step without a value',
    changes: { outcome_interaction_steps: [{ action: 'fill', selector: 'input' }] },
    at: /steps\[0\]/,
    message: /needs a "value"/,
  },
  {
    name: 'assertion that every page satisfies',
    changes: { own_assertions: { must_be_rendered_strings: [' '] } },
    at: /own_assertions\.must_be_rendered_strings\[0\]/,
    message: /every page would satisfy/,
  },
  {
    name: 'text reference of an app task',
    changes: { reference_solution: 'reference.md' },
    at: /reference_solution/,
    message: /must be reference.html/,
  },
  {
    name: 'trap that names no check',
    changes: { traps: [{ file: 'a.html', fails: 'dom.blank', why: 'x' }] },
    at: /traps\[0\]\.fails/,
    message: /must name a check/,
  },
  {
    name: 'trap that names a rubric of another task',
    changes: { traps: [{ file: 'a.html', fails: 'rubric.other', why: 'x' }] },
    at: /traps\[0\]\.fails/,
    message: /no rubric of this task/,
  },
]

for (const { name, changes, at, message } of REFUSALS) {
  test(`refuses: ${name}`, async (context) => {
    const problems = await problemsOfTask(context, changes)
    assert.equal(problems.length, 1, JSON.stringify(problems))
    assert.match(problems[0]?.at ?? '', at)
    assert.match(problems[0]?.message ?? '', message)
    assert.match(problems[0]?.where ?? '', /demo_01.task\.json$/)
  })
}

test('names the line that is wrong', async (context) => {
  const [problem] = await problemsOfTask(context, { category: 7 })
  const lines = JSON.stringify(GOOD_TASK, null, 2).split('\n')
  assert.equal(problem?.at, `$.category, line ${lines.findIndex((line) => line.includes('"category"')) + 1}`)
})

test('refuses missing, empty and unregistered files, all at once', async (context) => {
  const folder = await temporaryFolder(context, {
    'demo_01/task.json': { ...GOOD_TASK, traps: [{ file: 'gone.html', fails: 'dom.not_blank', why: 'x' }] },
    'demo_01/reference.html': ' \n',
    'demo_01/traps/stray.md': 'text',
    'demo_neg/task.json': GOOD_NEGATIVE,
    'broken/task.json': '{\n  "task_id": "broken",\n  oops\n}',
    'empty/notes.txt': 'no task here',
  })
  const problems = await problemsOf(folder)
  const places = problems.map(({ where, message }) => `${where.slice(folder.length + 1)} ${message.slice(0, 24)}`)
  assert.equal(problems.length, 6, places.join('\n'))
  for (const expected of [
    /^demo_01.reference\.html is empty/,
    /^demo_01.traps.gone\.html is missing/,
    /^demo_01.traps.stray\.md is not registered/,
    /^demo_neg.reference\.md is missing/,
    /^broken.task\.json is not valid JSON/,
    /^empty.task\.json is missing/,
  ]) {
    assert.ok(
      places.some((place) => expected.test(place)),
      `${expected} in\n${places.join('\n')}`,
    )
  }
  assert.match(problems.find(({ where }) => where.includes('broken'))?.at ?? '', /^line 3, column \d+$/)
})

test('only tasks of the filter must be complete', async (context) => {
  const folder = await temporaryFolder(context, {
    'demo_01/task.json': GOOD_TASK,
    'demo_01/reference.html': PAGE,
    'later/task.json': { ...GOOD_TASK, task_id: 'later', suite_type: 'capability' },
    'broken/task.json': '{',
  })
  assert.deepEqual(await problemsOf(folder, { ids: ['demo_01'] }), [])
  assert.equal((await problemsOf(folder, { suite: 'regression' })).length, 1, 'the broken file only')
  assert.equal((await problemsOf(folder, {})).length, 2, 'the missing reference too')
})

test('names unknown ids, an id of the other suite, an unknown suite and a missing folder', async (context) => {
  const folder = await temporaryFolder(context, { 'demo_01/task.json': GOOD_TASK, 'demo_01/reference.html': PAGE })
  const unknown = await problemsOf(folder, { ids: ['demo_01', 'nope', 'nada'] })
  assert.deepEqual(
    unknown.map(({ message }) => message),
    ['there is no task "nada"; it holds demo_01', 'there is no task "nope"; it holds demo_01'],
  )
  assert.match((await problemsOf(folder, { ids: ['demo_01'], suite: 'capability' }))[0]?.message ?? '', /is a regression task/)
  assert.match((await problemsOf(folder, { suite: 'capability' }))[0]?.message ?? '', /no capability tasks/)
  assert.match((await problemsOf(join(folder, 'absent')))[0]?.message ?? '', /does not exist/)
  // From a command line or an Action input the suite is any string.
  const fromOutside: TaskFilter = JSON.parse('{"suite":"nightly"}')
  assert.match((await problemsOf(folder, fromOutside))[0]?.message ?? '', /no suite "nightly"/)
})

test('the shipped regression suite is whole, and breaking any published column of it is noticed', async (context) => {
  const shipped = join(import.meta.dirname, '../../tasks')
  const tasks = await loadTasks(shipped, { suite: 'regression' })
  assert.equal(tasks.length, 10)
  for (const { task, traps } of tasks) {
    assert.ok(traps.length >= 2, `${task.task_id} has two traps at least`)
    assert.equal(task.golden === true, !task.expected_tool_trigger, `${task.task_id}: negative controls are golden`)
  }
  const copy = await temporaryFolder(context, {})
  await cp(join(shipped, 'study_reg_01'), join(copy, 'study_reg_01'), { recursive: true })
  const file = join(copy, 'study_reg_01/task.json')
  const columns = Object.keys(GOOD_TASK).filter((key) => key !== '$schema')
  const text = await readFile(file, 'utf8')
  for (const column of columns) {
    await writeFile(file, text.replace(`"${column}"`, `"${column}s"`))
    assert.equal((await problemsOf(copy)).length, 2, `${column}: unknown key and missing key`)
  }
})
