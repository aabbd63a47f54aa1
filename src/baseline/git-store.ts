import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../model/errors.ts'
import { isShallow, openGit, readAt, type Git } from './git.ts'
import type { BaselineStore } from './refresh-store.ts'

export interface GitStoreSettings {
  readonly repo_folder: string
  readonly branch: string
  /** Inside the repository. */
  readonly path: string
  readonly author: { readonly name: string; readonly email: string }
  readonly remote?: string
}

/** How far back a shallow clone is deepened, so that commits named in the baseline can be put in order. */
const DEPTH = '500'

/**
 * The baseline on a branch of a remote. Commits are made in a work tree of their own, so the checkout is never touched; the push is never
 * forced, so it succeeds only on top of what was read.
 */
export async function gitStore(settings: GitStoreSettings): Promise<BaselineStore> {
  const git = await openGit(settings.repo_folder)
  const { branch, path, author } = settings
  const remote = settings.remote ?? 'origin'
  return {
    name: `${path} on ${branch}`,
    async read() {
      const tip = await fetchTip(git, remote, branch)
      return { text: await readAt(git, tip, path), version: tip }
    },
    async write(text, version, message) {
      await using tree = await detachedTree(git, version)
      await mkdir(dirname(join(tree.folder, path)), { recursive: true })
      await writeFile(join(tree.folder, path), text)
      const inTree = await openGit(tree.folder)
      await inTree.run('read-tree', 'HEAD')
      await inTree.run('add', '--', path)
      const identity = ['-c', `user.name=${author.name}`, '-c', `user.email=${author.email}`]
      await inTree.run(...identity, 'commit', '--quiet', '--no-verify', '--message', message)
      const commit = (await inTree.run('rev-parse', 'HEAD')).trim()
      try {
        await inTree.run('push', '--quiet', remote, `${commit}:refs/heads/${branch}`)
      } catch (error) {
        return explainRefusal(error, branch)
      }
      return { kind: 'written', commit }
    },
    async newerThan(commit, commits) {
      const newer = new Set<string>()
      for (const other of commits) {
        if (other === commit) continue
        // Nothing of `commit` lies outside of `other`: it is an ancestor. Unknown commits make git fail, and count as not newer.
        if ((await git.attempt('rev-list', '--count', commit, `^${other}`)) === '0') newer.add(other)
      }
      return newer
    },
  }
}

async function fetchTip(git: Git, remote: string, branch: string): Promise<string> {
  const depth = (await isShallow(git)) ? [`--depth=${DEPTH}`] : []
  const remembered = `refs/genui-eval/${branch}`
  try {
    await git.run('fetch', '--quiet', '--no-tags', ...depth, remote, `+refs/heads/${branch}:${remembered}`)
  } catch (error) {
    throw new UserError([{ where: remote, at: branch, message: `cannot be fetched: ${firstLine(error)}` }])
  }
  return (await git.run('rev-parse', remembered)).trim()
}

async function detachedTree(git: Git, commit: string): Promise<{ folder: string } & AsyncDisposable> {
  const parent = await mkdtemp(join(tmpdir(), 'genui-baseline-'))
  const folder = join(parent, 'tree')
  await git.run('worktree', 'add', '--quiet', '--detach', '--no-checkout', folder, commit)
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await git.attempt('worktree', 'remove', '--force', folder)
      await rm(parent, { recursive: true, force: true })
    },
  }
}

const MOVED = /non-fast-forward|fetch first|failed to update ref|cannot lock ref|incorrect old value|stale info|reference already exists/i

function explainRefusal(error: unknown, branch: string): { kind: 'moved' } {
  const text = error instanceof Error ? error.message : String(error)
  if (MOVED.test(text)) return { kind: 'moved' }
  throw new UserError([
    {
      where: branch,
      at: '',
      message: `refused the push (${firstLine(error)}). Give the job contents: write, or refresh by pull request when the branch is protected.`,
    },
  ])
}

function firstLine(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n').map((line) => line.trim())
  return lines.find((line) => /rejected|fatal|error|GH0/i.test(line)) ?? lines[0] ?? ''
}
