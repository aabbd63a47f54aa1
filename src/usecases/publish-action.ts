import { writeFile } from 'node:fs/promises'
import { parseBaselineFile, parseQuarantineFile } from '../baseline/baseline-file.ts'
import { QUARANTINE_FILE } from '../baseline/read-baseline.ts'
import type { OpenCheck } from '../github/check-run.ts'
import type { GitHub } from '../github/client.ts'
import { readRemoteFile } from '../github/contents.ts'
import { downloadArtifacts, type DownloadedArtifact } from '../github/downloads.ts'
import type { EventFacts, SourceRun } from '../github/event.ts'
import { listChangedPaths, resolvePulls, type PullFacts } from '../github/pull-requests.ts'
import { explainTrouble } from '../github/trouble.ts'
import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import type { RunConfig } from '../model/config.ts'
import type { Results } from '../model/results.ts'
import type { Task } from '../model/task.ts'
import type { RunVerdictName } from '../model/verdict.ts'
import { RunFolder } from '../records/run-folder.ts'
import { loadTasks } from '../tasks/load.ts'
import { judgingConfig, requireGitHub, type Situation } from './action-situation.ts'
import { decideForeign } from './decide-foreign.ts'
import { exitCodeFor } from './exit-codes.ts'
import { restrictBaseline, type FoundBaseline } from './find-baseline.ts'
import { FOREIGN_LIMITS, readForeignRecords } from './foreign-records.ts'
import { ownArtifactName, publishResults } from './publish-results.ts'
import { underVerdictCheck } from './verdict-check.ts'
import { writeReports } from './write-reports.ts'

type WorkflowRunEvent = Extract<EventFacts, { readonly kind: 'workflow_run' }>

/**
 * `mode: publish`: posts the result of a run whose own token could only read. The artifact is a stranger's; pull request and baseline come from
 * GitHub, tasks and gate from this job. The job passes once the verdict is posted, red or green: it stands on the pull request.
 */
export async function publishAction(situation: Situation): Promise<ExitCode> {
  const { event, log } = situation
  if (event.kind !== 'workflow_run') {
    throw new UserError([{ where: 'input "mode"', at: '', message: 'publish belongs into a workflow on: workflow_run' }])
  }
  const github = requireGitHub(situation)
  const resolved = await asking('pull request look-up', event, () => resolvePulls(github, event.source))
  if (resolved.kind === 'none') {
    log.info(`Nothing is posted: ${resolved.why}.`)
    return EXIT.pass
  }
  const subject = { head_sha: event.source.head_sha, run: sourceRun(event) }
  return underVerdictCheck(situation, subject, (check) => publishForeign(situation, event, github, resolved.pulls, check))
}

const WORST_FIRST: readonly RunVerdictName[] = ['fail', 'inconclusive', 'pass']

async function publishForeign(
  situation: Situation,
  event: WorkflowRunEvent,
  github: GitHub,
  pulls: readonly PullFacts[],
  check: OpenCheck | null,
): Promise<ExitCode> {
  const config = judgingConfig(situation)
  const artifact = await downloadRecords(situation, event, github)
  const tasks = await loadTasks(config.tasks_folder, { suite: config.suite, ...(config.task_ids === null ? {} : { ids: config.task_ids }) })
  const foreign = await readForeignRecords(artifact, config.suite, tasks)
  const judged: { pull: PullFacts; results: Results }[] = []
  for (const pull of pulls) {
    const baseline = await asking('pull request look-up', event, () => baselineOf(github, config, pull))
    judged.push({ pull, results: decideForeign({ config, raw: situation.raw, source: event.source, pull, tasks }, foreign, baseline) })
  }
  // one commit has one check: of several bases the worst verdict stands there
  judged.sort((a, b) => WORST_FIRST.indexOf(a.results.decision.verdict) - WORST_FIRST.indexOf(b.results.decision.verdict))
  let posted = true
  for (const [index, { pull, results }] of judged.entries()) {
    posted =
      (await postResults(situation, event, {
        config,
        pull,
        results,
        tasks: tasks.map(({ task }) => task),
        check: index === 0 ? check : null,
      })) && posted
  }
  if (posted) return EXIT.pass
  throw new InfraError('harness_error', 'the verdict could be posted neither as a check nor as a comment; see the warnings above')
}

