import type { SimpleGit } from 'simple-git'
import { UserError } from '../model/errors.ts'

/** Git in one repository. Arguments are passed as they are, never through a shell. */
export interface Git {
  /** Standard output; throws when git fails. */
  run(...args: string[]): Promise<string>
  /** Trimmed standard output, or null when git complains. A command that only exits with 1 and says nothing gives an empty string. */
  attempt(...args: string[]): Promise<string | null>
}

/** Opens the repository that holds `folder`. Throws UserError when there is none. */
export async function openGit(folder: string): Promise<Git> {
  const { simpleGit } = await import('simple-git')
  let git: SimpleGit
  try {
    git = simpleGit({ baseDir: folder, maxConcurrentProcesses: 2 })
  } catch (error) {
    throw new UserError([
      { where: folder, at: '', message: `cannot be used by git: ${error instanceof Error ? error.message : String(error)}` },
    ])
  }
  const run = async (...args: string[]): Promise<string> => git.raw(args)
  const opened: Git = {
    run,
    attempt: async (...args) => {
      try {
        return (await run(...args)).trim()
      } catch {
        return null
      }
    },
  }
  if ((await opened.attempt('rev-parse', '--git-dir')) === null) {
    throw new UserError([{ where: folder, at: '', message: 'is no git repository; check the code out, or name a baseline file.' }])
  }
  return opened
}

const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export function isSha(text: string): boolean {
  return FULL_SHA.test(text)
}

/** Whether the commit is here, after fetching it by its SHA from `remote` when it is not (shallow clones). */
export async function ensureCommit(git: Git, commit: string, remote: string): Promise<boolean> {
  if (!isSha(commit)) return false
  if (await hasCommit(git, commit)) return true
  // A depth would cut the history of a full clone.
  const depth = (await isShallow(git)) ? ['--depth=1'] : []
  await git.attempt('fetch', '--quiet', '--no-tags', ...depth, remote, commit)
  return hasCommit(git, commit)
}

export async function isShallow(git: Git): Promise<boolean> {
  return (await git.attempt('rev-parse', '--is-shallow-repository')) === 'true'
}

async function hasCommit(git: Git, commit: string): Promise<boolean> {
  return (await git.attempt('cat-file', '-t', commit)) === 'commit'
}

/** Parents as the commit itself names them; unlike `rev-list`, this sees them in a shallow clone too. */
export async function parentsOf(git: Git, commit: string): Promise<string[]> {
  const text = (await git.attempt('cat-file', 'commit', commit)) ?? ''
  const header = text.split('\n\n')[0] ?? ''
  return header.split('\n').flatMap((line) => (line.startsWith('parent ') ? [line.slice('parent '.length).trim()] : []))
}

/** A file of a commit, or null when the commit has none there. */
export async function readAt(git: Git, commit: string, path: string): Promise<string | null> {
  if ((await git.attempt('cat-file', '-t', `${commit}:${path}`)) !== 'blob') return null
  return git.run('show', `${commit}:${path}`)
}

/** Best common ancestor; a shallow clone is deepened from `remote` until one is found. Null when there is none. */
export async function mergeBase(git: Git, a: string, b: string, remote: string): Promise<string | null> {
  const known = await git.attempt('merge-base', a, b)
  if (known !== null && known !== '') return known
  if (!(await isShallow(git))) return null
  for (const depth of ['--deepen=50', '--deepen=500', '--unshallow']) {
    if ((await git.attempt('fetch', '--quiet', '--no-tags', depth, remote, a, b)) === null) return null
    const found = await git.attempt('merge-base', a, b)
    if (found !== null && found !== '') return found
  }
  return null
}
