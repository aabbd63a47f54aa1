import { randomUUID } from 'node:crypto'
import { rename } from 'node:fs/promises'
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import type { LoadedTask } from '../model/task.ts'
import { readRecords } from '../records/read-records.ts'
import { RunFolder } from '../records/run-folder.ts'

const MANIFEST = 'run.json'

/** What makes a run the same run: only then are its records carried on. */
export interface RunIdentity {
  readonly suite: string
  readonly seed: number
  readonly plugin_digest: string
  readonly fingerprint: Fingerprint
  /** Digest by task id. */
  readonly tasks: Readonly<Record<string, string>>
}

export interface RunStart {
  readonly run_id: string
  readonly folder: RunFolder
  readonly started_at: string
  /** Scored trials of an interrupted run; empty for a new one. */
  readonly kept: readonly TrialRecord[]
  /** What became of what lay in the folder; null when it was empty. */
  readonly remark: string | null
}

/**
 * Opens the run folder. An interrupted run of the same identity goes on with only its unscored trials, so nothing is billed twice;
 * a finished one is replaced; an interrupted run of another identity is moved aside, never lost.
 */
export async function startRun(path: string, identity: RunIdentity, fresh: boolean, now: string): Promise<RunStart> {
  const folder = new RunFolder(path)
  const found = await folder.read(MANIFEST)
  const same = found !== null && sameIdentity(found, identity)
  const finished = (await folder.read('results.json')) !== null
  if (found !== null && same && !finished && !fresh) {
    const kept = scoredTrials(await readRecords(folder.recordsFile))
    const manifest: { run_id: string; started_at: string } = JSON.parse(found)
    return { ...manifest, folder, kept, remark: `going on with an interrupted run: ${kept.length} trials are scored already` }
  }
  const interrupted = found !== null && !finished && !fresh
  const remark = await clearFolder(folder, interrupted ? `${path}-interrupted-${now.replaceAll(/[^0-9]/g, '')}` : null)
  await folder.create()
  const run = { run_id: randomUUID(), started_at: now }
  await folder.write(MANIFEST, `${JSON.stringify({ ...run, identity }, null, 1)}\n`)
  return { ...run, folder, kept: [], remark }
}

function sameIdentity(manifest: string, identity: RunIdentity): boolean {
  try {
    const { identity: stored }: { identity?: unknown } = JSON.parse(manifest)
    return JSON.stringify(stored) === JSON.stringify(identity)
  } catch {
    return false
  }
}

async function clearFolder(folder: RunFolder, aside: string | null): Promise<string | null> {
  if (aside === null) {
    await folder.clear()
    return null
  }
  await rename(folder.path, aside)
  return `an interrupted run with other settings lay here; it was moved to ${aside}`
}

function scoredTrials(records: readonly TrialRecord[]): TrialRecord[] {
  return records.filter((record) => record.verdict !== 'infra')
}

/** Digest by task id, sorted, for the identity. */
export function taskDigests(tasks: readonly LoadedTask[]): Record<string, string> {
  return Object.fromEntries(tasks.map((task) => [task.task.task_id, task.digest]))
}
