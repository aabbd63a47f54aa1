import { join } from 'node:path'
import type { DownloadedArtifact } from '../github/downloads.ts'
import { UserError } from '../model/errors.ts'
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import type { Problem } from '../model/schema.ts'
import type { LoadedTask, Suite } from '../model/task.ts'
import { readRecords } from '../records/read-records.ts'

/** Caps of an artifact that holds nothing but records. */
export const FOREIGN_LIMITS = { archive_bytes: 20 * 2 ** 20, files: 4, file_bytes: 64 * 2 ** 20, bytes: 64 * 2 ** 20 } as const
const MOST_RECORDS = 20_000

/** A stranger's records, checked as far as they can be checked. That the trials were really made, nobody can check. */
export interface ForeignRecords {
  readonly records: readonly TrialRecord[]
  readonly fingerprint: Fingerprint
  readonly digests: ReadonlyMap<string, string>
  /** Tasks of the records that the trusted suite does not have; left out. */
  readonly unknown_tasks: readonly string[]
  /** Trials whose verdict their own checks contradict; counted as failed. */
  readonly contradicted: number
}

/**
 * Reads the records of an artifact that anybody may have made. Each must fit the schema and be named after its task and number, once; all must
 * agree on fingerprint and task digests. Paths to files are dropped: nothing that they name is opened. Throws UserError on the first offence.
 */
export async function readForeignRecords(
  artifact: DownloadedArtifact,
  suite: Suite,
  tasks: readonly LoadedTask[],
): Promise<ForeignRecords> {
  const refuse = (message: string) => new UserError([{ where: 'the uploaded records', at: '', message }])
  if (!artifact.files.includes('records.jsonl')) throw refuse('are not in the artifact')
  const both = await readRecords(join(artifact.folder, 'records.jsonl')).catch((error: unknown) => {
    throw error instanceof UserError ? refuse(`are refused: ${placesOf(error.problems)}`) : error
  })
  // the base build of a paired run is the stranger's too: the stored baseline counts here
  const all = both.filter((record) => record.arm === 'head')
  const [first] = all
  if (first === undefined) throw refuse('hold no trial')
  if (both.length > MOST_RECORDS) throw refuse(`hold more than ${MOST_RECORDS} trials`)
  const misnamed = all.filter((record) => record.trial_id !== `${record.task_id}-head-${record.index}`)
  if (misnamed.length > 0) throw refuse(`hold ${misnamed.length} trials that are not called after task and number`)
  if (all.some((record) => record.suite !== suite)) throw refuse(`are of another suite than ${suite}`)
  const print = JSON.stringify(first.fingerprint)
  if (all.some((record) => JSON.stringify(record.fingerprint) !== print)) throw refuse('were made under different conditions')
  const known = new Set(tasks.map(({ task }) => task.task_id))
  const counted = all.filter((record) => known.has(record.task_id))
  const digests = new Map(counted.map((record) => [record.task_id, record.task_digest]))
  if (counted.some((record) => digests.get(record.task_id) !== record.task_digest)) throw refuse('mix versions of a task')
  const contradicted = counted.filter(contradictsItself).length
  return {
    records: counted.map(withoutFiles).map((record) => (contradictsItself(record) ? asFailed(record) : record)),
    fingerprint: first.fingerprint,
    digests,
    unknown_tasks: [...new Set(all.map((record) => record.task_id).filter((id) => !known.has(id)))].sort(),
    contradicted,
  }
}

/** A pass needs checks, and none of those that decide may have failed. */
function contradictsItself({ verdict, checks }: TrialRecord): boolean {
  const deciding = checks.filter((check) => !check.diagnostic)
  return verdict === 'pass' && (!deciding.some((check) => check.status === 'pass') || deciding.some((check) => check.status === 'fail'))
}

function asFailed(record: TrialRecord): TrialRecord {
  const failed = record.checks.find((check) => check.status === 'fail' && !check.diagnostic)
  return {
    ...record,
    verdict: 'fail',
    failure_class: failed?.failure_class ?? 'agent_error',
    detail: failed?.evidence.message ?? 'The record says pass without a check that passed.',
  }
}

function withoutFiles(record: TrialRecord): TrialRecord {
  return { ...record, screenshots: [], transcript_file: null, app_file: null }
}

/** Lines and reasons without the path of our own download. */
function placesOf(problems: readonly Problem[]): string {
  return problems
    .slice(0, 3)
    .map(({ at, message }) => `${at} ${message}`)
    .join('; ')
}
