import { join } from 'node:path'
import type { OpenCheck } from '../github/check-run.ts'
import { downloadArtifacts } from '../github/downloads.ts'
import { explainTrouble } from '../github/trouble.ts'
import { InfraError, UserError, type ExitCode } from '../model/errors.ts'
import { judgingConfig, requireGitHub, type Situation } from './action-situation.ts'
import { collectShards, type CollectedShards } from './collect-shards.ts'
import { describeResults } from './describe-results.ts'
import { baseEventOf, withEventBase } from './event-base.ts'
import { mergeExitCode, mergeShards } from './merge-shards.ts'
import { ownArtifactName, publishResults } from './publish-results.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { tellVerdict } from './tell-verdict.ts'
import { underVerdictCheck } from './verdict-check.ts'

/** `mode: merge`: joins the shards of this workflow run, counts everything anew, decides, publishes. */
export async function mergeAction(situation: Situation): Promise<ExitCode> {
  const { event } = situation
  return underVerdictCheck(situation, { head_sha: event.head_sha, run: event.run }, (check) => merge(situation, check))
}

async function merge(situation: Situation, check: OpenCheck | null): Promise<ExitCode> {
  const { inputs, event, github, log, redact, io } = situation
  const workspace = io.env['GITHUB_WORKSPACE'] ?? null
  const config = await withEventBase(judgingConfig(situation), event, workspace)
  const shards = await collectShards(await download(situation))
  const results = await mergeShards(config, shards, {
    run_id: `${event.run.id}.${event.run.attempt}`,
    head_commit: event.head_sha,
    repo_folder: workspace,
    base_event: baseEventOf(event),
    media: await downloadMedia(situation, shards),
  })
  await redactRunFolder(config.output_folder, redact)
  const code = mergeExitCode(results, shards, inputs.on_inconclusive)
  log.info(describeResults(results, false, 120))
  await publishResults(
    {
      results,
      exit_code: code,
      event,
      pull_numbers: event.kind === 'pull_request' && event.pull_number !== null ? [event.pull_number] : [],
      head_sha: event.head_sha,
      source_run: event.run,
      inputs,
      check,
      run_folder: config.output_folder,
      plugin_folder: join(workspace ?? process.cwd(), results.run.plugin.path),
      screenshots_url: null,
      hand_over_records: !event.can_write,
    },
    { github, env: io.env, log, redact },
  )
  tellVerdict(results, code, log)
  return code
}

async function download(situation: Situation) {
  const { inputs, event, io } = situation
  const github = requireGitHub(situation)
  const prefix = `${ownArtifactName(inputs, 'shard', 1)}-`
  try {
    return await downloadArtifacts(github, { run_id: event.run.id, prefix, most: 1024 }, io.env)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new InfraError('harness_error', explainTrouble('artifact download', error, event.can_write_why), { cause: error })
  }
}

/**
 * What the shards uploaded for people: screenshots, transcripts, micro-apps, by shard number. The verdict needs none of it, so trouble is a
 * warning.
 */
async function downloadMedia(situation: Situation, { plans }: CollectedShards): Promise<ReadonlyMap<number, string>> {
  const { inputs, event, io, log } = situation
  if (!inputs.upload_artifacts) return new Map()
  const numbers = new Map(
    plans.map(({ number, of, run_attempt: attempt }) => [ownArtifactName(inputs, `results-${number}-of-${of}`, attempt), number]),
  )
  const prefix = `${ownArtifactName(inputs, 'results', 1)}-`
  try {
    const found = await downloadArtifacts(
      requireGitHub(situation),
      { run_id: event.run.id, prefix, names: new Set(numbers.keys()), most: 1024 },
      io.env,
    )
    return new Map(found.map(({ name, folder }) => [numbers.get(name) ?? 0, folder]))
  } catch (error) {
    const why = error instanceof UserError ? error.message : explainTrouble('artifact download', error, event.can_write_why)
    log.warning(`The merged report shows no screenshots: ${why}`)
    return new Map()
  }
}
