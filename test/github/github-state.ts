import type { JsonObject } from './json.ts'

export interface StoredComment {
  readonly id: number
  readonly issue: number
  readonly login: string
  readonly type: 'User' | 'Bot'
  body: string
}

export interface StoredCheck {
  readonly id: number
  readonly name: string
  readonly head_sha: string
  readonly external_id: string
  status: string
  conclusion: string | null
  title: string
  summary: string
  annotations: JsonObject[]
  /** Number of annotations of each request that brought some. */
  readonly batches: number[]
}

export interface StoredPull {
  readonly number: number
  head_sha: string
  readonly head_ref: string
  readonly head_owner: string
  readonly head_repo_id: number
  readonly base_ref: string
  readonly base_sha: string
  readonly files: readonly string[]
  state: 'open' | 'closed'
}

export interface StoredStatus {
  readonly sha: string
  readonly state: string
  readonly context: string
  readonly description: string
}

export interface StoredArtifact {
  readonly id: number
  readonly run_id: number
  readonly name: string
  readonly blob: Uint8Array
  readonly expired: boolean
  /** Size that the list tells; a test may lie here. */
  readonly size: number
}

export interface GitHubState {
  viewer: string
  readonly repo_id: number
  /** What the token may do: `pull-requests: write` … */
  readonly permissions: Set<string>
  readonly comments: StoredComment[]
  readonly checks: StoredCheck[]
  readonly statuses: StoredStatus[]
  readonly pulls: StoredPull[]
  /** Branch → path → text. */
  readonly files: Map<string, Map<string, string>>
  /** Branch → commit. */
  readonly refs: Map<string, string>
  /** Commit → its parents. */
  readonly history: Map<string, readonly string[]>
  /** Git objects made through the API: blobs, and trees as path → blob; a tree and its commit share a name. */
  readonly blobs: Map<string, Uint8Array>
  readonly trees: Map<string, ReadonlyMap<string, string>>
  readonly artifacts: StoredArtifact[]
  nextId(): number
}

export const SHA = { base: 'b'.repeat(40), head: 'a'.repeat(40), newer: 'c'.repeat(40), merge: 'd'.repeat(40) } as const

export function newState(): GitHubState {
  let id = 1000
  return {
    viewer: 'github-actions[bot]',
    repo_id: 1,
    permissions: new Set(['pull-requests: write', 'checks: write', 'statuses: write', 'contents: write', 'actions: read']),
    comments: [],
    checks: [],
    statuses: [],
    pulls: [
      {
        number: 7,
        head_sha: SHA.head,
        head_ref: 'feature',
        head_owner: 'octo',
        head_repo_id: 1,
        base_ref: 'main',
        base_sha: SHA.base,
        files: ['plugin/SKILL.md'],
        state: 'open',
      },
    ],
    files: new Map([['main', new Map()]]),
    refs: new Map([['main', SHA.base]]),
    history: new Map([[SHA.base, []]]),
    blobs: new Map(),
    trees: new Map(),
    artifacts: [],
    nextId: () => (id += 1),
  }
}
