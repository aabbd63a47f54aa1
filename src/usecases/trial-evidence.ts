import { createHash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { AgentResult } from '../model/agent.ts'
import type { RunConfig } from '../model/config.ts'
import type { FinalState, Fingerprint, TrialRecord } from '../model/record.ts'
import type { MicroApp } from '../model/transcript.ts'

/** What a record says of its making beside grades and spending. Parts that nobody can know, of a replay for instance, are left out. */
export type TrialEvidence = Partial<Pick<TrialRecord, 'wire' | 'settings_hash' | 'final_state'>>

/** Most files of the agent's working folder that are named in a record. */
const MOST_FILES = 100
/** Larger files are named without a digest, bytes. */
const LARGEST_DIGESTED = 32 * 1024 * 1024
/** Longest final text in a record, characters; the transcript has all of it. */
const FINAL_TEXT = 4000

/** What a trial left behind: how the agent ended, its last words, its app, and the files in its working folder before that is removed. */
export async function finalState(result: AgentResult, app: MicroApp | null, scratch: string): Promise<FinalState> {
  return {
    agent: result.status,
    final_text: result.transcript.final_text.slice(0, FINAL_TEXT),
    app: app === null ? null : { from: app.from, bytes: Buffer.byteLength(app.html), sha256: sha256(app.html) },
    files: await filesIn(join(scratch, 'work')),
  }
}

async function filesIn(folder: string): Promise<FinalState['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files
      .sort()
      .slice(0, MOST_FILES)
      .map((file) => describeFile(file, folder)),
  )
}

async function describeFile(file: string, folder: string): Promise<FinalState['files'][number]> {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  const content = size > LARGEST_DIGESTED ? null : await readFile(file).catch(() => null)
  return { path: relative(folder, file).replaceAll('\\', '/'), bytes: size, sha256: content === null ? null : sha256(content) }
}

/** One hash of all that was set for a trial except the build under test and the seed: records with the same hash were made alike. */
export function settingsHash({ model, budget }: Pick<RunConfig, 'model' | 'budget'>, fingerprint: Fingerprint, taskDigest: string): string {
  const limits = { trial_seconds: budget.trial_seconds, model_calls: budget.model_calls }
  return sha256(JSON.stringify(sorted({ fingerprint, task: taskDigest, model, limits })))
}

/** Keys in order, so that the order in which a config was written does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
