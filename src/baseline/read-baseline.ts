import type { BaselineFile, QuarantineFile } from '../model/baseline.ts'
import { UserError } from '../model/errors.ts'
import type { BaselineOrigin } from '../model/results.ts'
import { parseBaselineFile, parseQuarantineFile } from './baseline-file.ts'
import type { BaseCommit } from './base-commit.ts'
import { ensureCommit, mergeBase, openGit, parentsOf, readAt } from './git.ts'

/** Lies beside the baseline, in the base commit. */
export const QUARANTINE_FILE = 'quarantine.json'

export interface BaselineQuestion {
  readonly repo_folder: string
  readonly base: BaseCommit
  /** Inside the repository, e.g. `baselines/regression.json`. */
  readonly path: string
  readonly remote?: string
}

export interface BaselineAnswer {
  /** Null when there is none; `origin` then says why. */
  readonly file: BaselineFile | null
  readonly origin: BaselineOrigin
}

/**
 * Reads the baseline out of the base commit, never from the working tree; a commit that a shallow clone lacks is fetched. When the base has
 * none, the first fallback that has one stands in, and the origin says so. Throws UserError when a baseline is there but cannot be read.
 */
export async function readBaselineAt(question: BaselineQuestion): Promise<BaselineAnswer> {
  const { base } = question
  const path = insideRepository(question.path)
  if (base.kind === 'none') return { file: null, origin: { kind: 'none', why: `there is no base commit: ${base.why}` } }
  const git = await openGit(question.repo_folder)
  const remote = question.remote ?? 'origin'
  const reachable = await ensureCommit(git, base.commit, remote)
  const text = reachable ? await readAt(git, base.commit, path) : null
  if (text !== null) {
    const origin: BaselineOrigin = { kind: 'base_commit', commit: base.commit, path }
    return { file: parseBaselineFile(text, placeOf(base.commit, path)), origin }
  }
  const why = reachable
    ? `commit ${short(base.commit)} has no ${path}`
    : `commit ${short(base.commit)} is neither in the checkout nor on ${remote}`
  for (const { commit, what } of base.fallbacks) {
    if (commit === base.commit || !(await ensureCommit(git, commit, remote))) continue
    const standIn = await readAt(git, commit, path)
    if (standIn === null) continue
    const origin: BaselineOrigin = { kind: 'stand_in', commit, path, why: `${why}; ${what} stands in` }
    return { file: parseBaselineFile(standIn, placeOf(commit, path)), origin }
  }
  return { file: null, origin: { kind: 'none', why } }
}

/** A baseline file on disk, for local work. Throws UserError when it cannot be read. */
export async function readBaselineFile(file: string): Promise<BaselineAnswer> {
  const { readFile } = await import('node:fs/promises')
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new UserError([{ where: file, at: '', message: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }])
  }
  return { file: parseBaselineFile(text, file), origin: { kind: 'file', path: file } }
}

/** The quarantine list of the commit that the baseline came from; null when it has none. `path` is the baseline's. */
export async function readQuarantineAt(repoFolder: string, commit: string, path: string): Promise<QuarantineFile | null> {
  const git = await openGit(repoFolder)
  const beside = insideRepository(path).replace(/[^/]*$/, QUARANTINE_FILE)
  const text = await readAt(git, commit, beside)
  return text === null ? null : parseQuarantineFile(text, placeOf(commit, beside))
}

/**
 * Files under `folders` that the checked-out code changes against `base`: a pull request that edits its own exam. Against a base that is no
 * ancestor, what changed since the merge base counts.
 */
export async function changedExamFiles(
  repoFolder: string,
  base: string,
  head: string,
  folders: readonly string[] = ['baselines', 'tasks'],
  remote = 'origin',
): Promise<string[]> {
  const git = await openGit(repoFolder)
  if (!(await ensureCommit(git, base, remote))) return []
  const [firstParent] = await parentsOf(git, (await git.attempt('rev-parse', '--verify', '--quiet', `${head}^{commit}`)) ?? head)
  const from = firstParent === base ? base : ((await mergeBase(git, base, head, remote)) ?? base)
  const names = await git.attempt('diff', '--name-only', '--no-renames', '-z', from, head, '--', ...folders.map(insideRepository))
  return (names ?? '').split('\0').filter((name) => name !== '')
}

function insideRepository(path: string): string {
  const parts = path.split('/')
  if (path.startsWith('/') || path.startsWith('-') || path.startsWith(':') || parts.includes('..')) {
    throw new UserError([{ where: path, at: '', message: 'must be a path inside the repository, such as baselines/regression.json.' }])
  }
  return path
}

function placeOf(commit: string, path: string): string {
  return `${path} at ${short(commit)}`
}

function short(commit: string): string {
  return commit.slice(0, 10)
}
