import type { BaseEvent } from '../baseline/base-commit.ts'
import { ensureCommit, openGit } from '../baseline/git.ts'
import type { EventFacts } from '../github/event.ts'
import type { RunConfig } from '../model/config.ts'

/** What the event says of the base, in the words of the baseline edge. */
export function baseEventOf(event: EventFacts): BaseEvent {
  const { base_sha: base, base_ref: ref, head_sha: head } = event
  if (event.kind === 'pull_request' && base !== null && ref !== null)
    return { kind: 'pull_request', base_sha: base, base_ref: ref, head_sha: head }
  if (event.kind === 'merge_group' && base !== null && ref !== null) return { kind: 'merge_group', base_sha: base, base_ref: ref }
  return event.kind === 'push' ? { kind: 'push' } : { kind: 'local' }
}

/**
 * The config with the base that the event names beyond what git tells: a push is held against what the branch was before, all its commits
 * together, unless the user names a base or the old tip is gone (a new branch, a forced push); then its first parent counts.
 */
export async function withEventBase(config: RunConfig, event: EventFacts, workspace: string | null): Promise<RunConfig> {
  if (event.kind !== 'push' || event.base_sha === null || config.base_ref !== null || workspace === null) return config
  const reachable = await openGit(workspace).then(
    (git) => ensureCommit(git, event.base_sha ?? '', 'origin'),
    () => false,
  )
  return reachable ? { ...config, base_ref: event.base_sha } : config
}
