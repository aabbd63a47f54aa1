/** Two runs over the same tasks: what differs between them, and by how much. */
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import type { Interval } from '../model/verdict.ts'
import { analyseTrials, type Estimators, type RunAnalysis, type TaskTraits } from './analysis.ts'

/** A run as the comparison sees it. */
export interface RunToCompare {
  readonly fingerprint: Fingerprint
  /** Plugin build in words. */
  readonly plugin: string
  readonly records: readonly TrialRecord[]
}

export interface SettingDifference {
  readonly setting: string
  readonly first: string
  readonly second: string
}

export interface TaskComparison {
  readonly task_id: string
  readonly first: { readonly n: number; readonly c: number }
  readonly second: { readonly n: number; readonly c: number }
  /** Second minus first pass rate, −1..1; null when either was not measured. */
  readonly difference: number | null
}

export interface RunComparison {
  /** Settings that are not equal. A difference in figures can be put down to one of them only when it is alone. */
  readonly differences: readonly SettingDifference[]
  readonly statement: string
  /** Tasks that both runs hold in the same version; all figures are over these. */
  readonly tasks: readonly string[]
  /** Tasks left out: `task_id: why`. */
  readonly left_out: readonly string[]
  readonly first: RunAnalysis
  readonly second: RunAnalysis
  /** Mean over tasks of second minus first pass rate, with the interval that resampling tasks gives. */
  readonly success_difference: { readonly mean: number | null; readonly interval: Interval | null }
  readonly by_task: readonly TaskComparison[]
}

/** Compares two runs over the tasks that both hold in the same version. */
export function compareRuns(
  first: RunToCompare,
  second: RunToCompare,
  k: number,
  traits: ReadonlyMap<string, TaskTraits>,
  estimate: Estimators,
): RunComparison {
  const { tasks, leftOut } = commonTasks(first.records, second.records)
  const common = new Set(tasks)
  const [mine, theirs] = [first, second].map(({ records }) => records.filter((record) => common.has(record.task_id)))
  const byTask = tasks.map((id) => compareTask(id, mine ?? [], theirs ?? []))
  const steps = byTask.map(({ difference }) => difference).filter((difference) => difference !== null)
  const differences = settingDifferences(first, second)
  return {
    differences,
    statement: statementOf(differences),
    tasks,
    left_out: leftOut,
    first: analyseTrials(mine ?? [], k, traits, estimate),
    second: analyseTrials(theirs ?? [], k, traits, estimate),
    success_difference: {
      mean: steps.length === 0 ? null : steps.reduce((total, value) => total + value, 0) / steps.length,
      interval: estimate.meanInterval(steps),
    },
    by_task: byTask,
  }
}

function commonTasks(first: readonly TrialRecord[], second: readonly TrialRecord[]): { tasks: string[]; leftOut: string[] } {
  const digests = (records: readonly TrialRecord[]) => new Map(records.map((record) => [record.task_id, record.task_digest]))
  const [mine, theirs] = [digests(first), digests(second)]
  const all = [...new Set([...mine.keys(), ...theirs.keys()])].sort()
  const why = (id: string): string | null => {
    if (!theirs.has(id)) return 'only in the first run'
    if (!mine.has(id)) return 'only in the second run'
    return mine.get(id) === theirs.get(id) ? null : 'the task was changed between the runs'
  }
  return {
    tasks: all.filter((id) => why(id) === null),
    leftOut: all.flatMap((id) => (why(id) === null ? [] : [`${id}: ${why(id)}`])),
  }
}

function compareTask(id: string, first: readonly TrialRecord[], second: readonly TrialRecord[]): TaskComparison {
  const count = (records: readonly TrialRecord[]) => {
    const own = records.filter((record) => record.task_id === id && record.verdict !== 'infra')
    return { n: own.length, c: own.filter((record) => record.verdict === 'pass').length }
  }
  const [before, after] = [count(first), count(second)]
  const difference = before.n === 0 || after.n === 0 ? null : after.c / after.n - before.c / before.n
  return { task_id: id, first: before, second: after, difference }
}

/** Every setting by itself: a model's name and its parameters are several. */
function settingsOf({ fingerprint, plugin }: RunToCompare): Map<string, string> {
  const { model, ...parts } = fingerprint
  const [name = '', ...parameters] = model.split(' ')
  const given = parameters.map((parameter) => {
    const [key = '', ...value] = parameter.split('=')
    return [key, value.join('=')] as const
  })
  return new Map([['plugin build', plugin], ['model', name], ...given, ...Object.entries(parts)])
}

function settingDifferences(first: RunToCompare, second: RunToCompare): SettingDifference[] {
  const [mine, theirs] = [settingsOf(first), settingsOf(second)]
  return [...new Set([...mine.keys(), ...theirs.keys()])]
    .map((setting) => ({ setting, first: mine.get(setting) ?? 'not set', second: theirs.get(setting) ?? 'not set' }))
    .filter((difference) => difference.first !== difference.second)
}

function statementOf(differences: readonly SettingDifference[]): string {
  const [only, ...others] = differences
  if (only === undefined) return 'The settings are the same, so only chance differs between the runs.'
  if (others.length === 0) return `Only the ${only.setting} differs: ${only.first} → ${only.second}.`
  const list = differences.map(({ setting, first, second }) => `${setting} (${first} → ${second})`).join(', ')
  return `${differences.length} things differ, so no figure below can be put down to one of them: ${list}.`
}
