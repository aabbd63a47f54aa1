import { createOnce, type GitHub } from './client.ts'
import { batches, prepareAnnotation, type Annotation } from './annotations.ts'
import { cutToUnits, LIMITS } from './limits.ts'
import { explainTrouble, readTrouble } from './trouble.ts'

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'timed_out' | 'action_required'

export interface CheckOpening {
  /** Must differ from the job's name: GitHub cannot tell equal names apart. */
  readonly name: string
  /** On pull requests the head commit, never the merge commit. */
  readonly head_sha: string
  /** Unique per run, attempt and configuration: finds the check again when an answer was lost. */
  readonly external_id: string
  /** Page of the run. GitHub ignores it for check runs of the Actions token, a commit status shows it. */
  readonly details_url: string
  readonly title: string
  readonly summary: string
}

/** A verdict's place on the commit, still open. JSON: it is saved for the `post` step. */
export type OpenCheck =
  | { readonly kind: 'check'; readonly id: number; readonly opening: CheckOpening }
  | { readonly kind: 'status'; readonly opening: CheckOpening }
  /** Neither was allowed; `why` has been or should be told. */
  | { readonly kind: 'none'; readonly why: string; readonly opening: CheckOpening }

export interface CheckReport {
  readonly conclusion: CheckConclusion
  readonly title: string
  readonly summary: string
  readonly text: string | null
  readonly annotations: readonly Annotation[]
}

export type CheckOutcome =
  | { readonly kind: 'check'; readonly url: string | null; readonly annotations: number; readonly notes: readonly string[] }
  | { readonly kind: 'status'; readonly notes: readonly string[] }
  | { readonly kind: 'none'; readonly why: string }

/** Opens the check `in_progress`; falls back to a commit status, then to nothing. Does not throw: a verdict never hangs on it. */
export async function openCheck(github: GitHub, opening: CheckOpening, read_only_why: string | null): Promise<OpenCheck> {
  try {
    return await createCheck(github, opening)
  } catch (refused) {
    try {
      await setStatus(github, opening, 'pending', opening.title)
      return { kind: 'status', opening }
    } catch {
      return { kind: 'none', why: explainTrouble('check run', refused, read_only_why), opening }
    }
  }
}

async function createCheck(github: GitHub, opening: CheckOpening): Promise<OpenCheck> {
  const { name, head_sha, external_id, details_url } = opening
  const output = { title: cutToUnits(opening.title, LIMITS.check_title), summary: cutToUnits(opening.summary, LIMITS.check_text) }
  const id = await createOnce(
    github,
    async () => {
      const request = { ...github.repo, name, head_sha, external_id, details_url, status: 'in_progress' as const, output }
      return (await github.octokit.rest.checks.create(request)).data.id
    },
    async () => {
      const { data } = await github.octokit.rest.checks.listForRef({ ...github.repo, ref: head_sha, check_name: name, per_page: 100 })
      return data.check_runs.find((run) => run.external_id === external_id)?.id ?? null
    },
  )
  return { kind: 'check', id, opening }
}

/**
 * Writes the verdict. The conclusion goes out with the first request, so that nothing later can lose it; annotations follow in batches of 50.
 * Throws what octokit throws when even the bare conclusion is refused.
 */
export async function completeCheck(github: GitHub, open: OpenCheck, report: CheckReport): Promise<CheckOutcome> {
  switch (open.kind) {
    case 'none':
      return { kind: 'none', why: open.why }
    case 'status':
      await setStatus(github, open.opening, statusOf(report.conclusion), report.title)
      return { kind: 'status', notes: ['a commit status stands in for the check run, which the token may not write'] }
    case 'check':
      return completeCheckRun(github, open.id, report)
  }
}

async function completeCheckRun(github: GitHub, id: number, report: CheckReport): Promise<CheckOutcome> {
  const output = {
    title: cutToUnits(report.title, LIMITS.check_title),
    summary: cutToUnits(report.summary, LIMITS.check_text),
    ...(report.text === null ? {} : { text: cutToUnits(report.text, LIMITS.check_text) }),
  }
  const [first = [], ...rest] = batches(report.annotations.map(prepareAnnotation), LIMITS.annotations_per_request)
  const patch = (annotations: readonly Annotation[], conclusion: CheckConclusion | null) =>
    github.octokit.rest.checks.update({
      ...github.repo,
      check_run_id: id,
      ...(conclusion === null ? {} : { conclusion, status: 'completed' as const }),
      output: annotations.length === 0 ? output : { ...output, annotations: [...annotations] },
    })
  let written = first.length
  const notes: string[] = []
  const answer = await patch(first, report.conclusion).catch((error: unknown) => {
    if (readTrouble(error).status !== 422 || first.length === 0) throw error
    written = 0
    notes.push(`GitHub refused the annotations (${readTrouble(error).message})`)
    return patch([], report.conclusion)
  })
  try {
    for (const batch of written === 0 ? [] : rest) {
      await patch(batch, null)
      written += batch.length
    }
  } catch (error) {
    notes.push(`only ${written} of ${report.annotations.length} annotations were taken (${readTrouble(error).message})`)
  }
  return { kind: 'check', url: answer.data.html_url, annotations: written, notes }
}

/** Closes a check that its run left open, because it was cancelled or killed. Returns false when it had been completed. */
export async function closeAbandoned(github: GitHub, open: OpenCheck): Promise<boolean> {
  const title = 'The run ended before it had a verdict'
  const summary = `The run was cancelled, killed or crashed. This is no verdict on the plugin: run it again. [Log of the run](${open.opening.details_url})`
  if (open.kind === 'none') return false
  if (open.kind === 'status') {
    await setStatus(github, open.opening, 'error', title)
    return true
  }
  const { data } = await github.octokit.rest.checks.get({ ...github.repo, check_run_id: open.id })
  if (data.status === 'completed') return false
  await completeCheckRun(github, open.id, { conclusion: 'cancelled', title, summary, text: null, annotations: [] })
  return true
}

type StatusState = 'pending' | 'success' | 'failure' | 'error'

function statusOf(conclusion: CheckConclusion): StatusState {
  if (conclusion === 'success' || conclusion === 'neutral') return 'success'
  return conclusion === 'failure' ? 'failure' : 'error'
}

async function setStatus(github: GitHub, opening: CheckOpening, state: StatusState, description: string): Promise<void> {
  await github.octokit.rest.repos.createCommitStatus({
    ...github.repo,
    sha: opening.head_sha,
    state,
    context: opening.name,
    description: cutToUnits(description.replace(/\s+/g, ' '), LIMITS.status_description),
    target_url: opening.details_url,
  })
}
