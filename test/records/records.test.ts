import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../src/model/errors.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { openRecordLog } from '../../src/records/record-log.ts'
import { makeRecord } from './make-record.ts'

async function inFolder(body: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'genui-records-'))
  try {
    await body(folder, join(folder, 'records.jsonl'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('what was appended is read back, in order, also when appended all at once', async () => {
  await inFolder(async (folder, file) => {
    const log = await openRecordLog(folder)
    const records = Array.from({ length: 20 }, (_, i) => makeRecord('a', i))
    await Promise.all(records.map((record) => log.append(record)))
    await log.close()
    assert.deepEqual(await readRecords(file), records)
  })
})

test('a child killed with SIGKILL while it appends leaves every promised record valid, and the log can go on', async () => {
  await inFolder(async (folder, file) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./append-forever.ts', import.meta.url)), folder])
    let said = ''
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', () => resolve())
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.split('\n').length > 6) child.kill('SIGKILL')
      })
    })
    const promised = said.split('\n').filter((line) => line !== '').length
    const left = await readRecords(file)
    assert.ok(promised >= 5 && left.length >= promised, `${left.length} records, ${promised} promised`)
    const log = await openRecordLog(folder)
    await log.append(makeRecord('b', 0))
    await log.close()
    assert.equal((await readRecords(file)).length, left.length + 1)
  })
})

test('a torn last line is left out when read and cut off on resume', async () => {
  await inFolder(async (folder, file) => {
    const first = makeRecord('a', 0)
    const torn = JSON.stringify(makeRecord('a', 1, { detail: 'ü'.repeat(70_000) })).slice(0, 70_001)
    await writeFile(file, `${JSON.stringify(first)}\n${torn}`)
    assert.deepEqual(await readRecords(file), [first])
    const log = await openRecordLog(folder)
    await log.append(makeRecord('a', 2))
    await log.close()
    assert.deepEqual(
      (await readRecords(file)).map(({ index }) => index),
      [0, 2],
    )
  })
})

test('a whole last line that only lacks its end is kept on resume', async () => {
  await inFolder(async (folder, file) => {
    await writeFile(file, JSON.stringify(makeRecord('a', 0)))
    const log = await openRecordLog(folder)
    await log.append(makeRecord('a', 1))
    await log.close()
    assert.equal((await readFile(file, 'utf8')).trimEnd().split('\n').length, 2)
    assert.equal((await readRecords(file)).length, 2)
  })
})

test('a broken line in the middle is refused with file and line', async () => {
  await inFolder(async (folder, file) => {
    await writeFile(file, `${JSON.stringify(makeRecord('a', 0))}\n{"schema":\n${JSON.stringify(makeRecord('a', 1))}\n`)
    await assert.rejects(
      readRecords(file),
      (error) => error instanceof UserError && error.message.includes(file) && error.message.includes('line 2'),
    )
    assert.ok(folder !== '')
  })
})

test('a line that is JSON but no record is refused, wherever it stands', async () => {
  await inFolder(async (_, file) => {
    await writeFile(file, `${JSON.stringify({ ...makeRecord('a', 0), verdict: 'maybe' })}\n`)
    await assert.rejects(readRecords(file), (error) => error instanceof UserError && /line 1.*\/verdict/.test(error.message))
  })
})

test('the last record of a trial wins', async () => {
  await inFolder(async (folder, file) => {
    const log = await openRecordLog(folder)
    await log.append(makeRecord('a', 0, { verdict: 'infra', infra_class: 'quota', score: null }))
    await log.append(makeRecord('a', 1))
    await log.append(makeRecord('a', 0, { attempts: 2 }))
    await log.close()
    const records = await readRecords(file)
    assert.deepEqual(
      records.map(({ trial_id: id, verdict, attempts }) => [id, verdict, attempts]),
      [
        ['a-head-0', 'pass', 2],
        ['a-head-1', 'pass', 1],
      ],
    )
  })
})

test('a log that is not there is one clear sentence', async () => {
  await assert.rejects(readRecords(join(tmpdir(), 'no-such-folder-xyz', 'records.jsonl')), UserError)
})

test('a blank file holds no records', async () => {
  await inFolder(async (folder, file) => {
    await (await openRecordLog(folder)).close()
    await appendFile(file, '')
    assert.deepEqual(await readRecords(file), [])
  })
})
