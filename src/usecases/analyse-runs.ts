import { basename, resolve } from 'node:path'
import { UserError } from '../model/errors.ts'
import type { Fingerprint } from '../model/record.ts'
import type { Task } from '../model/task.ts'
import type { TwinAgreement } from '../model/twin.ts'
import { twinAgreement } from '../graders/twins.ts'
import { analyseTrials, type Estimators, type RunAnalysis, type TaskTraits } from '../report/analysis.ts'
import { compareRuns, type RunComparison, type RunToCompare } from '../report/analysis-comparison.ts'
import { analysisText, comparisonText, twinLines } from '../report/analysis-text.ts'
import { passAllK, passAtK, passRateInterval } from '../statistics/estimates.ts'
import { resampledMeanInterval } from '../statistics/resample.ts'
import { loadTasks } from '../tasks/load.ts'
import { readRecordedRun, type RecordedRun } from './recorded-run.ts'

/** The document of `genui-eval analyse --json`. */
export interface RunsAnalysis {
  readonly schema: 'genui-eval/analysis@1'
  readonly runs: readonly (RunAnalysis & {
    readonly run_folder: string
    readonly fingerprint: Fingerprint
    readonly plugin: string
    /** Agreement of the judge with the checks that decide the same question by code. */
    readonly rubric_twins: readonly TwinAgreement[]
  })[]
  /** Null for one run. */
  readonly comparison: RunComparison | null
}

const ESTIMATORS: Estimators = { passAllK, passAtK, rateInterval: passRateInterval, meanInterval: resampledMeanInterval }

export interface AnalyseOptions {
  readonly run_folder: string
  readonly other_run_folder: string | null
  /** Where category and explicitness come from for a run without results. */
  readonly tasks_folder: string
  /** Trials that must all pass; null takes the first run's own k. */
  readonly k: number | null
}

/**
 * Analyses one run, or two over the tasks that they share.
 * @throws UserError when a folder holds no run, or two runs share no task
 */
export async function analyseRuns(options: AnalyseOptions): Promise<RunsAnalysis> {
  const folders = [options.run_folder, ...(options.other_run_folder === null ? [] : [options.other_run_folder])]
  const runs = await Promise.all(folders.map(readRecordedRun))
  const tasks = await knownTasks(options.tasks_folder)
  const traits = traitsOf(runs, tasks)
  const k = options.k ?? runs[0]?.results?.run.k ?? 3
  const compared = await Promise.all(runs.map(toCompare))
  const [first, second] = compared
  const comparison = first === undefined || second === undefined ? null : compareRuns(first, second, k, traits, ESTIMATORS)
  if (comparison?.tasks.length === 0) {
    throw new UserError(
      `the two runs share no task in the same version, so nothing can be compared: ${comparison.left_out.slice(0, 5).join('; ')}`,
    )
  }
  return {
    schema: 'genui-eval/analysis@1',
    runs: compared.map(({ records, fingerprint, plugin }, index) => ({
      run_folder: resolve(folders[index] ?? ''),
      fingerprint,
      plugin,
      rubric_twins: twinAgreement(tasks, records),
      ...analyseTrials(records, k, traits, ESTIMATORS),
    })),
    comparison,
  }
}

/** The analysis for a person at a terminal. */
export function describeAnalysis({ runs, comparison }: RunsAnalysis): string {
  const [first, second] = runs
  if (first === undefined) return ''
  const name = ({ run_folder: folder, fingerprint, plugin }: RunsAnalysis['runs'][number]) =>
    `${basename(folder)}: ${fingerprint.agent}, ${fingerprint.model}, ${plugin}`
  if (comparison === null || second === undefined)
    return [name(first), '', analysisText(first), ...twinLines(first.rubric_twins)].join('\n')
  return comparisonText(comparison, [name(first), name(second)])
}

async function toCompare({ folder, results, records }: RecordedRun): Promise<RunToCompare> {
  const head = records.filter((record) => record.arm === 'head')
  const [first] = head
  if (first === undefined) throw new UserError([{ where: folder.path, at: '', message: 'holds no trial' }])
  return { fingerprint: first.fingerprint, plugin: await pluginOf(folder, results), records: head }
}

/** Name and version, with the digest that the run's plan holds: two builds of one version are two builds. */
async function pluginOf(folder: RecordedRun['folder'], results: RecordedRun['results']): Promise<string> {
  const plugin = results?.run.plugin
  const named = plugin === undefined ? 'plugin' : `${plugin.name} ${plugin.version}`.trim()
  const digest = /"plugin_digest": ?"(?:sha256:)?([^"]{1,12})/.exec((await folder.read('run.json')) ?? '')?.[1]
  return digest === undefined ? named : `${named} (${digest})`
}

function traitsOf(runs: readonly RecordedRun[], tasks: readonly Task[]): ReadonlyMap<string, TaskTraits> {
  const told = runs.flatMap(({ results }) => results?.tasks ?? []).map((task) => [task.task_id, task] as const)
  if (runs.every(({ results }) => results !== null)) return new Map(told)
  const held = tasks.map((task) => [task.task_id, { category: task.category, explicitness: task.prompt_explicitness }] as const)
  return new Map<string, TaskTraits>([...held, ...told])
}

/** None when the folder holds no tasks: a run can be analysed without them. */
async function knownTasks(tasksFolder: string): Promise<readonly Task[]> {
  const loaded = await loadTasks(tasksFolder, {}).catch((error: unknown) => {
    if (error instanceof UserError) return []
    throw error
  })
  return loaded.map(({ task }) => task)
}
