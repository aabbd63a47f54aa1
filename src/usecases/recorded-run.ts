import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import { readRecords } from '../records/read-records.ts'
import { RunFolder } from '../records/run-folder.ts'
import { resultsSchema } from './results-schema.ts'

/** A run that was made before, as its folder holds it. */
export interface RecordedRun {
  readonly folder: RunFolder
  /** Null when the run was interrupted before its verdict. */
  readonly results: Results | null
  readonly records: readonly TrialRecord[]
}

/** Problems shown of a broken file; one fault tends to bring many. */
const MOST_PROBLEMS = 10

/**
 * Reads and validates a run folder. Records come from `records.jsonl`, else from the results.
 * @throws UserError when the folder holds no run, or a file that this version cannot read
 */
export async function readRecordedRun(path: string): Promise<RecordedRun> {
  const folder = new RunFolder(path)
  const results = await readResults(folder)
  if (await exists(folder.recordsFile)) return { folder, results, records: await readRecords(folder.recordsFile) }
  if (results !== null) return { folder, results, records: results.trials }
  const message = (await exists(path))
    ? 'holds no run: there is neither results.json nor records.jsonl; give the folder that "run" wrote (its --output-folder)'
    : 'does not exist; give the folder that "run" wrote (its --output-folder)'
  throw new UserError([{ where: path, at: '', message }])
}

/**
 * The results of a run; null when there are none.
 * @throws UserError when they cannot be read
 */
async function readResults(folder: RunFolder): Promise<Results | null> {
  const text = await folder.read('results.json')
  if (text === null) return null
  const where = join(folder.path, 'results.json')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError([{ where, at: '', message: `is no JSON: ${error instanceof Error ? error.message : String(error)}` }])
  }
  validate ??= compile()
  if (validate(value)) return value
  const problems = (validate.errors ?? []).slice(0, MOST_PROBLEMS)
  throw new UserError(
    problems.map(({ instancePath: at, message }) => ({ where, at, message: message ?? 'is not what this version writes' })),
  )
}

let validate: ValidateFunction<Results> | undefined

function compile(): ValidateFunction<Results> {
  const ajv = new Ajv({ allErrors: false, allowUnionTypes: true, strictTypes: false })
  formats.default(ajv)
  return ajv.compile<Results>(resultsSchema)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
