import { openGit } from '../baseline/git.ts'

/** The checkout around a folder and its commit; nulls outside of git. */
export async function localRepository(folder: string): Promise<{ repo_folder: string | null; head_commit: string | null }> {
  try {
    const git = await openGit(folder)
    const top = await git.attempt('rev-parse', '--show-toplevel')
    return {
      repo_folder: top === null || top === '' ? null : top,
      head_commit: await git.attempt('rev-parse', '--verify', '--quiet', 'HEAD'),
    }
  } catch {
    return { repo_folder: null, head_commit: null }
  }
}
