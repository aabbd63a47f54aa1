import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { ensureCommit, openGit } from './git.ts'

const execute = promisify(execFile)

/** A folder as a commit holds it, in a place of its own; disposing removes it. */
export interface ExportedFolder extends AsyncDisposable {
  readonly kind: 'exported'
  /** Absolute; its last part is the name that the folder has in the checkout. */
  readonly folder: string
}

export type FolderExport = ExportedFolder | { readonly kind: 'absent'; readonly why: string }

/**
 * Writes `folder` of the checkout, as `commit` holds it, to a temporary folder. Neither working tree, index nor worktree list of the
 * repository is touched: the files go through an index of their own. A commit that a shallow clone lacks is fetched. Throws UserError when
 * `repo_folder` is no repository.
 */
export async function exportFolder(question: {
  readonly repo_folder: string
  readonly commit: string
  readonly folder: string
  readonly remote?: string
}): Promise<FolderExport> {
  const { commit, repo_folder: repoFolder, remote = 'origin' } = question
  const git = await openGit(repoFolder)
  const top = await realpath((await git.run('rev-parse', '--show-toplevel')).trim())
  const folder = await realpath(question.folder)
  const path = relative(top, folder)
  if (path.startsWith('..') || isAbsolute(path)) return { kind: 'absent', why: `${question.folder} lies outside of the repository` }
  if (!(await ensureCommit(git, commit, remote))) {
    return { kind: 'absent', why: `commit ${commit.slice(0, 10)} is neither in the checkout nor on ${remote}` }
  }
  const tree = `${commit}:${path.split(sep).join('/')}`
  if ((await git.attempt('cat-file', '-t', tree)) !== 'tree') {
    return { kind: 'absent', why: `commit ${commit.slice(0, 10)} has no folder ${path}` }
  }
  const root = await mkdtemp(join(tmpdir(), 'genui-base-'))
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 3 })
  const target = join(root, basename(folder))
  try {
    await mkdir(target)
    const options = { cwd: top, env: { ...process.env, GIT_INDEX_FILE: join(root, 'index') } }
    await execute('git', ['read-tree', tree], options)
    await execute('git', ['checkout-index', '--all', `--prefix=${target}${sep}`], options)
  } catch (error) {
    await remove()
    throw error
  }
  return { kind: 'exported', folder: target, [Symbol.asyncDispose]: remove }
}
