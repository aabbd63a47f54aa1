// The package stands on its own: no node_modules anywhere above it, any working directory, any environment.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { buildInto } from '../../scripts/build.ts'
import { compareFolders } from '../../scripts/check-dist.ts'

const root = path.join(import.meta.dirname, '..', '..')
let folder = ''
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'genui eval package-'))
  await buildInto(path.join(folder, 'dist'), path.join(import.meta.dirname, 'fixtures', 'browser'), [
    { name: 'cli', file: 'src/cli.ts', shebang: true },
  ])
})
after(() => rm(folder, { recursive: true, force: true }))

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/google-chrome', '/usr/bin/chromium'].find((file) => existsSync(file))

test('a packaged door launches a real browser with an empty environment', () => {
  assert.notEqual(CHROMIUM, undefined, 'this test needs a Chrome or Chromium')
  const run = spawnSync(process.execPath, [path.join(folder, 'dist', 'cli.js'), CHROMIUM ?? ''], { cwd: '/', env: {}, encoding: 'utf8' })
  assert.deepEqual([run.stdout, run.stderr, run.status], ['packaged 1 true\n', '', 0])
})

test('the driver is byte for byte the published one, and the licences are all there', async () => {
  for (const file of ['lib/coreBundle.js', 'browsers.json', 'ThirdPartyNotices.txt']) {
    const [ours, theirs] = await Promise.all([
      readFile(path.join(folder, 'dist/playwright-core', file)),
      readFile(path.join(root, 'node_modules/playwright-core', file)),
    ])
    assert.equal(ours.equals(theirs), true, file)
  }
  assert.equal((await stat(path.join(folder, 'dist/playwright-core/lib/coreBundle.js'))).size > 1_000_000, true)
  const licences = await readFile(path.join(folder, 'dist/licences.txt'), 'utf8')
  for (const name of ['chart.js', 'd3']) assert.match(licences, new RegExp(`^${name} `, 'm'))
  assert.match(licences, /^playwright-core \S+ \(Apache-2\.0\)/m)
  assert.match(await readFile(path.join(folder, 'dist/cli.js'), 'utf8'), /^#!\/usr\/bin\/env node\n/)
})

test('a dist that is not what the sources build is found out, with file and line', async () => {
  const copy = path.join(folder, 'copy')
  await cp(path.join(folder, 'dist'), copy, { recursive: true })
  assert.deepEqual(await compareFolders(path.join(folder, 'dist'), copy), [])
  await appendFile(path.join(copy, 'cli.js'), '// edited by hand\n')
  await writeFile(path.join(copy, 'stowaway.js'), '')
  await rm(path.join(copy, 'licences.txt'))
  assert.deepEqual(await compareFolders(path.join(folder, 'dist'), copy), [
    'different: cli.js (first at line 4)',
    'left over: stowaway.js',
    'missing: licences.txt',
  ])
})
