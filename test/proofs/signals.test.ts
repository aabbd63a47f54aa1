// A command that is stopped by a signal says one sentence, leaves no process and no temporary folder, and a run goes on from its records.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { access, cp, appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ScriptedModel, startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import type { TrialRecord } from '../../src/model/record.ts'
import type { Results } from '../../src/model/results.ts'
import { GOOD_PLUGIN, PROJECT, temporaryFolder } from '../agents/fixtures.ts'
import { flags, genuiEval } from '../commands/command-line.ts'

const TASKS_FOLDER = join(PROJECT, 'tasks')
const KEPT = /^Stopped: finished trials stay in .*run; the same command goes on from there\.$/
const folder = await temporaryFolder()
let model: ScriptedModel
let places = 0

before(async () => {
  model = await startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0 })
})
after(async () => {
  await model.close()
  await folder[Symbol.asyncDispose]()
})

interface Command {
  readonly child: ChildProcess
  /** Its run folder. */
  readonly run: string
  /** Its TMPDIR, where all that it makes on the way lies. */
  readonly temporary: string
  readonly lines: () => readonly string[]
  readonly ended: Promise<number | null>
}

async function start(args: readonly string[]): Promise<Command> {
  places += 1
  const temporary = join(folder.path, `tmp-${places}`)
  await mkdir(temporary)
  const child = spawn(process.execPath, [join(PROJECT, 'src/cli.ts'), ...args], {
    cwd: folder.path,
    env: { ...process.env, NO_COLOR: '1', GENUI_EVAL_API_KEY: 'key', TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  after(() => child.kill('SIGKILL'))
  return { child, run: runFolder(), temporary, lines: () => said.trim().split('\n'), ended }
}

const runFolder = (): string => join(folder.path, `${places}`, 'run')

function runArguments(url: string, more: Readonly<Record<string, string>> = {}): string[] {
  const options = {
    agent: 'builtin',
    plugin: GOOD_PLUGIN,
    tasks: 'neg_reg_01',
    'tasks-folder': TASKS_FOLDER,
    model: 'scripted',
    'base-url': url,
    gate: 'report-only',
    k: '4',
    'max-trials': '4',
    concurrency: '1',
    'output-folder': join(folder.path, `${places + 1}`, 'run'),
    ...more,
  }
  return ['run', ...flags(options)]
}

/** Waits for what must come, as long as the command runs. */
async function until(what: () => Promise<boolean> | boolean, { child, lines }: Command): Promise<void> {
  while (!(await what())) {
    assert.equal(child.exitCode, null, `it ended too early: ${lines().join('\n')}`)
    await delay(20)
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Processes that were started with this folder in their environment. */
async function processesOf(temporary: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [environment, command] = await Promise.all(
      ['environ', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    )
    if (environment?.includes(temporary)) found.push(`${pid} ${command?.replaceAll('\0', ' ').slice(0, 200)}`)
  }
  return found
}

async function assertStopped(command: Command, sentence: RegExp): Promise<void> {
  assert.equal(await command.ended, 3, command.lines().join('\n'))
  const about = command.lines().filter((line) => /stopped|cancelled|inconclusive|error/i.test(line))
  assert.equal(about.length, 1, command.lines().join('\n'))
  assert.match(about[0] ?? '', sentence)
  if (process.platform === 'linux') assert.deepEqual(await processesOf(command.temporary), [])
  assert.deepEqual(await readdir(command.temporary), [])
}

async function recordsOf(run: string): Promise<TrialRecord[]> {
  const text = await readFile(join(run, 'records.jsonl'), 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TrialRecord]))
}

/** A plugin that writes the file when it is loaded and then takes its time, with a helper that leaves the process group. */
async function slowPlugin(ready: string): Promise<string> {
  const plugin = join(folder.path, `slow-${places}`)
  await cp(GOOD_PLUGIN, plugin, { recursive: true })
  const helper = 'subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)'
  // The harness's own temporary folder is out of its reach; a child of its own may write the mark.
  const mark = `subprocess.run(["touch", ${JSON.stringify(ready)}])`
  const slow = `_load = register\n\n\ndef register(ctx):\n    import subprocess, sys, time\n    ${helper}\n    ${mark}\n    time.sleep(600)\n`
  await appendFile(join(plugin, '__init__.py'), `\n${slow}`)
  return plugin
}

test('while the plugin is looked at, before anything is open', async () => {
  const ready = join(folder.path, 'ready-1')
  const plugin = await slowPlugin(ready)
  const command = await start(runArguments(model.url, { plugin }))
  await until(() => exists(ready), command)
  command.child.kill('SIGTERM')
  await assertStopped(command, KEPT)
  assert.deepEqual(await recordsOf(command.run), [])
})

test('while the browser starts', async () => {
  const command = await start(runArguments(model.url))
  await until(async () => (await readdir(command.temporary)).some((name) => name.startsWith('playwright')), command)
  command.child.kill('SIGINT')
  await assertStopped(command, KEPT)
})

test('while the model is asked: the call is given up, the trial is not recorded', async () => {
  await using open = new AsyncDisposableStack()
  const faults = [{ kind: 'hang', from: 0, to: Infinity }] as const
  const silent = open.adopt(await startScriptedModel({ tasksFolder: TASKS_FOLDER, faults }), (opened) => opened.close())
  const command = await start(runArguments(silent.url))
  await until(() => silent.requests.length > 0, command)
  command.child.kill('SIGINT')
  await assertStopped(command, KEPT)
  assert.deepEqual(await recordsOf(command.run), [])
})

test('while an app is operated; run again, the run goes on from its records and comes to its end', async () => {
  const tasks = 'hitl_reg_01,neg_reg_01'
  const args = runArguments(model.url, { tasks, k: '2', 'max-trials': '2', concurrency: '2' })
  const command = await start(args)
  const app = join(command.run, 'trials/hitl_reg_01-head-1/app.html')
  await until(async () => (await exists(app)) && (await recordsOf(command.run)).length > 0, command)
  command.child.kill('SIGTERM')
  await assertStopped(command, KEPT)
  const kept = await recordsOf(command.run)
  assert.ok(kept.length > 0)
  assert.deepEqual(
    kept.filter((record) => record.verdict === 'infra'),
    [],
  )
  assert.equal(await exists(join(command.run, 'results.json')), false, 'a run that was stopped has no results')

  const again = await genuiEval([...args, '--json'], { cwd: folder.path, env: { GENUI_EVAL_API_KEY: 'key' } })
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stderr, new RegExp(`${kept.length} trials are scored already`))
  const results = JSON.parse(again.stdout) as Results
  assert.deepEqual(results.totals, { planned: 4, pass: 4, fail: 0, infra: 0, missing: 0 })
  for (const record of kept)
    assert.deepEqual(
      results.trials.find(({ trial_id: id }) => id === record.trial_id),
      record,
    )
})

test('a second signal ends it at once, and still leaves nothing', async () => {
  const ready = join(folder.path, 'ready-2')
  const plugin = await slowPlugin(ready)
  const command = await start(runArguments(model.url, { plugin }))
  await until(() => exists(ready), command)
  command.child.kill('SIGINT')
  command.child.kill('SIGTERM')
  await assertStopped(command, KEPT)
})

const linux = { skip: process.platform !== 'linux' && 'needs /proc' }

test('validate: the browser is closed and nothing is decided', linux, async () => {
  const command = await start(['validate', ...flags({ 'tasks-folder': TASKS_FOLDER, tasks: 'hitl_reg_01' })])
  await until(async () => (await processesOf(command.temporary)).some((line) => /chrom/i.test(line)), command)
  command.child.kill('SIGINT')
  await assertStopped(command, /^Stopped: nothing was decided\.$/)
})
