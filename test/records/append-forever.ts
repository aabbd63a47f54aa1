// Run as a child process and killed: appends records until it dies, naming each one that `append` has promised.
import { openRecordLog } from '../../src/records/record-log.ts'
import { makeRecord } from './make-record.ts'

const log = await openRecordLog(process.argv[2] ?? '')
for (let index = 0; ; index += 1) {
  // Long lines, so that the kill has a good chance to tear one.
  await log.append(makeRecord('a', index, { detail: 'é'.repeat(200_000) }))
  process.stdout.write(`${index}\n`)
}
