import { uploadArtifact, type ArtifactOutcome, type ArtifactPlan } from './artifacts.ts'
import type { Annotation } from './annotations.ts'
import { completeCheck, type CheckConclusion, type CheckOutcome, type OpenCheck } from './check-run.ts'
import type { GitHub } from './client.ts'
import { upsertComment, type CommentOutcome } from './comment.ts'
import type { Environment, EventFacts } from './event.ts'
import type { Log } from './log.ts'
import { writeOutputs } from './outputs.ts'
import { publishPictures, type PictureAddresses, type PicturePlan } from './pictures.ts'
import { forgetOpenCheck } from './post-state.ts'
import { writeSummary, type SummaryOutcome } from './summary.ts'
import { explainTrouble } from './trouble.ts'

/** What readers get. Lists hold the same text from fullest to shortest; the first that GitHub takes is used. */
export interface Documents {
  readonly comment: readonly string[]
  readonly summary: readonly string[]
  readonly check: {
    readonly title: string
    readonly summary: string
    readonly text: string | null
    readonly annotations: readonly Annotation[]
  }
  readonly outputs: Readonly<Record<string, string>>
}

/** Outcome of every artifact by its `key`. */
export type ArtifactLinks = Readonly<Record<string, ArtifactOutcome>>

export interface PublishPlan {
  readonly event: EventFacts
  /** Pull requests that get the comment; empty = none. */
  readonly pull_numbers: readonly number[]
  /** Input `comment-id`; null = no comment. */
  readonly comment_id: string | null
  /** Commit that the verdict is about. */
  readonly head_sha: string
  /** Run whose result this is: in `mode: publish` the run that was graded, not the publishing one. */
  readonly source_run: { readonly id: number; readonly attempt: number }
  /** What `openCheck` gave; null = no check wanted. */
  readonly check: OpenCheck | null
  readonly conclusion: CheckConclusion
  readonly artifacts: readonly ArtifactPlan[]
  /** What the comment shows; published before it is rendered. */
  readonly pictures?: PicturePlan
  /** Renders with the addresses of artifacts and pictures; pure. */
  readonly render: (links: ArtifactLinks, pictures: PictureAddresses) => Documents
  /** Outputs that must be set whatever happens: verdict, counts. */
  readonly certain_outputs: Readonly<Record<string, string>>
}

export interface PublishIo {
  /** Null = no token: only artifacts, summary and outputs are written. */
  readonly github: GitHub | null
  readonly env: Environment
  readonly log: Log
  /** Takes secrets out of a text; applied to everything that leaves. */
  readonly redact: (text: string) => string
}

export interface Published {
  readonly artifacts: ArtifactLinks
  /** One per pull request; null = could not be written, `warnings` says why. */
  readonly comments: readonly (CommentOutcome | null)[]
  readonly check: CheckOutcome | null
  readonly summary: SummaryOutcome | null
  /** All have been logged. */
  readonly warnings: readonly string[]
}

/**
 * Publishes a verdict everywhere: outputs, artifacts, job summary, check run, comment. Each by itself: one that fails becomes a warning,
 * the others go on, and the verdict is untouched. Never throws.
 */
export async function publish(plan: PublishPlan, io: PublishIo): Promise<Published> {
  const warnings: string[] = []
  const warn = (sentence: string) => {
    warnings.push(sentence)
    io.log.warning(sentence)
  }
  const isolate = async <T>(body: () => Promise<T>, explain: (error: unknown) => string): Promise<T | null> => {
    try {
      return await body()
    } catch (error) {
      warn(explain(error))
      return null
    }
  }
  // first what the verdict hangs on, and what no network can take away
  await isolate(() => writeOutputs(redactAll(plan.certain_outputs, io.redact), io.env, io.log), plainly('The outputs were not set'))
  const artifacts = await uploadAll(plan, io, warn)
  const pictures = await publishPlanned(plan, io, isolate)
  const rendered = await isolate(
    async () => redactDocuments(plan.render(artifacts, pictures), io.redact),
    plainly('The report was not rendered'),
  )
  const documents = rendered ?? bareDocuments(plan.conclusion)
  const summary = await isolate(() => writeSummary(documents.summary, io.env), plainly('The job summary was not written'))
  await isolate(() => writeOutputs(documents.outputs, io.env, io.log), plainly('The outputs were not set'))
  const check = await publishCheck(plan, documents, io, isolate, warn)
  const comments = await publishComments(plan, documents, io, isolate)
  for (const comment of comments) if (comment?.kind === 'yielded') io.log.info(`No comment was written: ${comment.why}.`)
  return { artifacts, comments, check, summary, warnings }
}

