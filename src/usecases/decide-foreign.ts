import { planNextStage } from '../gate/stages.ts'
import type { SourceRun } from '../github/event.ts'
import type { PullFacts } from '../github/pull-requests.ts'
import type { RunConfig } from '../model/config.ts'
import type { RawInputs } from '../model/inputs.ts'
import type { Results } from '../model/results.ts'
import type { LoadedTask } from '../model/task.ts'
import { decideRecords, recordedTasks } from './decide-records.ts'
import type { FoundBaseline } from './find-baseline.ts'
import type { ForeignRecords } from './foreign-records.ts'
import { gateContext } from './gate-context.ts'
import { shellWord } from './repeat-command.ts'

/** What is trusted about the run of a stranger: it comes from GitHub and from this job's own inputs and checkout. */
export interface ForeignRun {
  readonly config: RunConfig
  readonly raw: RawInputs
  readonly source: SourceRun
  readonly pull: PullFacts
  readonly tasks: readonly LoadedTask[]
}

/** Decides over a stranger's records by this job's own design and baseline, and labels the verdict as the stranger's word. */
export function decideForeign({ config, raw, source, pull, tasks }: ForeignRun, foreign: ForeignRecords, baseline: FoundBaseline): Results {
  const { records, digests } = foreign
  // more than k trials without a second stage: shards, whose number of trials was fixed
  const fixed = records.every(({ stage }) => stage === 0) && records.length > tasks.length * config.gate.k
  const design = fixed ? { ...config.gate, max_trials: config.gate.k } : config.gate
  const wanting = planNextStage(
    recordedTasks({ tasks, digests, records, adaptive: true }, baseline),
    design,
    gateContext(baseline, [], config),
  )
  const missing = wanting.reduce((sum, { trials }) => sum + trials, 0)
  const incomplete = `The uploaded records lack ${missing} trials that the design asks for (${wanting.map(({ task_id: id }) => id).join(', ')}).`
  const times = records.map((record) => record.started_at).sort()
  const results = decideRecords(
    config,
    {
      run: {
        id: `${source.run_id}.${source.run_attempt}`,
        started_at: times[0] ?? '',
        finished_at: times.at(-1) ?? '',
        plugin: { path: 'plugin', name: 'plugin build of the pull request', version: '' },
        head_commit: source.head_sha,
        fingerprint: foreign.fingerprint,
        repeat_command: repeatForeign(raw, pull),
      },
      tasks,
      digests,
      records,
      planned: records.length + missing,
      adaptive: !fixed,
      incomplete: missing === 0 ? null : incomplete,
      disagreements: [],
      notices: foreignNotices(source, foreign),
      wall_ms: records.reduce((sum, record) => sum + record.wall_ms, 0),
    },
    baseline,
  )
  const { decision } = results
  return { ...results, decision: { ...decision, reason: `By the pull request's own word: ${decision.reason}` } }
}

/** What was run there is not known here: the inputs of this job, and words in capitals for what it was not told. */
function repeatForeign(raw: RawInputs, pull: PullFacts): string {
  const given = (name: string, unknown: string): string => shellWord(raw[name] || unknown)
  const tasks = raw['tasks'] ? ` --tasks ${shellWord(raw['tasks'])}` : ''
  return `gh pr checkout ${pull.number} && npx genui-eval run --plugin ${given('plugin', 'PLUGIN_FOLDER')} --model ${given('model', 'MODEL')}${tasks}`
}

function foreignNotices(source: SourceRun, { unknown_tasks: unknown, contradicted }: ForeignRecords): string[] {
  const word = `These trials were made and uploaded by code of the pull request itself (run ${source.run_id}); they were counted anew here, but that they happened is its word. Re-run from a branch of this repository before you rely on it. Screenshots and transcripts are not taken over from a stranger; they are among the artifacts of that run.`
  return [
    word,
    ...(unknown.length === 0 ? [] : [`${unknown.length} tasks that this suite does not have were left out.`]),
    ...(contradicted === 0 ? [] : [`${contradicted} trials claimed to pass against their own checks; they count as failed.`]),
  ]
}
