import pRetry from 'p-retry'
import { InfraError } from '../model/errors.ts'
import type { BaselineFile } from '../model/baseline.ts'
import { formatBaselineFile, parseBaselineFile } from './baseline-file.ts'

/** Where a baseline stands and can be changed: a branch by git, or GitHub's contents API. */
export interface BaselineStore {
  /** For messages, e.g. `baselines/regression.json on main`. */
  readonly name: string
  /** What stands now. `version` is the precondition of a write. */
  read(): Promise<{ readonly text: string | null; readonly version: string }>
  /** Writes only when `version` still stands. Throws UserError when writing is not allowed at all. */
  write(
    text: string,
    version: string,
    message: string,
  ): Promise<{ readonly kind: 'written'; readonly commit: string } | { readonly kind: 'moved' }>
  /** Which of `commits` come after `commit`. */
  newerThan(commit: string, commits: readonly string[]): Promise<ReadonlySet<string>>
}

/** What to do with the baseline that stands. */
export type BaselineChange = { readonly kind: 'write'; readonly file: BaselineFile } | { readonly kind: 'leave' }

export type StoreOutcome = { readonly kind: 'written'; readonly commit: string } | { readonly kind: 'unchanged' }

export interface RefreshPlan {
  readonly message: string
  /** Called again on what another writer has left. */
  readonly change: (standing: BaselineFile | null) => Promise<BaselineChange> | BaselineChange
  /** Further tries after the first; 8 unless told. */
  readonly retries?: number
  /** Shortest wait between tries, ms; grows and is jittered. */
  readonly min_wait_ms?: number
}

/**
 * Changes the baseline with a precondition: when somebody else was faster, reads again, applies the change to what now stands and tries
 * again after a jittered wait. Nothing is ever forced. Throws InfraError when it stays busy.
 */
export async function refreshThrough(store: BaselineStore, plan: RefreshPlan): Promise<StoreOutcome> {
  const attempt = async (): Promise<StoreOutcome> => {
    const { text, version } = await store.read()
    const change = await plan.change(text === null ? null : parseBaselineFile(text, store.name))
    if (change.kind === 'leave') return { kind: 'unchanged' }
    const wanted = formatBaselineFile(change.file)
    if (wanted === text) return { kind: 'unchanged' }
    const written = await store.write(wanted, version, plan.message)
    if (written.kind === 'moved') throw new InfraError('harness_error', `${store.name} kept being changed by others; refresh again later.`)
    return written
  }
  return pRetry(attempt, {
    retries: plan.retries ?? 8,
    minTimeout: plan.min_wait_ms ?? 500,
    factor: 1.5,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof InfraError,
  })
}
