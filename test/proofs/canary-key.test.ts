// The key of the model service is nowhere but in the harness and on the wire to the service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { PROJECT, temporaryFolder } from '../agents/fixtures.ts'
import { flags } from '../commands/command-line.ts'
import { writeSpyingPlugin } from './spying-plugin.ts'

const TASKS_FOLDER = join(PROJECT, 'tasks')
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  builtin: { agent: 'builtin' },
  command: { agent: 'command', 'agent-command': `python3 ${join(PROJECT, 'examples/adapters/python/adapter.py')}` },
}

/** Forms in which a key may lie about. Its own alphabet makes each differ from the plain one, and no known shape of a credential fits it. */
function formsOf(key: string): Readonly<Record<string, string>> {
  return {
    plain: key,
    base64: Buffer.from(key).toString('base64').replaceAll('=', ''),
    'URL-encoded': encodeURIComponent(key),
    hex: Buffer.from(key).toString('hex'),
    reversed: key.split('').reverse().join(''),
    'first half': key.slice(0, key.length / 2),
  }
}

function formsIn(text: string, key: string): string[] {
  return Object.entries(formsOf(key)).flatMap(([name, form]) => (text.includes(form) ? [name] : []))
}

interface WatchedProcess {
  readonly command: string
  readonly environment: string
}

/** What `/proc` shows of all descendants of a process until then, at its first and at its last sight. */
async function watch(root: number, until: Promise<unknown>): Promise<ReadonlyMap<number, WatchedProcess[]>> {
  const seen = new Map<number, WatchedProcess[]>()
  const over = until.then(() => true)
  do {
    for (const pid of await descendants(root)) {
      const [command = '', environment = ''] = await Promise.all(['cmdline', 'environ'].map((name) => procFile(pid, name)))
      if (command !== '') seen.set(pid, [...(seen.get(pid) ?? []).slice(0, 1), { command, environment }])
    }
  } while (!(await Promise.race([over, delay(15, false)])))
  return seen
}

async function descendants(root: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const stat = await procFile(pid, 'stat')
        return [pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const
      }),
    ),
  )
  const below = (pid: number | undefined): boolean => pid !== undefined && (parents.get(pid) === root || below(known(parents.get(pid))))
  const known = (pid: number | undefined): number | undefined => (pid === undefined || pid <= 1 || Number.isNaN(pid) ? undefined : pid)
  return pids.filter((pid) => below(pid))
}

async function procFile(pid: number, name: string): Promise<string> {
  return (await readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')).replaceAll('\0', '\n')
}

for (const [kind, options] of Object.entries(KINDS)) {
  test(`a canary key appears nowhere: ${kind} agent`, { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
    await using folder = await temporaryFolder()
    const key = `canary/${randomBytes(24).toString('base64')}+x`
    const model = await startScriptedModel({ tasksFolder: TASKS_FOLDER, slipRate: 0, requiredKey: key })
    const { plugin, notes } = await writeSpyingPlugin(folder.path)
    const run = join(folder.path, 'run')
    const settings = flags({
      ...options,
      plugin,
      tasks: 'neg_reg_01,hitl_reg_01',
      'tasks-folder': TASKS_FOLDER,
      model: 'scripted',
      'base-url': model.url,
      'scripted-model': 'true',
      gate: 'report-only',
      k: '1',
      'max-trials': '1',
      'output-folder': run,
    })
    const child = spawn(process.execPath, [join(PROJECT, 'src/cli.ts'), 'run', ...settings], {
      cwd: folder.path,
      env: { ...process.env, NO_COLOR: '1', GENUI_EVAL_API_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const processes = await watch(child.pid ?? 0, ended)
    assert.equal(await ended, 0, printed)
    await model.close()

    // The key was needed and was there: the model answers nobody without it.
    assert.ok(model.requests.length >= 4, `${model.requests.length} requests`)
    const records = (await readFile(join(run, 'records.jsonl'), 'utf8')).trim().split('\n')
    assert.deepEqual(
      records.map((line) => (JSON.parse(line) as { verdict: string }).verdict),
      ['pass', 'pass'],
      records.join('\n').slice(0, 2000),
    )

    // The spy looked: at load before anything was open, and in a trial beside an open browser.
    const spied = (await readFile(notes, 'utf8')).trim().split('\n')
    assert.ok(spied.length >= 4, `${spied.length} looks`)
    for (const look of spied) assert.match(look, /GENUI_EVAL_CHILD/)
    for (const look of spied) assert.match(look, /src\/cli\.ts/, 'it saw the harness')
    assert.match(spied.at(-1) ?? '', /chrom/i, 'it saw the browser')
    assert.deepEqual(
      spied.flatMap((look) => formsIn(look, key)),
      [],
    )

    const found: string[] = formsIn(printed, key).map((form) => `output: ${form}`)
    const files = (await readdir(run, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    for (const entry of files) {
      const path = join(entry.parentPath, entry.name)
      const text = await readFile(path, 'latin1')
      found.push(...formsIn(text, key).map((form) => `${relative(run, path)}: ${form}`))
    }
    const names = files.map((entry) => entry.name)
    for (const expected of ['records.jsonl', 'results.json', 'report.html', 'comment.md', 'transcript.json', 'app.html'])
      assert.ok(names.includes(expected), `${expected} of ${names.join(', ')}`)
    assert.ok(
      files.some((entry) => entry.parentPath.endsWith('wire')),
      'the wire log is there',
    )
    assert.ok((await readFile(join(run, 'report.html'), 'utf8')).includes('hitl_reg_01'))
    assert.deepEqual(found, [])

    const commands = [...processes.values()].flat().map(({ command }) => command)
    for (const expected of [/plugin-host\.py/, /chrom/i])
      assert.ok(
        commands.some((command) => expected.test(command)),
        String(expected),
      )
    const exposed = [...processes.values()]
      .flat()
      .filter(({ command, environment }) => formsIn(`${command}\n${environment}`, key).length > 0)
    assert.deepEqual(
      exposed.map(({ command }) => command.slice(0, 200)),
      [],
    )
  })
}
