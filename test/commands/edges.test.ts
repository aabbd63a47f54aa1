// What a user meets at the edges of the command line: versions, broken pipes, places that cannot be written, files of the wrong kind.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { madeUpBaseline } from '../action/made-up-run.ts'
import { asObject, at, parseJson } from '../github/json.ts'
import { flags, genuiEval, HEALTHY, PROJECT, scratchFolder, TASKS_FOLDER } from './command-line.ts'

const scratch = await scratchFolder()
after(() => scratch[Symbol.asyncDispose]())

const DEAD_SERVICE = 'http://127.0.0.1:9/v1'

test('--version prints one line', async () => {
  const { code, stdout } = await genuiEval(['--version'])
  assert.equal(code, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

test('a folder in which nothing can be made is refused, not waited for', { skip: process.platform !== 'linux' }, async () => {
  const options = { plugin: HEALTHY, agent: 'builtin', model: 'm', 'base-url': DEAD_SERVICE, 'output-folder': '/proc/genui-eval/run' }
  const { code, stderr } = await genuiEval(['run', ...flags(options)])
  assert.equal(code, 2, stderr)
  assert.match(stderr, /^error: \/proc\/genui-eval\/run: cannot be the output folder/)
})

test('a program that is no browser is called that, in one sentence without internals', async () => {
  const html = path.join(TASKS_FOLDER, 'hitl_reg_01', 'reference.html')
  const { code, stderr } = await genuiEval(['grade', ...flags({ task: 'hitl_reg_01', html, 'browser-path': '/bin/true' })])
  assert.equal(code, 2, stderr)
  assert.equal(stderr, 'error: the browser /bin/true ended at once: is it a Chromium that runs on this machine?\n')
})

test('of a file with many faults the first five are told, and how many more there are', async () => {
  const broken = path.join(scratch.path, 'broken.json')
  const text = madeUpBaseline(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']).replaceAll('"n": 30', '"n": "30"')
  await writeFile(broken, text)
  const head = path.join(scratch.path, 'counts.json')
  await writeFile(head, '{"tasks": {"a": {"n": 3, "c": 3}}}')
  const { code, stderr } = await genuiEval(['compare', ...flags({ baseline: broken, head })])
  assert.equal(code, 2)
  const lines = stderr.trimEnd().split('\n')
  assert.equal(lines.length, 6, stderr)
  assert.match(lines[0] ?? '', /broken\.json \(\/tasks\/a\/refreshes\/0\/n\): must be integer/)
  assert.match(lines[5] ?? '', /broken\.json: and 3 more problems$/)
})

test('a file of another kind is told in one sentence', async () => {
  const task = path.join(TASKS_FOLDER, 'hitl_reg_01', 'task.json')
  const { code, stderr } = await genuiEval(['compare', ...flags({ baseline: task, head: task })])
  assert.equal(code, 2)
  assert.match(stderr, /task\.json: holds neither a schema nor tasks; give a baseline file, a results file, or \{"tasks"/)
})

test('an export says what has no column, and an import over the same folders keeps it', async () => {
  const file = path.join(scratch.path, 'rows.jsonl')
  const exported = await genuiEval(['export', file, '--json'])
  assert.equal(exported.code, 0, exported.stderr)
  const left = JSON.stringify(at(parseJson(exported.stdout), 'left_out'))
  assert.match(left, /golden \(4 tasks\)/)
  assert.match(left, /\d+ traps/)
  const [row] = (await readFile(file, 'utf8')).split('\n')
  assert.equal(Object.keys(asObject(parseJson(row ?? ''))).length, 13)
})

test('a reader that has seen enough ends the work, which is then no verdict', { skip: process.platform === 'win32' }, async () => {
  const args = ['doctor', ...flags({ 'base-url': DEAD_SERVICE, 'output-folder': path.join(scratch.path, 'run') })]
  const child = spawn(process.execPath, [path.join(PROJECT, 'src/cli.ts'), ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  assert.equal(code, 3)
})
