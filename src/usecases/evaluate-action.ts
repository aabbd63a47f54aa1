import type { OpenCheck } from '../github/check-run.ts'
import { writeOutputs } from '../github/outputs.ts'
import type { RunConfig } from '../model/config.ts'
import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import { runConfig, type Situation } from './action-situation.ts'
import { baseEventOf, withEventBase } from './event-base.ts'
import { describeEvent } from './describe-progress.ts'
import { describeResults } from './describe-results.ts'
import { exitCodeFor } from './exit-codes.ts'
import { lacksKey } from './judge-key.ts'
import { outputsOf, publishResults } from './publish-results.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { runGate } from './run-gate.ts'
import { tellVerdict } from './tell-verdict.ts'
import { underVerdictCheck } from './verdict-check.ts'

/** `mode: run`: the whole gate, from trials to comment. */
export async function evaluateAction(situation: Situation): Promise<ExitCode> {
  const { event } = situation
  return underVerdictCheck(situation, { head_sha: event.head_sha, run: event.run }, (check) => evaluate(situation, check))
}

async function evaluate(situation: Situation, check: OpenCheck | null): Promise<ExitCode> {
  const { inputs, event, github, log, redact, io } = situation
  const workspace = io.env['GITHUB_WORKSPACE'] ?? null
  const config = await withEventBase(runConfig(situation), event, workspace)
  refuseHopeless(situation, config)
  const results = await runGate(config, {
    repo_folder: workspace,
    base_event: baseEventOf(event),
    head_commit: event.head_sha,
    paths_from: workspace ?? process.cwd(),
    tool_cache: io.env['RUNNER_TOOL_CACHE'] ?? null,
    fresh: false,
    signal: io.signal,
    onProgress: (progress) => log.info(describeEvent(progress)),
  })
  await redactRunFolder(config.output_folder, redact)
  const code = exitCodeFor(results, config.on_inconclusive)
  log.info(describeResults(results, false, 120))
  if (io.signal.aborted) {
    // the runner kills this process within seconds; the post step closes the check
    const unwritten = results.totals.missing > 0 ? { 'results-path': '', 'report-path': '' } : {}
    await writeOutputs({ ...outputsOf(results, EXIT.inconclusive, config.output_folder), ...unwritten }, io.env, log)
    log.error(`The run was cancelled: ${results.trials.length} finished trials are in ${config.output_folder}, nothing was published.`)
    return EXIT.inconclusive
  }
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
      plugin_folder: config.agent.kind === 'replay' ? null : config.plugin_folder,
      screenshots_url: null,
      // a token that only reads cannot comment: the records wait for `mode: publish`
      hand_over_records: !event.can_write,
    },
    { github, env: io.env, log, redact },
  )
  tellVerdict(results, code, log)
  return code
}

/** Says before anything is spent why this run can lead nowhere. */
export function refuseHopeless({ event }: Situation, config: RunConfig): void {
  if (event.kind === 'push' && event.deleted) throw new UserError('The push deleted its branch: there is nothing to evaluate.')
  if (event.can_write_why === null) return
  const local = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(config.base_url)
  const lacking = [
    ...(config.agent.kind === 'replay' || config.api_key !== null || local ? [] : [['the model service', 'agent replay'] as const]),
    ...(config.judge.kind === 'model' && lacksKey(config.judge) ? [['the judge', 'judge off'] as const] : []),
  ]
  if (lacking.length === 0) return
  const [services, instead] = [0, 1].map((part) => lacking.map((each) => each[part]).join(' and '))
  throw new InfraError(
    'model_unavailable',
    `This run has no key for ${services}: ${event.can_write_why}, and secrets are kept from it too. Evaluate it from a branch of this repository, or with ${instead}.`,
  )
}
