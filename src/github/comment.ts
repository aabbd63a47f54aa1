import { createOnce, type GitHub } from './client.ts'
import { fitsComment } from './limits.ts'
import { isLaterRun, readMarker, safeId, writeMarker, type Marker } from './marker.ts'
import { readTrouble } from './trouble.ts'

export interface CommentPlan {
  readonly pull_number: number
  /** Input `comment-id`. */
  readonly id: string
  /** Commit that the comment speaks of. */
  readonly head_sha: string
  readonly run: { readonly id: number; readonly attempt: number }
  /** The same message from fullest to shortest; the first that GitHub takes is posted. Must not be empty. */
  readonly bodies: readonly string[]
}

export type CommentOutcome =
  | { readonly kind: 'created' | 'updated'; readonly url: string; readonly body: string }
  /** A newer commit or run has spoken or will speak; nothing was written. */
  | { readonly kind: 'yielded'; readonly why: string }

interface Found {
  readonly id: number
  readonly url: string
  readonly marker: Marker
}

/**
 * Creates or updates the sticky comment: found by marker and author over all pages; the newest head commit, then the latest run, wins.
 * Throws what octokit throws when GitHub refuses.
 */
export async function upsertComment(github: GitHub, plan: CommentPlan): Promise<CommentOutcome> {
  const marker: Marker = { id: safeId(plan.id), head_sha: plan.head_sha, run_id: plan.run.id, run_attempt: plan.run.attempt }
  const stale = await movedOn(github, plan)
  if (stale !== null) return { kind: 'yielded', why: stale }
  const [standing] = await findOwn(github, plan.pull_number, marker.id)
  if (standing !== undefined) return update(github, plan, marker, standing)
  const created = await create(github, plan, marker)
  const older = await settleRace(github, plan.pull_number, marker, created.found.id)
  return older === null ? { kind: 'created', url: created.found.url, body: created.body } : update(github, plan, marker, older)
}

/** Why a comment about the planned commit would be out of date, or null. */
async function movedOn(github: GitHub, plan: CommentPlan): Promise<string | null> {
  const { data: pull } = await github.octokit.rest.pulls.get({ ...github.repo, pull_number: plan.pull_number })
  if (pull.head.sha === plan.head_sha) return null
  return `pull request #${plan.pull_number} has moved on to ${pull.head.sha.slice(0, 8)}; the run of ${plan.head_sha.slice(0, 8)} yields`
}

/** Our comments with this id, oldest first. */
async function findOwn(github: GitHub, pull_number: number, id: string): Promise<readonly Found[]> {
  const login = await github.login()
  const found: Found[] = []
  const pages = github.octokit.paginate.iterator(github.octokit.rest.issues.listComments, {
    ...github.repo,
    issue_number: pull_number,
    per_page: 100,
  })
  for await (const page of pages) {
    for (const comment of page.data) {
      const marker = readMarker(comment.body ?? '')
      if (marker?.id !== id || !sameAuthor(comment.user, login)) continue
      found.push({ id: comment.id, url: comment.html_url, marker })
    }
  }
  return found.sort((a, b) => a.id - b.id)
}

/** Bots appear with and without `[bot]`, by API; a person must never pass for a bot of that name. */
function sameAuthor(user: { readonly login: string; readonly type?: string } | null, login: string): boolean {
  if (user === null) return false
  const isBot = login.endsWith('[bot]')
  const bare = (name: string) => name.replace(/\[bot\]$/, '').toLowerCase()
  return bare(user.login) === bare(login) && (user.type === 'Bot') === isBot
}

async function create(github: GitHub, plan: CommentPlan, marker: Marker): Promise<{ readonly found: Found; readonly body: string }> {
  return withFittingBody(plan, marker, async (body) => {
    const found = await createOnce<Found>(
      github,
      async () => {
        const { data } = await github.octokit.rest.issues.createComment({ ...github.repo, issue_number: plan.pull_number, body })
        return { id: data.id, url: data.html_url, marker }
      },
      async () => (await findOwn(github, plan.pull_number, marker.id))[0] ?? null,
    )
    return { found, body }
  })
}

async function update(github: GitHub, plan: CommentPlan, marker: Marker, standing: Found): Promise<CommentOutcome> {
  if (standing.marker.head_sha === marker.head_sha && isLaterRun(standing.marker, marker)) {
    return { kind: 'yielded', why: `run ${standing.marker.run_id}, later than this one, has already reported on this commit` }
  }
  return withFittingBody(plan, marker, async (body) => {
    const { data } = await github.octokit.rest.issues.updateComment({ ...github.repo, comment_id: standing.id, body })
    return { kind: 'updated', url: data.html_url, body }
  })
}

/**
 * Two publishers that both found nothing both create. Each then looks again: the oldest comment stays, the others are deleted by their makers.
 * Returns the comment to update in place of the deleted one, or null when ours is the one that stays.
 */
async function settleRace(github: GitHub, pull_number: number, marker: Marker, created: number): Promise<Found | null> {
  const [oldest] = await findOwn(github, pull_number, marker.id)
  if (oldest === undefined || oldest.id >= created) return null
  await github.octokit.rest.issues.deleteComment({ ...github.repo, comment_id: created })
  return oldest
}

/** Tries the bodies that fit, fullest first; a 422 (too long after all) goes on to the next shorter one. */
async function withFittingBody<T>(plan: CommentPlan, marker: Marker, post: (body: string) => Promise<T>): Promise<T> {
  const fitting = plan.bodies.map((body) => withMarker(body, writeMarker(marker))).filter(fitsComment)
  const shortest = fitting.at(-1)
  if (shortest === undefined) throw new Error('no version of the comment is short enough for GitHub')
  for (const body of fitting.slice(0, -1)) {
    try {
      return await post(body)
    } catch (error) {
      if (readTrouble(error).status !== 422) throw error
    }
  }
  return post(shortest)
}

/** The marker stands on the first line, and only there: nothing inside the message may look like it, wherever it came from. */
function withMarker(body: string, marker: string): string {
  const message = body.startsWith(marker) ? body.slice(marker.length).replace(/^\n/, '') : body
  return `${marker}\n${message.replaceAll('<!-- genui-eval-action', '&lt;!-- genui-eval-action')}`
}
