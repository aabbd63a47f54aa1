import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import type { LoadedTask } from '../../src/model/task.ts'
import { openBrowserEngine, type BrowserEngine } from '../../src/outcome/engine.ts'
import { gradeMicroApps, type GradedApp } from '../../src/usecases/grade.ts'
import { validateSuite } from '../../src/usecases/validate.ts'
import { validityDocument } from '../../src/usecases/validity-document.ts'
import { aTask } from '../graders/trial-builders.ts'

const GOOD = `<!doctype html><html lang="en"><body><h1>RunPod files</h1>
<label><input type="checkbox" value="a.iso" checked> a.iso</label>
<label><input type="checkbox" value="b.zip"> b.zip</label>
<p id="count">1 chosen</p><button id="send">Delete selected</button><button id="all">All</button>
<script>
  const boxes = [...document.querySelectorAll('input')]
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value)
  const draw = () => { document.getElementById('count').textContent = chosen().length + ' chosen' }
  for (const box of boxes) box.addEventListener('change', draw)
  document.getElementById('all').addEventListener('click', () => { for (const box of boxes) box.checked = true; draw() })
  document.getElementById('send').addEventListener('click', () => window.hermes.sendAction({ action: 'delete', files: chosen() }))
</script></body></html>`

const positive: LoadedTask = {
  task: aTask({ own_assertions: { initially_unchecked: ['b.zip'] } }),
  folder: '/nowhere',
  digest: 'sha256:0',
  reference: { file: 'reference.html', kind: 'app', content: GOOD },
  traps: [
    {
      file: 'ticked.html',
      kind: 'app',
      content: GOOD.replace('value="b.zip"', 'value="b.zip" checked'),
      fails: 'interaction.initial_state',
      why: 'ticks all',
    },
    { file: 'wall.md', kind: 'text', content: 'RunPod is …', fails: 'transcript.expected_tool_trigger', why: 'text' },
    {
      file: 'misnamed.html',
      kind: 'app',
      content: GOOD.replace('files: chosen()', 'paths: chosen()'),
      fails: 'dom.not_blank',
      why: 'names the wrong check',
    },
    { file: 'traps/judge.html', kind: 'app', content: GOOD, fails: 'rubric.safe', why: 'only a judge sees it' },
    {
      file: 'traps/seen.html',
      kind: 'app',
      content: GOOD.replace('chosen() }', 'chosen }'),
      fails: 'rubric.safe',
      why: 'code sees it too',
    },
  ],
}
const negative: LoadedTask = {
  task: aTask({
    task_id: 'demo_02',
    expected_tool_trigger: false,
    expected_callback_schema: null,
    outcome_dom_assertions: { must_contain_strings_in_text_response: ['p^k'] },
  }),
  folder: '/nowhere',
  digest: 'sha256:1',
  reference: { file: 'reference.md', kind: 'text', content: 'It is $p^{k}$.' },
  traps: [{ file: 'app.html', kind: 'app', content: GOOD, fails: 'transcript.expected_tool_trigger', why: 'renders' }],
}

let engine: BrowserEngine
let folder: string
before(async () => {
  engine = await openBrowserEngine({ executablePath: null, network: { kind: 'mirror' }, webview: { kind: 'top' } })
  folder = await mkdtemp(join(tmpdir(), 'genui-grade-'))
})
after(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

test('validate counts what is judged as it must be, and explains each miss', async () => {
  const report = await validateSuite({ tasks: [positive, negative], engine, mutants: false, concurrency: 2 })
  assert.deepEqual(report.references, { passed: 2, total: 2, missed: [] })
  assert.deepEqual(report.do_nothing, { passed: 0, total: 2, missed: [] })
  assert.deepEqual([report.fakes.passed, report.fakes.total], [0, 1])
  assert.deepEqual([report.traps.caught, report.traps.total], [3, 4])
  assert.deepEqual(report.traps.needs_judge, ['demo_01/traps/judge.html (rubric.safe)', 'demo_01/traps/seen.html (rubric.safe)'])
  assert.deepEqual([report.rubric_only.passed, report.rubric_only.total], [1, 2])
  assert.deepEqual(
    report.rubric_only.missed.map(({ specimen }) => specimen),
    ['traps/seen.html'],
  )
  const [miss] = report.traps.missed
  assert.equal(miss?.specimen, 'misnamed.html')
  assert.match(miss?.expected ?? '', /dom\.not_blank/u)
  assert.match(miss?.seen ?? '', /callback\.schema: .*\$\.files/u)
  const document = validityDocument(report, { graders: '1', browser: 'a browser' })
  assert.match(document, /traps that fail at their named check \| 4 of 4 \| 3 of 4/u)
  assert.match(document, /misnamed\.html/u)
})

test('grade streams apps as they end, keeps the order, and writes screenshots per app', async () => {
  const seen: string[] = []
  const items = [
    { id: 'good/one', task_id: 'demo_01', html: GOOD },
    { id: 'throws', task_id: 'demo_01', html: GOOD.replace('const draw', 'lost(); const draw') },
  ]
  const onGraded = (app: GradedApp): void => void seen.push(app.id)
  const [good, bad] = await gradeMicroApps({ items, tasks: [positive], engine, concurrency: 2, screenshotFolder: folder, onGraded })
  assert.equal(good?.verdict, 'pass', good?.detail)
  assert.deepEqual(
    good?.callbacks.map((call) => call.valid),
    [true],
  )
  assert.deepEqual(seen.toSorted(), ['good/one', 'throws'])
  assert.equal(bad?.failure_class, 'js_error')
  assert.match(bad?.detail ?? '', /during load: .*lost/u)
  assert.ok((await readdir(join(folder, 'good_one'))).some((name) => name.endsWith('.png')))
})

test('grade names all unknown tasks and double ids at once', async () => {
  const items = [
    { id: 'x', task_id: 'nope', html: '' },
    { id: 'x', task_id: 'demo_01', html: '' },
  ]
  await assert.rejects(
    gradeMicroApps({ items, tasks: [positive], engine, concurrency: 1, screenshotFolder: null }),
    (error) => error instanceof UserError && error.problems.length === 2,
  )
})
