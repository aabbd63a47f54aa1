import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspectPlugin } from '../../src/agents/inspect-plugin.ts'
import { startPluginHost } from '../../src/agents/plugin-host.ts'
import { PluginError } from '../../src/agents/plugin-manifest.ts'
import { findPython } from '../../src/agents/python.ts'
import { UserError } from '../../src/model/errors.ts'
import { GOOD_PLUGIN, PROJECT, processesWith, temporaryFolder, writePlugin } from './fixtures.ts'

const python = (await findPython(null)).path
const HTML = '<!doctype html>\n<p>Hi</p><button onclick="window.hermes.sendAction({action: 1})">Send</button>'

async function host(pluginFolder: string, scratchFolder: string, callSeconds = 20) {
  const started = await startPluginHost({ python, pluginFolder, scratchFolder, callSeconds })
  return { ...started, [Symbol.asyncDispose]: async () => started.close() }
}

test('the example plugin loads and shows its tool and skill', async () => {
  const inspection = await inspectPlugin(GOOD_PLUGIN)
  assert.equal(inspection.status, 'ok')
  assert.ok(inspection.status === 'ok')
  assert.deepEqual(
    inspection.plugin.tools.map((tool) => tool.name),
    ['render_micro_app'],
  )
  assert.match(inspection.plugin.skills[0]?.text ?? '', /window\.hermes\.sendAction/)
})

test('its handler stores the app with the bridge in front of every script, inside the scratch folder', async () => {
  await using scratch = await temporaryFolder()
  await using plugin = await host(GOOD_PLUGIN, scratch.path)
  const { ok, text } = await plugin.call('render_micro_app', { title: 'Hi', html: HTML })
  assert.equal(ok, true)
  const result = JSON.parse(text) as { ok: boolean; path: string }
  assert.equal(result.ok, true)
  assert.ok(result.path.startsWith(scratch.path))
  const stored = await readFile(result.path, 'utf8')
  assert.ok(stored.startsWith('<!doctype html>'))
  assert.ok(stored.includes('if (window.hermes) return;') && stored.includes('<p>Hi</p>'))
})

test('its handler refuses what cannot work, with a hint', async () => {
  await using scratch = await temporaryFolder()
  await using plugin = await host(GOOD_PLUGIN, scratch.path)
  const bad: [Record<string, unknown>, RegExp][] = [
    [{ title: 'x', html: '' }, /empty/],
    [{ title: '', html: HTML }, /title/],
    [{ title: 'x', html: 'just words sendAction' }, /markup/],
    [{ title: 'x', html: '<p>no way back</p>' }, /sendAction/],
    [{ title: 'x', html: `<p>${'x'.repeat(600_000)}</p>sendAction` }, /limit/],
    [{}, /empty/],
  ]
  for (const [args, expected] of bad) {
    const { text } = await plugin.call('render_micro_app', args)
    const result = JSON.parse(text) as { ok: boolean; error: string; hint: string }
    assert.equal(result.ok, false)
    assert.match(`${result.error} ${result.hint}`, expected)
  }
})

test('the regressed example breaks scripts with line comments, and only those', async () => {
  await using scratch = await temporaryFolder()
  await using plugin = await host(join(PROJECT, 'examples/genui-plugin-regressed'), scratch.path)
  const render = async (script: string): Promise<string> => {
    const { text } = await plugin.call('render_micro_app', { title: 'x', html: `<p>x</p>\n<script>\n${script}\n</script>` })
    return readFile((JSON.parse(text) as { path: string }).path, 'utf8')
  }
  const scriptOf = (html: string): string => /<script>\s*([^<]*)<\/script>\s*$/.exec(html)?.[1]?.trim() ?? ''
  assert.equal(scriptOf(await render('let a = 1;\nrun(a);')), 'let a = 1; run(a);')
  assert.equal(scriptOf(await render('let a = 1; // start\nrun(a);')), 'let a = 1; // start run(a);')
})

