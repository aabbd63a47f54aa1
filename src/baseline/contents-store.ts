import type { BaselineStore } from './refresh-store.ts'

/** The little of GitHub's REST API that a refresh needs; the GitHub edge provides it. */
export interface ContentsApi {
  /** Text and blob SHA of a file on a branch; null when it is not there. */
  read(branch: string, path: string): Promise<{ readonly text: string; readonly blob_sha: string } | null>
  /** Writes when the file still has `blob_sha` (null = must not exist yet); `moved` on 409 and on 422 for a missing SHA. */
  write(change: {
    readonly branch: string
    readonly path: string
    readonly text: string
    readonly message: string
    readonly blob_sha: string | null
  }): Promise<{ readonly kind: 'written'; readonly commit: string } | { readonly kind: 'moved' }>
  /** Whether `later` has `earlier` among its ancestors. */
  isAncestor(earlier: string, later: string): Promise<boolean>
}

const NO_FILE = ''

/** The baseline through GitHub's contents API: no checkout, no push credentials, commits signed by GitHub. */
export function contentsStore(api: ContentsApi, branch: string, path: string): BaselineStore {
  return {
    name: `${path} on ${branch}`,
    async read() {
      const file = await api.read(branch, path)
      return file === null ? { text: null, version: NO_FILE } : { text: file.text, version: file.blob_sha }
    },
    async write(text, version, message) {
      return api.write({ branch, path, text, message, blob_sha: version === NO_FILE ? null : version })
    },
    async newerThan(commit, commits) {
      const newer = new Set<string>()
      for (const other of commits) {
        if (other !== commit && (await api.isAncestor(commit, other))) newer.add(other)
      }
      return newer
    },
  }
}
