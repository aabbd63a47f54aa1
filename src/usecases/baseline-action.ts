import { contentsStore } from '../baseline/contents-store.ts'
import { contentsOf } from '../github/contents.ts'
import type { EventFacts } from '../github/event.ts'
import { publish } from '../github/publish.ts'
import { openProposal, prepareProposalBranch } from '../github/pull-requests.ts'
import { explainTrouble } from '../github/trouble.ts'
import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import type { RunConfig } from '../model/config.ts'
import { requireGitHub, runConfig, type Situation } from './action-situation.ts'
import { describeEvent } from './describe-progress.ts'
import { refuseHopeless } from './evaluate-action.ts'
import { ownArtifactName } from './publish-results.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { runBaseline, type BaselineRun, type BaselineTarget } from './run-baseline.ts'

/** `mode: baseline`: runs the build of a branch with a fixed number of trials and writes the counts to it, by commit or by pull request. */
export async function baselineAction(situation: Situation): Promise<ExitCode> {
  const { inputs, event, log, redact, io } = situation
  const branch = branchOf(event)
  const config = runConfig(situation)
  refuseHopeless(situation, config)
  const target = targetOf(situation, config, branch)
  const { trials, accept_regression } = inputs.baseline
  const run = await runBaseline(
    config,
    { trials, target, commit: event.head_sha, accept_regression, note: null },
    {
      tool_cache: io.env['RUNNER_TOOL_CACHE'] ?? null,
      fresh: false,
      signal: io.signal,
      onProgress: (progress) => log.info(describeEvent(progress)),
    },
  )
  await redactRunFolder(config.output_folder, redact)
  const url = await addressOf(situation, config, branch, run)
  await report(situation, config, `Baseline ${config.baseline_path} on ${branch}: ${run.why}${url === null ? '' : ` ${url}`}`, url, run)
  return EXIT.pass
}

/** The branch whose build is run and whose baseline is written. Throws UserError for events that must not write one. */
function branchOf(event: EventFacts): string {
  const branch =
    event.kind === 'push' || event.kind === 'workflow_dispatch' ? event.ref : event.kind === 'schedule' ? event.default_branch : null
  if (branch !== null && branch !== '' && !branch.startsWith('refs/')) return branch
  const message = 'baseline runs on push, schedule and workflow_dispatch of a branch: a pull request must not write what it is judged by'
  throw new UserError([{ where: 'input "mode"', at: '', message }])
}

function targetOf(situation: Situation, config: RunConfig, branch: string): BaselineTarget {
  const github = requireGitHub(situation)
  const { event, inputs } = situation
  const store = (on: string) => contentsStore(contentsOf(github, event.can_write_why), on, config.baseline_path)
  if (inputs.baseline.write === 'commit') return { kind: 'store', open: async () => store(branch) }
  const proposal = proposalBranch(config, branch)
  return {
    kind: 'store',
    open: async () => {
      await asking('baseline file', event, () => prepareProposalBranch(github, branch, proposal))
      return store(proposal)
    },
  }
}

function proposalBranch({ suite }: RunConfig, branch: string): string {
  return `genui-eval/baseline-${suite}-${branch.replace(/[^\w.-]+/g, '-')}`
}

/** Page of what was written: the commit, or the pull request, which is opened unless it stands already. */
async function addressOf(situation: Situation, config: RunConfig, branch: string, run: BaselineRun): Promise<string | null> {
  const { event, inputs } = situation
  const { server } = event.urls
  if (inputs.baseline.write === 'commit') {
    return run.kind === 'written' ? `${server}/${event.repo.owner}/${event.repo.repo}/commit/${run.commit}` : null
  }
  const title = `Refresh the ${config.suite} baseline`
  const reason = inputs.baseline.accept_regression
  const accepted = reason === null ? '' : `\n\nA regression is accepted, for this reason:\n\n    ${reason.replaceAll(/\s+/g, ' ')}`
  const body = `${run.records.length} trials of the build at ${event.head_sha}, made by [this run](${event.run.url}).${accepted}`
  const proposal = { base: branch, branch: proposalBranch(config, branch), title, body }
  return asking('baseline pull request', event, () => openProposal(requireGitHub(situation), proposal))
}

async function report(
  { inputs, event, github, log, redact, io }: Situation,
  config: RunConfig,
  sentence: string,
  url: string | null,
  { records }: BaselineRun,
): Promise<void> {
  const count = (verdict: string) => String(records.filter((record) => record.verdict === verdict).length)
  const name = ownArtifactName(inputs, 'baseline', event.run.attempt)
  const artifact = { key: 'results', kind: 'folder', name, folder: config.output_folder, retention_days: inputs.retention_days } as const
  await publish(
    {
      event,
      pull_numbers: [],
      comment_id: null,
      head_sha: event.head_sha,
      source_run: event.run,
      check: null,
      conclusion: 'success',
      artifacts: inputs.upload_artifacts ? [artifact] : [],
      certain_outputs: {
        'exit-code': String(EXIT.pass),
        'trials-planned': String(records.length),
        'trials-passed': count('pass'),
        'trials-failed': count('fail'),
        'trials-infra': count('infra'),
        'trials-missing': '0',
        'baseline-url': url ?? '',
      },
      render: () => ({ comment: [], summary: [sentence], check: { title: '', summary: '', text: null, annotations: [] }, outputs: {} }),
    },
    { github, env: io.env, log, redact },
  )
  log.info(sentence)
}

async function asking<T>(
  kind: Parameters<typeof explainTrouble>[0],
  { can_write_why: why }: EventFacts,
  body: () => Promise<T>,
): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof UserError || error instanceof InfraError) throw error
    throw new UserError(explainTrouble(kind, error, why))
  }
}