interface Posting {
  readonly config: RunConfig
  readonly pull: PullFacts
  readonly results: Results
  /** Tasks of this job, for the schemas that payloads are shown against. */
  readonly tasks: readonly Task[]
  readonly check: OpenCheck | null
}

async function postResults({ inputs, github, io, log, redact }: Situation, event: WorkflowRunEvent, posting: Posting): Promise<boolean> {
  const { config, pull, results, check } = posting
  const folder = new RunFolder(config.output_folder)
  await folder.clear()
  await folder.create()
  await writeFile(folder.recordsFile, results.trials.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await writeReports(results, folder, posting.tasks)
  const run = sourceRun(event)
  const published = await publishResults(
    {
      results,
      exit_code: exitCodeFor(results, config.on_inconclusive),
      event,
      pull_numbers: [pull.number],
      head_sha: event.source.head_sha,
      source_run: run,
      inputs,
      check,
      run_folder: config.output_folder,
      plugin_folder: null,
      screenshots_url: `${run.url}#artifacts`,
      hand_over_records: false,
    },
    { github, env: io.env, log, redact },
  )
  const commented = published.comments.some((comment) => comment !== null)
  const checked = published.check !== null && published.check.kind !== 'none'
  return commented || checked || (!inputs.comment && !inputs.check_run)
}

function sourceRun({ source, repo, urls }: WorkflowRunEvent) {
  const url = `${urls.server}/${repo.owner}/${repo.repo}/actions/runs/${source.run_id}`
  return { id: source.run_id, attempt: source.run_attempt, url }
}

async function downloadRecords({ inputs, io }: Situation, event: WorkflowRunEvent, github: GitHub): Promise<DownloadedArtifact> {
  const prefix = ownArtifactName(inputs, 'records', 1)
  const { run_id } = event.source
  const found = await asking('artifact download', event, () =>
    downloadArtifacts(github, { run_id, prefix, limits: FOREIGN_LIMITS, most: 20 }, io.env),
  )
  const newest = found.reduce<DownloadedArtifact | null>((best, one) => (best === null || one.id > best.id ? one : best), null)
  if (newest !== null) return newest
  throw new InfraError(
    'harness_error',
    `run ${run_id} (${conclusionText(event.source)}) has uploaded no records called ${prefix}: see its log`,
  )
}

function conclusionText({ conclusion }: SourceRun): string {
  return conclusion ?? 'not finished'
}

/** Baseline and quarantine at the pull request's base, as GitHub holds them. */
async function baselineOf(github: GitHub, config: RunConfig, pull: PullFacts): Promise<FoundBaseline> {
  const { baseline_path: path } = config
  const commit = pull.base_sha
  const quarantinePath = path.replace(/[^/]*$/, QUARANTINE_FILE)
  const [standing, quarantine, changed] = await Promise.all([
    readRemoteFile(github, commit, path),
    readRemoteFile(github, commit, quarantinePath),
    listChangedPaths(github, pull.number),
  ])
  const place = `${path} at ${commit.slice(0, 10)}`
  const folder = path.includes('/') ? path.replace(/[^/]*$/, '') : path
  return {
    file: standing === null ? null : restrictBaseline(parseBaselineFile(standing.text, place), config.task_ids),
    origin:
      standing === null ? { kind: 'none', why: `commit ${commit.slice(0, 10)} has no ${path}` } : { kind: 'base_commit', commit, path },
    quarantine: quarantine === null ? null : parseQuarantineFile(quarantine.text, quarantinePath),
    exam_edits: changed.filter((name) => name.startsWith(folder) || name.startsWith('tasks/')),
  }
}

/** GitHub refusing to be asked leaves no verdict; it is told with the permission that is missing. */
async function asking<T>(
  kind: Parameters<typeof explainTrouble>[0],
  { can_write_why: why }: EventFacts,
  body: () => Promise<T>,
): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof UserError || error instanceof InfraError) throw error
    throw new InfraError('harness_error', explainTrouble(kind, error, why), { cause: error })
  }
}
