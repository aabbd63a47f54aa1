import { access, copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { ArtifactPlan } from '../github/artifacts.ts'
import { artifactName } from '../github/artifact-names.ts'
import type { OpenCheck } from '../github/check-run.ts'
import type { GitHub } from '../github/client.ts'
import type { EventFacts } from '../github/event.ts'
import type { Log } from '../github/log.ts'
import type { PictureAddresses, PicturePlan } from '../github/pictures.ts'
import { publish, type ArtifactLinks, type Documents, type Published } from '../github/publish.ts'
import { EXIT, type ExitCode } from '../model/errors.ts'
import type { Results } from '../model/results.ts'
import { checkRun, type CheckConclusion } from '../report/check-run.ts'
import { commentBody } from '../report/comment.ts'
import { jobSummary } from '../report/job-summary.ts'
import type { ReportLinks } from '../report/markdown-sections.ts'
import type { Environment, ReportingInputs } from './action-inputs.ts'
import { choosePictures } from './comment-pictures.ts'
import { LOCAL_MARKER } from './write-reports.ts'

export interface Publication {
  readonly results: Results
  readonly exit_code: ExitCode
  readonly event: EventFacts
  readonly pull_numbers: readonly number[]
  readonly head_sha: string
  readonly source_run: { readonly id: number; readonly attempt: number; readonly url: string }
  readonly inputs: ReportingInputs
  readonly check: OpenCheck | null
  readonly run_folder: string
  /** Folder of the plugin build inside the workspace, for annotations; null when there is no checkout. */
  readonly plugin_folder: string | null
  /** Page of screenshots and transcripts that another run uploaded; null when they are in this step's own results. */
  readonly screenshots_url: string | null
  /** Uploads the records once more by themselves, small, for `mode: publish`. */
  readonly hand_over_records: boolean
}

export interface PublishingIo {
  readonly github: GitHub | null
  readonly env: Environment
  readonly log: Log
  readonly redact: (text: string) => string
}

/** Budgets of the comment, fullest first, for services that take less than they document. */
const COMMENT_BYTES = [60_000, 30_000, 8_000] as const
const SUMMARY_BYTES = [1_000_000, 200_000] as const

/** Publishes results everywhere. A publisher that fails becomes a warning; the verdict stands. */
export async function publishResults(publication: Publication, io: PublishingIo): Promise<Published> {
  const { results, event, inputs } = publication
  const location = await annotatedFile(publication.plugin_folder, io.env)
  const artifacts = inputs.upload_artifacts ? artifactsOf(publication) : []
  const pictures = await wantedPictures(publication, io.log)
  if (publication.hand_over_records) artifacts.push(await recordsArtifact(publication, io.env))
  return publish(
    {
      event,
      pull_numbers: publication.pull_numbers,
      comment_id: inputs.comment ? inputs.comment_id : null,
      head_sha: publication.head_sha,
      source_run: publication.source_run,
      check: publication.check,
      conclusion: conclusionOf(publication),
      artifacts,
      certain_outputs: outputsOf(results, publication.exit_code, publication.run_folder),
      ...(pictures === null ? {} : { pictures }),
      render: (links, addresses) => renderDocuments(publication, links, addresses, location),
    },
    io,
  )
}

/** The check and the job say the same; what passes without a verdict is no success. */
function conclusionOf({ results, exit_code: code }: Publication): CheckConclusion {
  if (code !== EXIT.pass) return 'failure'
  return results.decision.verdict === 'pass' ? 'success' : 'neutral'
}

function artifactsOf({ inputs, run_folder: folder, event }: Publication): ArtifactPlan[] {
  const { retention_days: retention } = inputs
  const name = (what: string) => ownArtifactName(inputs, what, event.run.attempt)
  return [
    { key: 'results', kind: 'folder', name: name('results'), folder, retention_days: retention },
    {
      key: 'report',
      kind: 'unzipped',
      name: `${name('report')}.html`,
      file: join(folder, 'report.html'),
      retention_days: retention,
    },
  ]
}

/** Name of an artifact of this configuration; a re-run may not take the name of an earlier attempt. */
export function ownArtifactName(
  { artifact_name: base, comment_id: id }: Pick<ReportingInputs, 'artifact_name' | 'comment_id'>,
  what: string,
  attempt: number,
): string {
  return artifactName([base, id === 'default' ? '' : id, what, attempt === 1 ? '' : `attempt-${attempt}`])
}

async function recordsArtifact({ inputs, run_folder: from, event }: Publication, env: Environment): Promise<ArtifactPlan> {
  const folder = await mkdtemp(join(env['RUNNER_TEMP'] ?? tmpdir(), 'genui-eval-records-'))
  await copyFile(join(from, 'records.jsonl'), join(folder, 'records.jsonl'))
  const name = ownArtifactName(inputs, 'records', event.run.attempt)
  return { key: 'records', kind: 'folder', name, folder, retention_days: inputs.retention_days }
}

/** Outputs that must not be lost, whatever becomes of the reports. */
export function outputsOf(results: Results, code: ExitCode, folder: string): Record<string, string> {
  const { decision, totals } = results
  const withStatus = (status: string) => String(decision.tasks.filter((task) => task.status === status).length)
  return {
    verdict: decision.verdict,
    'exit-code': String(code),
    'tasks-regressed': withStatus('regressed'),
    'tasks-suspect': withStatus('suspect'),
    'trials-planned': String(totals.planned),
    'trials-passed': String(totals.pass),
    'trials-failed': String(totals.fail),
    'trials-infra': String(totals.infra),
    'trials-missing': String(totals.missing),
    'results-path': join(folder, 'results.json'),
    'report-path': join(folder, 'report.html'),
    'cost-usd': costOf(results)?.toFixed(4) ?? '',
  }
}

/** US dollars of agents and judge; what has no price is left out, null when nothing has one. */
function costOf({ spending, judge }: Results): number | null {
  const costs = [spending.cost_usd, judge?.cost_usd ?? null].filter((cost) => cost !== null)
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}

async function wantedPictures({ inputs, results, run_folder: folder, event }: Publication, log: Log): Promise<PicturePlan | null> {
  if (!inputs.inline_images || !inputs.comment) return null
  const choice = await choosePictures(results, folder, event, inputs.comment_id)
  if (choice.kind === 'publish') return choice.plan
  if (choice.why !== null) log.info(`The comment shows no pictures: ${choice.why}.`)
  return null
}

function renderDocuments(
  publication: Publication,
  artifacts: ArtifactLinks,
  pictures: PictureAddresses,
  location: string | null,
): Documents {
  const { results, source_run: run, inputs } = publication
  const url = (key: string): string | null => {
    const outcome = artifacts[key]
    return outcome?.kind === 'uploaded' ? outcome.url : null
  }
  const screenshots = publication.screenshots_url ?? url('results')
  const links: ReportLinks = { run: run.url, report: url('report'), screenshots, results: url('results') }
  const comments = COMMENT_BYTES.map((maxBytes) =>
    withoutMarker(commentBody(results, { marker: LOCAL_MARKER, links, maxBytes, pictures }).body),
  )
  const locations = location === null ? {} : Object.fromEntries(results.decision.tasks.map((task) => [task.task_id, { path: location }]))
  const check = checkRun(results, { links, onInconclusive: inputs.on_inconclusive, locations })
  return {
    comment: comments,
    summary: SUMMARY_BYTES.map((maxBytes) => jobSummary(results, links, maxBytes).body),
    check: { title: check.title, summary: check.summary, text: check.text, annotations: check.annotations },
    outputs: { 'comment-body': comments[0] ?? '', 'report-url': links.report ?? '', 'results-url': links.results ?? '' },
  }
}

/** The comment's real marker, which names run and commit, is written where it is posted. */
function withoutMarker(body: string): string {
  return body.startsWith(LOCAL_MARKER) ? body.slice(LOCAL_MARKER.length).trimStart() : body
}

/** The plugin's file that a reviewer looks at first, relative to the workspace. */
async function annotatedFile(pluginFolder: string | null, env: Environment): Promise<string | null> {
  const workspace = env['GITHUB_WORKSPACE']
  if (pluginFolder === null || workspace === undefined) return null
  for (const name of ['SKILL.md', 'plugin.yaml', 'plugin.yml']) {
    const file = join(pluginFolder, name)
    const inside = relative(workspace, file).split(sep).join('/')
    if (inside.startsWith('..')) return null
    const found = await access(file).then(
      () => true,
      () => false,
    )
    if (found) return inside
  }
  return null
}