type Isolate = <T>(body: () => Promise<T>, explain: (error: unknown) => string) => Promise<T | null>

async function uploadAll(plan: PublishPlan, io: PublishIo, warn: (sentence: string) => void): Promise<ArtifactLinks> {
  const links: Record<string, ArtifactOutcome> = {}
  for (const artifact of plan.artifacts) {
    const outcome = await uploadArtifact(artifact, plan.event, io.env, io.log)
    if (outcome.kind === 'failed') warn(`Artifact ${outcome.name} was not uploaded: ${outcome.why}.`)
    links[artifact.key] = outcome
  }
  return links
}

async function publishPlanned({ pictures, event }: PublishPlan, { github }: PublishIo, isolate: Isolate): Promise<PictureAddresses> {
  if (pictures === undefined || github === null) return {}
  const addresses = await isolate(
    () => publishPictures(github, pictures),
    (error) => explainTrouble('picture branch', error, event.can_write_why),
  )
  return addresses ?? {}
}

async function publishCheck(
  plan: PublishPlan,
  documents: Documents,
  io: PublishIo,
  isolate: Isolate,
  warn: (sentence: string) => void,
): Promise<CheckOutcome | null> {
  const { check, conclusion } = plan
  const { github } = io
  if (check === null || github === null) return null
  const kind = check.kind === 'status' ? 'commit status' : 'check run'
  const outcome = await isolate(
    () => completeCheck(github, check, { conclusion, ...documents.check }),
    (error) => explainTrouble(kind, error, plan.event.can_write_why),
  )
  // an open check stays saved, so that the post step closes it
  if (outcome !== null) await isolate(() => forgetOpenCheck(io.env), plainly('The state for the post step was not saved'))
  if (outcome?.kind === 'none') warn(outcome.why)
  else for (const note of outcome?.notes ?? []) warn(`Check: ${note}.`)
  return outcome
}

async function publishComments(
  plan: PublishPlan,
  documents: Documents,
  io: PublishIo,
  isolate: Isolate,
): Promise<readonly (CommentOutcome | null)[]> {
  const { comment_id } = plan
  const { github } = io
  if (comment_id === null || github === null) return []
  const outcomes: (CommentOutcome | null)[] = []
  for (const pull_number of plan.pull_numbers) {
    const comment = { pull_number, id: comment_id, head_sha: plan.head_sha, run: plan.source_run, bodies: documents.comment }
    outcomes.push(
      await isolate(
        () => upsertComment(github, comment),
        (error) => explainTrouble('comment', error, plan.event.can_write_why),
      ),
    )
  }
  return outcomes
}

function plainly(lead: string): (error: unknown) => string {
  return (error) => `${lead}: ${error instanceof Error ? error.message : String(error)}`
}

function redactDocuments(documents: Documents, redact: (text: string) => string): Documents {
  const { check } = documents
  return {
    comment: documents.comment.map(redact),
    summary: documents.summary.map(redact),
    check: {
      title: redact(check.title),
      summary: redact(check.summary),
      text: check.text === null ? null : redact(check.text),
      annotations: check.annotations.map((one) => ({ ...one, title: redact(one.title), message: redact(one.message) })),
    },
    outputs: redactAll(documents.outputs, redact),
  }
}

function redactAll(values: Readonly<Record<string, string>>, redact: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, redact(value)]))
}

/** What is said when rendering itself failed: the verdict alone. */
function bareDocuments(conclusion: CheckConclusion): Documents {
  const sentence = `genui-eval: ${conclusion}. The report could not be rendered; see the log and the artifacts of the run.`
  return {
    comment: [sentence],
    summary: [sentence],
    check: { title: `genui-eval: ${conclusion}`, summary: sentence, text: null, annotations: [] },
    outputs: {},
  }
}
