import { ensureCommit, isSha, mergeBase, openGit, parentsOf, type Git } from './git.ts'

/** What the event says of the comparison, as far as it says it. */
export type BaseEvent =
  | {
      readonly kind: 'pull_request'
      /** Tip of the base branch when the event was sent. */
      readonly base_sha: string
      /** Name of the base branch. */
      readonly base_ref: string
      readonly head_sha: string
    }
  | { readonly kind: 'merge_group'; readonly base_sha: string; readonly base_ref: string }
  | { readonly kind: 'push' }
  /** A developer's machine, a schedule, a dispatch. */
  | { readonly kind: 'local' }

export interface BaseQuestion {
  readonly repo_folder: string
  readonly event: BaseEvent
  /** A commit or ref that the user names; goes before everything else. */
  readonly named: string | null
  readonly remote?: string
}

/** `fallbacks` are commits that may stand in, best first, when the base itself cannot be read or has no baseline. */
export type BaseCommit =
  | {
      readonly kind: 'found'
      readonly commit: string
      readonly how: 'named' | 'merge_first_parent' | 'merge_base' | 'event_base' | 'merge_group' | 'first_parent' | 'head'
      readonly fallbacks: readonly { readonly commit: string; readonly what: string }[]
    }
  | { readonly kind: 'none'; readonly why: string }

/**
 * Finds the commit whose baseline this checkout is to be held against: the state that the checked-out code was built upon.
 * - merge ref of a pull request: its first parent, the very main it was merged with, however far main has moved since;
 * - a pull request's own head, also of a fork with an old main or on top of a squashed branch: the merge base with the base branch;
 * - merge queue: the group's base; push: the first parent; otherwise the merge base with the default branch.
 * Throws UserError when the folder is no repository.
 */
export async function findBaseCommit(question: BaseQuestion): Promise<BaseCommit> {
  const git = await openGit(question.repo_folder)
  const remote = question.remote ?? 'origin'
  const head = await git.attempt('rev-parse', '--verify', '--quiet', 'HEAD')
  if (head === null || head === '') return { kind: 'none', why: 'the repository has no commit yet' }
  if (question.named !== null) return namedBase(git, question.named, remote)
  switch (question.event.kind) {
    case 'pull_request':
      return pullRequestBase(git, head, question.event, remote)
    case 'merge_group':
      return {
        kind: 'found',
        commit: question.event.base_sha,
        how: 'merge_group',
        fallbacks: await tipOf(git, question.event.base_ref, remote),
      }
    case 'push': {
      const [parent] = await parentsOf(git, head)
      return parent === undefined
        ? { kind: 'none', why: 'the pushed commit is the first one of the repository' }
        : { kind: 'found', commit: parent, how: 'first_parent', fallbacks: [] }
    }
    case 'local':
      return localBase(git, head, remote)
  }
}

async function namedBase(git: Git, named: string, remote: string): Promise<BaseCommit> {
  if (isSha(named)) {
    const found = await ensureCommit(git, named, remote)
    return found
      ? { kind: 'found', commit: named, how: 'named', fallbacks: [] }
      : { kind: 'none', why: `commit ${named} is neither in the checkout nor on ${remote}` }
  }
  const [tip] = await tipOf(git, named, remote)
  const local = await resolve(git, named)
  const commit = local ?? tip?.commit
  return commit === undefined
    ? { kind: 'none', why: `"${named}" names no commit here or on ${remote}` }
    : { kind: 'found', commit, how: 'named', fallbacks: [] }
}

async function pullRequestBase(
  git: Git,
  head: string,
  event: Extract<BaseEvent, { kind: 'pull_request' }>,
  remote: string,
): Promise<BaseCommit> {
  const fallbacks = [
    { commit: event.base_sha, what: `${event.base_ref} when the event was sent` },
    ...(await tipOf(git, event.base_ref, remote)),
  ]
  const [first, second] = await parentsOf(git, head)
  if (head !== event.head_sha && first !== undefined && second === event.head_sha) {
    return { kind: 'found', commit: first, how: 'merge_first_parent', fallbacks }
  }
  if (await ensureCommit(git, event.base_sha, remote)) {
    const base = await mergeBase(git, event.base_sha, head, remote)
    if (base !== null) return { kind: 'found', commit: base, how: 'merge_base', fallbacks }
  }
  return { kind: 'found', commit: event.base_sha, how: 'event_base', fallbacks: fallbacks.slice(1) }
}

async function localBase(git: Git, head: string, remote: string): Promise<BaseCommit> {
  const remoteDefault = (await git.attempt('symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`)) ?? ''
  for (const name of [remoteDefault, `${remote}/main`, `${remote}/master`, 'main', 'master']) {
    const tip = name === '' ? null : await resolve(git, name)
    const base = tip === null ? null : await mergeBase(git, tip, head, remote)
    if (tip !== null && base !== null) {
      return {
        kind: 'found',
        commit: base,
        how: 'merge_base',
        fallbacks: base === tip ? [] : [{ commit: tip, what: `the tip of ${name}` }],
      }
    }
  }
  return { kind: 'found', commit: head, how: 'head', fallbacks: [] }
}

/** Tip of a branch as the remote has it now, or as it was last seen. */
async function tipOf(git: Git, branch: string, remote: string): Promise<{ commit: string; what: string }[]> {
  const safe = (await git.attempt('check-ref-format', '--branch', branch)) !== null
  if (!safe) return []
  const listed = await git.attempt('ls-remote', remote, `refs/heads/${branch}`)
  const commit = listed === null || listed === '' ? await resolve(git, `refs/remotes/${remote}/${branch}`) : listed.split(/\s/)[0]
  return commit === undefined || commit === null || commit === '' ? [] : [{ commit, what: `the tip of ${branch}` }]
}

async function resolve(git: Git, ref: string): Promise<string | null> {
  if (ref.startsWith('-')) return null
  const found = await git.attempt('rev-parse', '--verify', '--quiet', `${ref}^{commit}`)
  return found === '' ? null : found
}
