import type { GitHub } from './client.ts'
import { readTrouble } from './trouble.ts'

export interface Picture {
  /** What the renderer knows it by. */
  readonly key: string
  /** Name in the branch: letters, digits, `_ . -`. */
  readonly name: string
  readonly png: Uint8Array
}

export interface PicturePlan {
  /** Ours alone: it is replaced. */
  readonly branch: string
  readonly pictures: readonly Picture[]
}

/** Public addresses by key. */
export type PictureAddresses = Readonly<Record<string, string>>

/** Where github.com serves files of public repositories; GHES and private repositories have no such place. */
const RAW = 'https://raw.githubusercontent.com'

/**
 * Puts the pictures on a branch without history, as one root commit in place of what stood there, so that it never grows. The addresses are pinned
 * to that commit. Throws what octokit throws.
 */
export async function publishPictures(github: GitHub, { branch, pictures }: PicturePlan): Promise<PictureAddresses> {
  const { git } = github.octokit.rest
  const tree: { path: string; mode: '100644'; type: 'blob'; sha: string }[] = []
  for (const { name, png } of pictures) {
    const content = Buffer.from(png).toString('base64')
    const { data } = await git.createBlob({ ...github.repo, content, encoding: 'base64' })
    tree.push({ path: name, mode: '100644', type: 'blob', sha: data.sha })
  }
  const { data: made } = await git.createTree({ ...github.repo, tree })
  const message = 'Screenshots of failing trials, shown in a pull request comment'
  const { data: commit } = await git.createCommit({ ...github.repo, message, tree: made.sha, parents: [] })
  await pointAt(github, branch, commit.sha)
  const { owner, repo } = github.repo
  return Object.fromEntries(pictures.map(({ key, name }) => [key, `${RAW}/${owner}/${repo}/${commit.sha}/${name}`]))
}

/** A new root is no descendant of the old one, so an update has to be forced. */
async function pointAt(github: GitHub, branch: string, sha: string): Promise<void> {
  const { git } = github.octokit.rest
  try {
    await git.createRef({ ...github.repo, ref: `refs/heads/${branch}`, sha })
  } catch (error) {
    if (readTrouble(error).status !== 422) throw error
    await git.updateRef({ ...github.repo, ref: `heads/${branch}`, sha, force: true })
  }
}