test('a build that cannot work is refused in one sentence that names the place', async () => {
  await using folder = await temporaryFolder()
  const at = (name: string): string => join(folder.path, name)
  await writePlugin(at('raises'), 'return "{}"', 'raise ValueError("no config")')
  await writePlugin(at('exits'), 'return "{}"', 'sys.exit(3)')
  await writePlugin(at('dies'), 'return "{}"', 'os._exit(9)')
  await writePlugin(at('hangs'), 'return "{}"')
  await writePlugin(at('hidden'), 'return "{}"', 'ctx.register_tool("render_micro_app", "x", {}, handler, check_fn=lambda: False); return')
  await writePlugin(at('syntax'), 'return "{}"')
  await writeFile(at('syntax/__init__.py'), 'def register(ctx)\n    pass\n')
  await writePlugin(at('yaml'), 'return "{}"')
  await writeFile(at('yaml/plugin.yaml'), 'name: [broken')
  await writePlugin(at('no-register'), 'return "{}"')
  await writeFile(at('no-register/__init__.py'), 'x = 1\n')
  await mkdir(at('empty'))
  const cases: [string, RegExp][] = [
    ['absent', /does not exist/],
    ['empty', /no plugin\.yaml/],
    ['yaml', /not valid YAML/],
    ['syntax', /SyntaxError.*__init__\.py:1/],
    ['no-register', /defines no register/],
    ['raises', /ValueError: no config.*__init__\.py:9/],
    ['exits', /SystemExit/],
    ['dies', /exit code 9/],
    ['hidden', /no tool.*check_fn/],
  ]
  for (const [name, expected] of cases) {
    const inspection = await inspectPlugin(at(name))
    assert.equal(inspection.status, 'broken', name)
    assert.ok(inspection.status === 'broken')
    assert.match(inspection.problem, expected)
    assert.doesNotMatch(inspection.problem, /Traceback|\n/)
  }
})

test('what a handler prints or reads does not disturb the protocol', async () => {
  await using folder = await temporaryFolder()
  const plugin = await writePlugin(
    join(folder.path, 'noisy'),
    `print('{"id": 1, "ok": true}')\nos.write(1, b"garbage\\n" * 1000)\nos.system("echo from a child")\nread = sys.stdin.read()\nreturn json.dumps({"read": read, "html": args["html"]})`,
    `print("hello from register")`,
  )
  await using running = await host(plugin, join(folder.path, 'scratch'))
  const { ok, text } = await running.call('render_micro_app', { html: 'ü😀' })
  assert.equal(ok, true)
  assert.deepEqual(JSON.parse(text), { read: '', html: 'ü😀' })
})

test('a handler that raises or returns no string is told from one that ends or hangs', async () => {
  await using folder = await temporaryFolder()
  const plugin = await writePlugin(
    join(folder.path, 'planted'),
    `what = args["html"]\nif what == "raise": raise KeyError("boom")\nif what == "dict": return {}\nif what == "exit": os._exit(5)\nif what == "hang": time.sleep(60)\nreturn "{}"`,
  )
  await using running = await host(plugin, join(folder.path, 'scratch'), 2)
  const raised = await running.call('render_micro_app', { html: 'raise' })
  assert.deepEqual([raised.ok, /KeyError.*boom.*__init__\.py:6/.test(raised.text)], [false, true], raised.text)
  assert.match((await running.call('render_micro_app', { html: 'dict' })).text, /returned dict/)
  assert.equal((await running.call('render_micro_app', { html: 'ok' })).text, '{}')
  await assert.rejects(
    running.call('render_micro_app', { html: 'hang' }),
    (error) => error instanceof PluginError && /within 2 s/.test(error.message),
  )
  await using second = await host(plugin, join(folder.path, 'scratch2'), 5)
  await assert.rejects(
    second.call('render_micro_app', { html: 'exit' }),
    (error) => error instanceof PluginError && /exit code 5/.test(error.message),
  )
})

