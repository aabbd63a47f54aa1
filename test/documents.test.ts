// What the documents claim about the tree is held against the tree.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { evaluationWorkflow, PLACEHOLDER_ACTION } from '../src/usecases/workflow-files.ts'
import { VERSION } from '../src/version.ts'

const root = join(import.meta.dirname, '..')
const byName = (a: string | undefined, b: string | undefined): number => (a ?? '').localeCompare(b ?? '')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('docs/dependencies.md says of every dependency why it is here, and of no other', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const inUse = Object.keys({ ...dependencies, ...devDependencies })
  const firstCells = read('docs/dependencies.md').matchAll(/^\| (`[^|]+) \|/gm)
  const named = [...firstCells].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  assert.deepEqual(named.toSorted(byName), inUse.toSorted(byName))
})

test('the version that the command line prints is that of package.json, and the changelog has a section for it', () => {
  assert.equal(VERSION, (JSON.parse(read('package.json')) as { version: string }).version)
  assert.match(read('CHANGELOG.md'), new RegExp(`^## ${VERSION.replaceAll('.', '\\.')}\\b`, 'm'))
})

test('README.md shows the workflow that "init" writes', () => {
  const settings = {
    plugin: 'plugin',
    branch: 'main',
    model: 'gpt-5.1-mini',
    base_url: null,
    secret: 'OPENAI_API_KEY',
    action: PLACEHOLDER_ACTION,
  }
  assert.ok(read('README.md').includes(`\`\`\`yaml\n${evaluationWorkflow(settings)}\`\`\`\n`))
})

test('docs/architecture.md names every folder of src, and only those', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  const named = [...read('docs/architecture.md').matchAll(/^\| `src\/(\w+)\/`/gm)].map(([, name]) => name)
  assert.deepEqual(named.toSorted(byName), folders.toSorted(byName))
})

for (const file of [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]) {
  test(`every relative link of ${file} leads somewhere`, () => {
    const links = [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => !existsSync(join(root, file, '..', link)))
    assert.deepEqual(broken, [])
  })
}
