// `hermes-version` beside releases: a checkout, an interpreter, and versions whose signatures are not those of 0.19.0. Real Hermes code each time.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type ScriptedModel, startScriptedModel } from '../../examples/scripted-model/scripted-model.ts'
import { createHermesAgent } from '../../src/agents/hermes.ts'
import { UserError } from '../../src/model/errors.ts'
import { type Relay, startRelay } from '../../src/relay/relay.ts'
import { agentRequest, PROJECT, temporaryFolder, writeTasks } from '../agents/fixtures.ts'

const run = promisify(execFile)
const HERMES = '0.19.0'
const PYTHON = join(PROJECT, `.genui-eval/hermes-${HERMES}/bin/python`)

const missing = await run('bash', [join(PROJECT, 'scripts/install-hermes.sh'), HERMES]).then(
  () => null,
  (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : String(error)),
)
const skip = missing === null || process.env['GENUI_EVAL_REQUIRE_HERMES'] !== undefined ? false : `hermes-agent ${HERMES}: ${missing}`
if (skip !== false) console.log(`skipped: ${skip}`)

const folder = await temporaryFolder()
let model: ScriptedModel
let relay: Relay
let trials = 0

before(async () => {
  model = await startScriptedModel({ tasksFolder: await writeTasks(join(folder.path, 'tasks')), slipRate: 0 })
  relay = await startRelay({ upstream: model.url, apiKey: null })
})
after(async () => {
  await Promise.all([relay.close(), model.close()])
  await folder[Symbol.asyncDispose]()
})

async function sitePackages(): Promise<string> {
  const ask = 'import importlib.util, os; print(os.path.dirname(importlib.util.find_spec("run_agent").origin))'
  return (await run(PYTHON, ['-I', '-c', ask])).stdout.trim()
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd })).stdout.trim()
}

/** A repository with the source of the installed release; `change` may make another version of it. Returns folder and commit. */
async function checkoutOf(name: string, change: (checkout: string) => Promise<void> = async () => undefined) {
  const packages = await sitePackages()
  const checkout = join(folder.path, name)
  await mkdir(checkout)
  const record = await readFile(join(packages, `hermes_agent-${HERMES}.dist-info/RECORD`), 'utf8')
  const tops = new Set(record.split('\n').map((line) => line.split(/[/,]/)[0] ?? ''))
  for (const top of tops) {
    if (top === '' || top === '..' || top === '__pycache__' || top.endsWith('.dist-info')) continue
    await symlink(join(packages, top), join(checkout, top))
  }
  await change(checkout)
  await git(checkout, 'init', '-q')
  await git(checkout, 'add', '-A')
  await git(checkout, 'commit', '-qm', 'source')
  return { checkout, commit: await git(checkout, 'rev-parse', '--short=12', 'HEAD') }
}

/** Puts a changed copy where a link was; a changed file of a package makes the package a folder of links. */
async function edit(checkout: string, file: string, change: (text: string) => string): Promise<void> {
  const parent = dirname(file)
  if (parent !== '.') await unfold(checkout, parent)
  const path = join(checkout, file)
  const text = await readFile(path, 'utf8')
  const changed = change(text)
  assert.notEqual(changed, text, `${file} was changed`)
  await rm(path)
  await writeFile(path, changed)
}

async function unfold(checkout: string, name: string): Promise<void> {
  const source = join(await sitePackages(), name)
  await rm(join(checkout, name))
  await mkdir(join(checkout, name))
  for (const entry of await readdir(source)) if (entry !== '__pycache__') await symlink(join(source, entry), join(checkout, name, entry))
}

async function trial(version: string, python: string | null) {
  trials += 1
  const id = `source-${trials}`
  const scratch = join(folder.path, id)
  await mkdir(scratch)
  const agent = await createHermesAgent({ version, python, asShipped: false, cacheFolder: folder.path })
  const request = agentRequest({ trial_id: id, base_url: relay.baseUrlFor(id), scratch_folder: scratch })
  return { agent, result: await agent.run(request, new AbortController().signal), sent: relay.sentSettings(id) }
}

