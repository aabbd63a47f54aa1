import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrialRecord } from '../model/record.ts'

/** Append-only log of finished trials: `records.jsonl` in the run folder. */
export interface RecordLog {
  /** Resolves when the record is on the disk (fsync). Calls are carried out one after another, in the order they were made. */
  append(record: TrialRecord): Promise<void>
  /** Waits for what was asked for and closes the file. */
  close(): Promise<void>
}

const NEWLINE = 0x0a

/** Opens the log for appending, after healing the last line of a run that was killed while it wrote. The folder must exist. */
export async function openRecordLog(runFolder: string): Promise<RecordLog> {
  const file = await open(join(runFolder, 'records.jsonl'), 'a+')
  try {
    await healLastLine(file)
  } catch (error) {
    await file.close()
    throw error
  }
  let queue: Promise<void> = Promise.resolve()
  return {
    append(record) {
      const line = `${JSON.stringify(record)}\n`
      const written = queue.then(async () => {
        await file.appendFile(line)
        await file.datasync()
      })
      // One failed write must not block the ones after it; its own caller hears of it.
      queue = written.catch(() => {})
      return written
    },
    async close() {
      await queue
      await file.close()
    },
  }
}

/** A last line without its end is completed when it is whole JSON, and cut off when it is torn: the next record starts on a line of its own. */
async function healLastLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  if (size === 0) return
  const tail = await readBackToNewline(file, size)
  if (tail.length === 0) return
  if (isWholeJson(tail.toString('utf8'))) await file.appendFile('\n')
  else await file.truncate(size - tail.length)
  await file.datasync()
}

/** Bytes after the last newline. */
async function readBackToNewline(file: FileHandle, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let end = size
  while (end > 0) {
    const length = Math.min(65_536, end)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, end - length)
    const newline = buffer.lastIndexOf(NEWLINE)
    parts.unshift(buffer.subarray(newline + 1))
    if (newline !== -1) break
    end -= length
  }
  return Buffer.concat(parts)
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