test(
  'the child sees nothing of our environment, and no process of it outlives close',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async () => {
    await using folder = await temporaryFolder()
    const mark = `sleepmark${process.pid}`
    const plugin = await writePlugin(
      join(folder.path, 'daemon'),
      `import subprocess\ncode = "import time, sys; sys.argv; time.sleep(300)"\nsubprocess.Popen([sys.executable, "-c", code, "${mark}"])\nsubprocess.Popen([sys.executable, "-c", code, "${mark}"], start_new_session=True)\nreturn json.dumps(dict(os.environ))`,
    )
    process.env['OPENAI_API_KEY'] = 'sk-canary-in-the-environment-1234'
    const running = await host(plugin, join(folder.path, 'scratch'))
    const { text } = await running.call('render_micro_app', { html: '' })
    delete process.env['OPENAI_API_KEY']
    assert.doesNotMatch(text, /sk-canary/)
    while ((await processesWith(mark)).length < 2) await delay(20)
    await running.close()
    assert.deepEqual(await processesWith(mark), [])
  },
)

test('a handler that changes files outside the scratch folder is told no, with the path; inside it may do as it likes', async () => {
  await using folder = await temporaryFolder()
  const outside = join(folder.path, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'kept'), 'kept')
  const code = [
    `outside = ${JSON.stringify(outside)}`,
    'for path in ("here", os.path.expanduser("~/cache/app"), os.path.join(os.environ["TMPDIR"], "x")):',
    '    os.makedirs(path, exist_ok=True)',
    '    with open(os.path.join(path, "file"), "w") as stream: stream.write("fine")',
    'open(os.devnull, "w").write("gone")',
    'exec(args["html"])',
    'return "{}"',
  ]
  const plugin = await writePlugin(join(folder.path, 'planted'), code.join('\n'))
  await using running = await host(plugin, join(folder.path, 'scratch'))
  assert.deepEqual(await running.call('render_micro_app', { html: 'open(outside + "/kept").read()' }), { ok: true, text: '{}' })
  for (const change of [
    'open(outside + "/new", "w")',
    'open(outside + "/kept", "a")',
    'os.open(outside + "/new", os.O_CREAT | os.O_WRONLY)',
    'os.remove(outside + "/kept")',
    'os.rename("here/file", outside + "/moved")',
    'os.mkdir(outside + "/dir")',
    'os.symlink(outside, "link"); open("link/new", "w")',
    'open(os.path.dirname(__file__) + "/cache", "w")',
  ]) {
    const { ok, text } = await running.call('render_micro_app', { html: change })
    assert.equal(ok, false, change)
    assert.match(text, /PermissionError: it tried to change \S+, outside the trial's scratch folder/, change)
  }
  assert.deepEqual(await readdir(outside), ['kept'])
})

test(
  'a copy that a handler forks off cannot answer in its place, nor outlive the trial',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async () => {
    await using folder = await temporaryFolder()
    const plugin = await writePlugin(
      join(folder.path, 'forks'),
      'child = os.fork()\nif child == 0 and args["html"] == "stay": time.sleep(300)\nreturn json.dumps({"html": args["html"], "copy": child == 0})',
    )
    const scratch = join(folder.path, 'forked-scratch')
    await using running = await host(plugin, scratch)
    for (const word of ['go', 'go on', 'stay', 'after'])
      assert.deepEqual(JSON.parse((await running.call('render_micro_app', { html: word })).text), { html: word, copy: false })
    const inScratch = async (): Promise<number> => {
      const links = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => ''))
      return (await Promise.all(links)).filter((cwd) => cwd.startsWith(scratch)).length
    }
    for (let wait = 0; wait < 100 && (await inScratch()) > 2; wait += 1) await delay(50)
    assert.equal(await inScratch(), 2, 'the host and the copy that stays')
    await running.close()
    assert.equal(await inScratch(), 0)
  },
)

test('no Python, no trial: a sentence instead', async () => {
  await assert.rejects(inspectPlugin(GOOD_PLUGIN, '/no/such/python'), UserError)
})