function assertRendered({ result }: Awaited<ReturnType<typeof trial>>, version: string): void {
  assert.equal(result.status, 'completed', JSON.stringify(result).slice(0, 800))
  assert.equal(result.versions['hermes-agent'], version)
  assert.ok(result.transcript.tool_calls.some((call) => call.name === 'render_micro_app' && call.status === 'ok'))
}

test(
  'a checkout run by an interpreter that has what it needs: version and commit are recorded, and so is an uncommitted change',
  { skip },
  async () => {
    const { checkout, commit } = await checkoutOf('plain')
    const made = await trial(checkout, PYTHON)
    assertRendered(made, `${HERMES}+${commit}`)
    assert.match(made.agent.version, new RegExp(`^${HERMES.replaceAll('.', '\\.')}\\+${commit} driver `))

    await edit(checkout, 'run_agent.py', (text) => `${text}\nraise RuntimeError("the code of the checkout")\n`)
    const changed = await trial(checkout, PYTHON)
    assert.ok(changed.result.status === 'infra', JSON.stringify(changed.result).slice(0, 500))
    assert.match(changed.result.detail, /the code of the checkout/, 'it is the checkout that runs')
    assert.equal(changed.result.versions['hermes-agent'], `${HERMES}+${commit}.modified`)
  },
)

test('an interpreter that has Hermes, named by its path or by its environment', { skip }, async () => {
  assertRendered(await trial(PYTHON, null), HERMES)
  const agent = await createHermesAgent({ version: dirname(dirname(PYTHON)), python: null, asShipped: false })
  assert.match(agent.version, new RegExp(`^${HERMES.replaceAll('.', '\\.')} driver `))
  await assert.rejects(createHermesAgent({ version: PYTHON, python: '/usr/bin/python3', asShipped: false }), /leave one of the two out/)
})

test("a newer version with other keywords, in a checkout with its developers' own environment", { skip }, async () => {
  const { checkout, commit } = await checkoutOf('newer', async (place) => {
    await edit(place, 'hermes_cli/__init__.py', (text) => text.replace(`__version__ = "${HERMES}"`, '__version__ = "0.21.3"'))
    // one keyword that the driver offers is gone, one that it does not know is new
    await edit(
      place,
      'run_agent.py',
      (text) => `${text.replace('        tool_delay: float = 1.0,\n', '        wholly_new: float = 1.0,\n')}\ntool_delay = 1.0\n`,
    )
    await run(PYTHON, ['-m', 'venv', '--without-pip', join(place, '.venv')])
    const ask = 'import site; print(site.getsitepackages()[0])'
    const own = (await run(join(place, '.venv/bin/python'), ['-I', '-c', ask])).stdout.trim()
    await writeFile(join(own, 'dependencies.pth'), `${await sitePackages()}\n`)
    await appendFile(join(place, '.gitignore'), '.venv\n')
  })
  const made = await trial(checkout, null)
  assertRendered(made, `0.21.3+${commit}`)
  assert.deepEqual(
    made.sent.map(({ model: name, temperature, max_tokens: limit }) => [name, temperature, limit]),
    [['scripted', 0, 20_000]],
    'the settings arrive all the same',
  )
})

test('what is neither is said in one sentence', { skip }, async () => {
  const open = (version: string, python: string | null = null) => createHermesAgent({ version, python, asShipped: false })
  const refused = (version: string, said: RegExp, python: string | null = null) =>
    assert.rejects(open(version, python), (error) => error instanceof UserError && said.test(error.message))
  await refused(join(folder.path, 'nowhere'), /where nothing is/)
  await mkdir(join(folder.path, 'empty'))
  await refused(join(folder.path, 'empty'), /neither a checkout of Hermes Agent \(it has no run_agent\.py\) nor a virtual environment/)
  await refused('/usr/bin/python3', /has no Hermes Agent/)
  await mkdir(join(folder.path, 'bare'))
  await copyFile(join(await sitePackages(), 'run_agent.py'), join(folder.path, 'bare/run_agent.py'))
  await refused(join(folder.path, 'bare'), /cannot run the Hermes Agent in .*lacks the openai package/, '/usr/bin/python3')
})
