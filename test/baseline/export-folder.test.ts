import assert from 'node:assert/strict'
import { access, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { exportFolder, type ExportedFolder } from '../../src/baseline/export-folder.ts'
import { workplace, type Repository } from './repositories.ts'

async function exported(repository: Repository, commit: string, folder: string): Promise<ExportedFolder> {
  const answer = await exportFolder({ repo_folder: repository.folder, commit, folder: join(repository.folder, folder) })
  if (answer.kind === 'absent') assert.fail(answer.why)
  return answer
}

test('a folder is written out as the commit holds it, and the checkout is left as it was', async () => {
  await using place = await workplace()
  const { origin } = place
  const old = await origin.commit({ 'plugins/app/plugin.yaml': 'version: 1\n', 'plugins/app/lib/tool.py': 'one\n', 'other.txt': 'x' })
  await origin.commit({ 'plugins/app/plugin.yaml': 'version: 2\n', 'plugins/app/lib/new.py': 'two\n' })
  await writeFile(join(origin.folder, 'plugins/app/plugin.yaml'), 'version: 3\n')
  await writeFile(join(origin.folder, 'other.txt'), 'staged')
  await origin.git('add', 'other.txt')
  const before = await origin.git('status', '--porcelain')
  let folder: string
  {
    await using answer = await exported(origin, old, 'plugins/app')
    folder = answer.folder
    assert.equal(basename(folder), 'app')
    assert.equal(await readFile(join(folder, 'plugin.yaml'), 'utf8'), 'version: 1\n')
    assert.deepEqual((await readdir(folder, { recursive: true })).sort(), ['lib', 'lib/tool.py', 'plugin.yaml'])
  }
  await assert.rejects(access(dirname(folder)))
  assert.equal(await origin.git('status', '--porcelain'), before)
  assert.equal(await readFile(join(origin.folder, 'plugins/app/plugin.yaml'), 'utf8'), 'version: 3\n')
  assert.equal((await origin.git('worktree', 'list')).split('\n').length, 1)
})

test('a plugin at the top of the repository, with an executable file, is written out too', async () => {
  await using place = await workplace()
  const { origin } = place
  await writeFile(join(origin.folder, 'tool.sh'), '#!/bin/sh\n', { mode: 0o755 })
  const commit = await origin.commit({ 'plugin.yaml': 'name: a\n' })
  await using answer = await exported(origin, commit, '.')
  assert.deepEqual((await readdir(answer.folder)).sort(), ['plugin.yaml', 'tool.sh'])
  assert.ok((await stat(join(answer.folder, 'tool.sh'))).mode & 0o100)
})

test('a shallow clone fetches the commit that it lacks', async () => {
  await using place = await workplace()
  const old = await place.origin.commit({ 'plugin/plugin.yaml': 'version: 1\n' })
  await place.origin.commit({ 'plugin/plugin.yaml': 'version: 2\n' })
  const clone = await place.clone('--depth=1')
  await using answer = await exported(clone, old, 'plugin')
  assert.equal(await readFile(join(answer.folder, 'plugin.yaml'), 'utf8'), 'version: 1\n')
})

test('what the commit does not have is said, not guessed', async () => {
  await using place = await workplace()
  const { origin } = place
  const old = await origin.commit({ 'readme.md': 'x' })
  await origin.commit({ 'plugin/plugin.yaml': 'name: a\n' })
  const ask = (commit: string, folder: string) => exportFolder({ repo_folder: origin.folder, commit, folder })
  const absent = await ask(old, join(origin.folder, 'plugin'))
  assert.ok(absent.kind === 'absent' && /has no folder plugin/.test(absent.why))
  const outside = await ask(old, import.meta.dirname)
  assert.ok(outside.kind === 'absent' && /outside of the repository/.test(outside.why))
  const unknown = await ask('f'.repeat(40), join(origin.folder, 'plugin'))
  assert.ok(unknown.kind === 'absent' && /neither in the checkout nor on origin/.test(unknown.why))
})
