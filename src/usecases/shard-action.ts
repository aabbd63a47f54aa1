import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadArtifact } from '../github/artifacts.ts'
import { writeOutputs } from '../github/outputs.ts'
import { writeSummary } from '../github/summary.ts'
import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import { shardTrials, type Shard } from './action-inputs.ts'
import { runConfig, type Situation } from './action-situation.ts'
import { describeEvent } from './describe-progress.ts'
import { refuseHopeless } from './evaluate-action.ts'
import { ownArtifactName } from './publish-results.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { PAIRED_SHARD, runShard } from './run-shard.ts'
import { SHARD_FILE } from './shard-plan.ts'

/** `mode: run` with `shard`: makes and uploads its part; the verdict is the merge's. Passes when every planned trial has a record. */
export async function shardAction(situation: Situation, shard: Shard): Promise<ExitCode> {
  const { raw, event, log, redact, io } = situation
  const config = runConfig(situation)
  refuseHopeless(situation, config)
  if (config.paired) throw new UserError([{ where: 'input "paired"', at: '', message: PAIRED_SHARD }])
  const { plan, planned, made } = await runShard(
    config,
    {
      shard,
      trials: shardTrials(raw, config.gate.k),
      run_id: event.run.id,
      run_attempt: event.run.attempt,
      paths_from: io.env['GITHUB_WORKSPACE'] ?? process.cwd(),
    },
    {
      tool_cache: io.env['RUNNER_TOOL_CACHE'] ?? null,
      fresh: false,
      signal: io.signal,
      onProgress: (progress) => log.info(describeEvent(progress)),
    },
  )
  await redactRunFolder(config.output_folder, redact)
  await upload(situation, shard, config.output_folder)
  const sentence = `Shard ${shard.number}/${shard.of}: ${made} of ${planned} trials of ${plan.own.join(', ')} recorded; the merge decides.`
  const code = made === planned ? EXIT.pass : EXIT.inconclusive
  await writeOutputs(
    { 'exit-code': String(code), 'trials-planned': String(planned), 'trials-missing': String(planned - made) },
    io.env,
    log,
  )
  await writeSummary([sentence], io.env)
  if (code === EXIT.pass) log.info(sentence)
  else log.error(sentence)
  return code
}

/** Plan and records by themselves, which the merge reads, then everything for people. Throws InfraError when the first cannot be handed over. */
async function upload({ inputs, event, log, io }: Situation, { number, of }: Shard, runFolder: string): Promise<void> {
  const folder = await mkdtemp(join(io.env['RUNNER_TEMP'] ?? tmpdir(), 'genui-eval-shard-'))
  for (const name of ['records.jsonl', SHARD_FILE]) await copyFile(join(runFolder, name), join(folder, name))
  const named = (what: string) => ownArtifactName(inputs, `${what}-${number}-of-${of}`, event.run.attempt)
  const plan = { kind: 'folder', retention_days: inputs.retention_days } as const
  const outcome = await uploadArtifact({ ...plan, key: 'shard', name: named('shard'), folder }, event, io.env, log)
  if (outcome.kind === 'failed') {
    throw new InfraError('harness_error', `shard ${number}/${of} could not be handed to the merge: ${outcome.why}`)
  }
  if (!inputs.upload_artifacts) return
  const rest = await uploadArtifact({ ...plan, key: 'results', name: named('results'), folder: runFolder }, event, io.env, log)
  if (rest.kind === 'failed') log.warning(`Artifact ${rest.name} was not uploaded: ${rest.why}.`)
}
