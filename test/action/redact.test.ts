import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createRedactor } from '../../src/model/redaction.ts'
import { redactRunFolder } from '../../src/usecases/redact-run-folder.ts'

test('what a plugin dug up is taken out of every text file, pictures stay byte for byte, links are not followed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'genui-eval-redact-'))
  const run = path.join(folder, 'run')
  const secret = 'key "with" quotes'
  const picture = Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00])
  await mkdir(path.join(run, 'trials', 'a'), { recursive: true })
  await writeFile(path.join(run, 'records.jsonl'), `${JSON.stringify({ detail: secret })}\n`)
  await writeFile(path.join(run, 'trials', 'a', 'app.html'), `<p>${encodeURIComponent(secret)} and sk-0123456789abcdefghij</p>`)
  await writeFile(path.join(run, 'trials', 'a', '1.png'), picture)
  await writeFile(path.join(folder, 'outside.json'), secret)
  await symlink(path.join(folder, 'outside.json'), path.join(run, 'link.json'))
  await redactRunFolder(run, createRedactor([secret]))
  assert.deepEqual(JSON.parse(await readFile(path.join(run, 'records.jsonl'), 'utf8')), { detail: '[redacted]' })
  assert.equal(await readFile(path.join(run, 'trials', 'a', 'app.html'), 'utf8'), '<p>[redacted] and [redacted]</p>')
  assert.equal((await readFile(path.join(run, 'trials', 'a', '1.png'))).equals(picture), true)
  assert.equal(await readFile(path.join(folder, 'outside.json'), 'utf8'), secret)
  await redactRunFolder(path.join(folder, 'nowhere'), createRedactor([secret]))
  await rm(folder, { recursive: true })
})
