import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { UserError } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Problem } from '../model/schema.ts'
import { parseRecord } from './record-schema.ts'

const PROBLEMS_SHOWN = 20

/**
 * Reads a record log line by line. A torn last line (the run was killed while it wrote) is left out; a record that comes again under its
 * `trial_id` replaces the earlier one in its place. Throws UserError naming file and line for anything else that is no record.
 */
export async function readRecords(file: string): Promise<TrialRecord[]> {
  const records = new Map<string, TrialRecord>()
  const problems: Problem[] = []
  // A broken line counts only once another follows it: the last one may be torn.
  let torn: Problem | null = null
  let number = 0
  for await (const line of linesOf(file)) {
    number += 1
    if (line.trim() === '') continue
    if (torn !== null) problems.push(torn)
    torn = null
    const at = `line ${number}`
    const value = parseLine(line)
    if (value === undefined) {
      torn = {
        where: file,
        at,
        message: 'is no JSON; the file was damaged after it was written. Remove the line to go on without that trial.',
      }
      continue
    }
    const parsed = parseRecord(value)
    if (parsed.ok) records.set(parsed.record.trial_id, parsed.record)
    else problems.push({ where: file, at, message: `${parsed.problem}; this is no record that this version can read.` })
    if (problems.length >= PROBLEMS_SHOWN) break
  }
  if (problems.length > 0) throw new UserError(problems)
  return [...records.values()]
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, 'utf8')
  try {
    yield* createInterface({ input: stream, crlfDelay: Infinity })
  } catch (error) {
    throw new UserError([{ where: file, at: '', message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }])
  } finally {
    stream.destroy()
  }
}

function parseLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return value
  } catch {
    return undefined
  }
}
