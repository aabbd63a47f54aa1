import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenCheck } from '../github/check-run.ts'
import { downloadArtifacts } from '../github/downloads.ts'
import { explainTrouble } from '../github/trouble.ts'
import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import type { RunConfig } from '../model/config.ts'
import type { TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import { RunFolder } from '../records/run-folder.ts'
import { loadTasks } from '../tasks/load.ts'
import { judgingConfig, requireGitHub, type Situation } from './action-situation.ts'
import { collectShards, type CollectedShards } from './collect-shards.ts'
import { decideRecords, disagreementsAmong } from './decide-records.ts'
import { describeResults } from './describe-results.ts'
import { baseEventOf, withEventBase } from './event-base.ts'
import { exitCodeFor } from './exit-codes.ts'
import { findBaseline } from './find-baseline.ts'
import { ownArtifactName, publishResults } from './publish-results.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { tellVerdict } from './tell-verdict.ts'
import { underVerdictCheck } from './verdict-check.ts'
import { writeReports } from './write-reports.ts'

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
  const results = await decideShards(config, shards, situation)
  await writeMerged(config.output_folder, results, shards.records)
  await redactRunFolder(config.output_folder, redact)
  // a lost shard is never waved through: `warn` is for what could not be decided, not for what was not looked at
  const onInconclusive = shards.gaps.length > 0 ? 'fail' : inputs.on_inconclusive
  const decided = exitCodeFor(results, onInconclusive)
  const code = shards.gaps.length > 0 && decided === EXIT.pass ? EXIT.inconclusive : decided
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

async function decideShards(
  config: RunConfig,
  { plans, records, planned, gaps }: CollectedShards,
  { event, io }: Situation,
): Promise<Results> {
  const [first] = plans
  if (first === undefined) throw new UserError(`No shard can be counted. ${gaps.join(' ')}`)
  if (first.suite !== config.suite) {
    throw new UserError([{ where: 'input "suite"', at: '', message: `is ${config.suite}, but the shards ran ${first.suite}` }])
  }
  const tasks = await loadTasks(config.tasks_folder, { suite: config.suite, ids: Object.keys(first.tasks) })
  const started = records.map((record) => record.started_at).sort()
  const task_ids = config.task_ids ?? (await onlySome(config, Object.keys(first.tasks)))
  const baseline = await findBaseline({ ...config, task_ids }, io.env['GITHUB_WORKSPACE'] ?? null, baseEventOf(event))
  return decideRecords(
    config,
    {
      run: {
        id: `${event.run.id}.${event.run.attempt}`,
        started_at: started[0] ?? new Date().toISOString(),
        finished_at: new Date().toISOString(),
        plugin: { path: first.plugin.path, name: first.plugin.name, version: first.plugin.version },
        head_commit: event.head_sha,
        fingerprint: first.fingerprint,
        repeat_command: first.repeat_command,
      },
      tasks,
      digests: new Map(Object.entries(first.tasks)),
      records,
      planned,
      adaptive: false,
      incomplete: gaps.length === 0 ? null : gaps.join(' '),
      disagreements: disagreementsAmong(plans.map(({ number, of, fingerprint }) => ({ of: `shard ${number}/${of}`, fingerprint }))),
      notices: [...new Set(plans.flatMap(({ notices }) => notices)), ...gaps],
      wall_ms: Math.max(...plans.map(({ wall_ms: ms }) => ms)),
    },
    baseline,
  )
}

/** Null when the shards ran the whole suite: then a task of the baseline that none of them had was removed. */
async function onlySome(config: RunConfig, planned: readonly string[]): Promise<readonly string[] | null> {
  const suite = await loadTasks(config.tasks_folder, { suite: config.suite })
  return suite.every(({ task }) => planned.includes(task.task_id)) ? null : planned
}

async function writeMerged(path: string, results: Results, records: readonly TrialRecord[]): Promise<void> {
  const folder = new RunFolder(path)
  await folder.clear()
  await folder.create()
  await writeFile(folder.recordsFile, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await writeReports(results, folder)
}
