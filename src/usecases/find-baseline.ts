import { findBaseCommit, type BaseCommit, type BaseEvent } from '../baseline/base-commit.ts'
import { changedExamFiles, readBaselineAt, readBaselineFile, readQuarantineAt } from '../baseline/read-baseline.ts'
import type { BaselineFile, QuarantineFile } from '../model/baseline.ts'
import type { RunConfig } from '../model/config.ts'
import type { BaselineOrigin } from '../model/results.ts'
import { join, relative, sep } from 'node:path'
import { shortPath } from './repeat-command.ts'

/** What the run is held against, read before anything is spent. */
export interface FoundBaseline {
  readonly file: BaselineFile | null
  readonly origin: BaselineOrigin
  readonly quarantine: QuarantineFile | null
  /** Files of baselines and tasks that the change under test edits. */
  readonly exam_edits: readonly string[]
  /** The commit that this one is held against; absent where none was looked for. */
  readonly base?: BaseCommit
}

/** Reads baseline and quarantine out of the base commit, or a file on disk when the config names one. */
export async function findBaseline(config: RunConfig, repoFolder: string | null, event: BaseEvent): Promise<FoundBaseline> {
  if (config.baseline_file !== null) {
    const { file } = await readBaselineFile(config.baseline_file)
    const origin = { kind: 'file', path: shortPath(config.baseline_file) } as const
    return { file: restrictBaseline(file, config.task_ids), origin, quarantine: null, exam_edits: [] }
  }
  if (repoFolder === null) {
    const why = 'this folder is no git repository, so there is no base commit; name a file with --baseline-file'
    return { file: null, origin: { kind: 'none', why }, quarantine: null, exam_edits: [] }
  }
  const base = await findBaseCommit({ repo_folder: repoFolder, event, named: config.base_ref })
  const answer = await readBaselineAt({ repo_folder: repoFolder, base, path: config.baseline_path })
  const { origin } = answer
  const base_commit = base.kind === 'found' ? base.commit : null
  const from = origin.kind === 'base_commit' || origin.kind === 'stand_in' ? origin.commit : base_commit
  return {
    origin,
    file: restrictBaseline(answer.file, config.task_ids),
    quarantine: from === null ? null : await readQuarantineAt(repoFolder, from, config.baseline_path),
    exam_edits: await examEdits(config, repoFolder, base),
    base,
  }
}

/** A run of named tasks is held against those alone: the others were not removed, they were not asked for. */
export function restrictBaseline(file: BaselineFile | null, taskIds: readonly string[] | null): BaselineFile | null {
  if (file === null || taskIds === null) return file
  const asked = new Set(taskIds)
  return { ...file, tasks: Object.fromEntries(Object.entries(file.tasks).filter(([id]) => asked.has(id))) }
}

async function examEdits(config: RunConfig, repoFolder: string, base: BaseCommit): Promise<string[]> {
  if (base.kind === 'none') return []
  const tasks = relative(repoFolder, config.tasks_folder).split(sep).join('/')
  const inside = tasks !== '' && !tasks.startsWith('..') && !tasks.includes(':')
  const baselines = join(config.baseline_path, '..').split(sep).join('/')
  return changedExamFiles(repoFolder, base.commit, 'HEAD', inside ? [baselines, tasks] : [baselines])
}
