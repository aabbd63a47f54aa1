import type { GitHub } from './client.ts'
import { isAncestor } from './contents.ts'
import type { SourceRun } from './event.ts'
import { readTrouble } from './trouble.ts'

export interface PullFacts {
  readonly number: number
  readonly head_sha: string
  readonly base_sha: string
  readonly base_ref: string
}

export type ResolvedPulls =
  /** Open pull requests whose head is exactly the graded commit; one head can serve several bases. */
  { readonly kind: 'found'; readonly pulls: readonly PullFacts[] } | { readonly kind: 'none'; readonly why: string }

/**
 * Finds the pull requests of a finished run by its head commit and repository, as GitHub knows them: nothing that the run uploaded is trusted.
 * (`workflow_run.pull_requests` is empty for forks, and so is the look-up by commit in the base repository.)
 */
export async function resolvePulls(github: GitHub, source: SourceRun): Promise<ResolvedPulls> {
  const { head_owner, head_branch, head_repo_id, head_sha } = source
  if (head_owner === null || head_branch === null || head_repo_id === null)
    return { kind: 'none', why: 'the repository or branch of the run is gone' }
  const candidates = await github.octokit.paginate(github.octokit.rest.pulls.list, {
    ...github.repo,
    state: 'open',
    head: `${head_owner}:${head_branch}`,
    per_page: 100,
  })
  const own = candidates.filter((pull) => pull.head.repo?.id === head_repo_id && pull.head.ref === head_branch)
  const pulls = own
    .filter((pull) => pull.head.sha === head_sha)
    .map((pull) => ({ number: pull.number, head_sha: pull.head.sha, base_sha: pull.base.sha, base_ref: pull.base.ref }))
  if (pulls.length > 0) return { kind: 'found', pulls }
  const moved = own[0]
  if (moved === undefined) return { kind: 'none', why: `no open pull request has ${head_sha.slice(0, 8)} as its head` }
  return {
    kind: 'none',
    why: `pull request #${moved.number} has moved on to ${moved.head.sha.slice(0, 8)}; the run of ${head_sha.slice(0, 8)} yields`,
  }
}

/** Paths that a pull request touches, old names of moved files included; GitHub lists 3,000 at most. */
export async function listChangedPaths(github: GitHub, pull_number: number): Promise<readonly string[]> {
  const files = await github.octokit.paginate(github.octokit.rest.pulls.listFiles, { ...github.repo, pull_number, per_page: 100 })
  return files.flatMap((file) => (file.previous_filename === undefined ? [file.filename] : [file.filename, file.previous_filename]))
}

/**
 * Makes sure that the branch of a proposal is there. One that is left over from a closed proposal begins anew at `base`; one that is open, or
 * that somebody has just begun on the present `base`, is carried on. Throws what octokit throws.
 */
export async function prepareProposalBranch(github: GitHub, base: string, branch: string): Promise<void> {
  const { data } = await github.octokit.rest.git.getRef({ ...github.repo, ref: `heads/${base}` })
  const tip = data.object.sha
  try {
    await github.octokit.rest.git.createRef({ ...github.repo, ref: `refs/heads/${branch}`, sha: tip })
  } catch (error) {
    // 422: it exists
    if (readTrouble(error).status !== 422) throw error
    if ((await standingProposal(github, base, branch)) !== null || (await isAncestor(github, tip, branch))) return
    await github.octokit.rest.git.updateRef({ ...github.repo, ref: `heads/${branch}`, sha: tip, force: true })
  }
}

export interface Proposal {
  /** Branch to merge into. */
  readonly base: string
  readonly branch: string
  readonly title: string
  readonly body: string
}

/** Opens the pull request of a prepared branch unless it is open already; null when the branch proposes nothing. Returns its page. */
export async function openProposal(github: GitHub, { base, branch, title, body }: Proposal): Promise<string | null> {
  const standing = await standingProposal(github, base, branch)
  if (standing !== null) return standing
  try {
    const { data } = await github.octokit.rest.pulls.create({ ...github.repo, head: branch, base, title, body })
    return data.html_url
  } catch (error) {
    const { status, message } = readTrouble(error)
    if (status !== 422) throw error
    // another refresh has just opened it, or there is no difference
    return /no commits between/i.test(message) ? null : standingProposal(github, base, branch)
  }
}

async function standingProposal(github: GitHub, base: string, branch: string): Promise<string | null> {
  const head = `${github.repo.owner}:${branch}`
  const { data } = await github.octokit.rest.pulls.list({ ...github.repo, head, base, state: 'open' })
  return data[0]?.html_url ?? null
}
