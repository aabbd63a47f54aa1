import type { GitHub } from './client.ts'
import { UserError } from '../model/errors.ts'
import { explainTrouble, readTrouble } from './trouble.ts'

export interface RemoteFile {
  readonly text: string
  /** Precondition of an update. */
  readonly blob_sha: string
}

/** A text file at a branch, tag or commit; null when it does not exist there. Throws when it is larger than 1 MB or no file. */
export async function readRemoteFile(github: GitHub, ref: string, path: string): Promise<RemoteFile | null> {
  try {
    const { data } = await github.octokit.rest.repos.getContent({ ...github.repo, path, ref })
    if (Array.isArray(data) || data.type !== 'file' || !('content' in data)) throw new Error(`${path} is not a file at ${ref}`)
    if (data.encoding !== 'base64') throw new Error(`${path} is larger than 1 MB at ${ref}`)
    return { text: Buffer.from(data.content, 'base64').toString('utf8'), blob_sha: data.sha }
  } catch (error) {
    if (readTrouble(error).status === 404) return null
    throw error
  }
}

/** A commit of one file, which succeeds only while the file still is what was read. */
export interface FileChange {
  readonly branch: string
  readonly path: string
  readonly text: string
  readonly message: string
  /** The blob that must stand; null = the file must not exist yet. */
  readonly blob_sha: string | null
}

export type FileOutcome =
  | { readonly kind: 'written'; readonly commit: string }
  /** Somebody else was faster, or no answer came: read again and see. */
  | { readonly kind: 'moved' }

/** Writes a file by commit. Throws UserError when it may not be written at all. */
async function writeRemoteFile(github: GitHub, change: FileChange, read_only_why: string | null): Promise<FileOutcome> {
  const { branch, path, text, message, blob_sha } = change
  try {
    const { data } = await github.octokit.rest.repos.createOrUpdateFileContents({
      ...github.repo,
      path,
      branch,
      message,
      content: Buffer.from(text, 'utf8').toString('base64'),
      ...(blob_sha === null ? {} : { sha: blob_sha }),
    })
    return { kind: 'written', commit: data.commit.sha ?? '' }
  } catch (error) {
    if (/rule violation|protected branch|protected ref/i.test(readTrouble(error).message)) {
      throw new UserError([{ where: branch, at: '', message: 'is protected against commits of this token: refresh by pull request' }])
    }
    if (isConflict(error)) return { kind: 'moved' }
    throw new UserError(explainTrouble('baseline file', error, read_only_why))
  }
}

/** 409: the branch or blob moved; 422: the file came to be meanwhile and the sha is missing; 5xx or silence: look again what arrived. */
function isConflict(error: unknown): boolean {
  const { status, message } = readTrouble(error)
  return status === 409 || (status === 422 && /sha/i.test(message)) || status === null || status >= 500
}

/** Whether `later` has `earlier` among its ancestors. Branches or commits; false when one of them is unknown. */
export async function isAncestor(github: GitHub, earlier: string, later: string): Promise<boolean> {
  try {
    const request = { ...github.repo, basehead: `${earlier}...${later}`, per_page: 1 }
    const { data } = await github.octokit.rest.repos.compareCommitsWithBasehead(request)
    return data.status === 'ahead' || data.status === 'identical'
  } catch (error) {
    const { status } = readTrouble(error)
    if (status === 404 || status === 422) return false
    throw error
  }
}

/** The repository's files, as a store of baselines wants them. */
export function contentsOf(github: GitHub, read_only_why: string | null) {
  return {
    read: (branch: string, path: string) => readRemoteFile(github, branch, path),
    write: (change: FileChange) => writeRemoteFile(github, change, read_only_why),
    isAncestor: (earlier: string, later: string) => isAncestor(github, earlier, later),
  }
}
