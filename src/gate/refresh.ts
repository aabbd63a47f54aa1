import { BASELINE_SCHEMA_VERSION, type BaselineFile } from '../model/baseline.ts'
import type { Fingerprint } from '../model/record.ts'
import type { Suite } from '../model/task.ts'
import type { GateSettings, GateTask, TrialOutcome } from '../model/verdict.ts'
import { plainContext } from './context.ts'
import { countTrials } from './count-trials.ts'
import { judge, type Judgement } from './judge.ts'
import { fingerprintDifferences, pooledCounts, POOL_WINDOW } from './pool.ts'

type StoredTask = BaselineFile['tasks'][string]
type Refresh = StoredTask['refreshes'][number]

/** One task of a refresh run. */
export interface RefreshTask {
  readonly task_id: string
  readonly digest: string
  readonly golden: boolean
  /** Trials that the run was to make; fixed in advance. */
  readonly planned: number
  readonly trials: readonly TrialOutcome[]
  /** Trials by failure class. */
  readonly failures: Readonly<Record<string, number>>
  /** Medians a trial; null when unknown. */
  readonly cost_usd: number | null
  readonly wall_ms: number | null
  readonly tokens: number | null
  readonly tool_calls: number | null
}

/** A refresh run that is to be pooled into the baseline. */
export interface RefreshRun {
  readonly suite: Suite
  readonly fingerprint: Fingerprint
  /** Full SHA of the commit whose build was run. */
  readonly commit: string
  /** ISO time of the run; with `commit` it identifies the refresh, so that writing twice does no harm. */
  readonly date: string
  readonly tasks: readonly RefreshTask[]
  /** False when only some tasks were run: the others stay as they are. */
  readonly whole_suite: boolean
  /** Why a regression is accepted; null when none is. */
  readonly accept_regression: string | null
  readonly note: string | null
}

export type RefreshOutcome =
  | { readonly kind: 'write'; readonly file: BaselineFile }
  | { readonly kind: 'leave'; readonly why: string }
  | { readonly kind: 'refuse'; readonly reasons: readonly string[] }

/** Refreshes kept in the file: more than are pooled, so that drift can be seen. */
const KEPT_REFRESHES = 2 * POOL_WINDOW
/** Share of trials that infrastructure may have cost before a run is no baseline. */
const INFRA_SHARE = 0.1

/**
 * Pools a refresh run into the baseline that stands. `newer` are the commits named there that come after this run's: against those this run
 * is late, so it is filed before them, and never resets what they set. Pure: called again on a file that another refresh has just changed,
 * it loses neither.
 */
export function mergeRefresh(
  standing: BaselineFile | null,
  run: RefreshRun,
  newer: ReadonlySet<string>,
  settings: Pick<GateSettings, 'k' | 'alpha' | 'golden_floor'>,
): RefreshOutcome {
  const reasons = refusals(run, settings.k)
  if (reasons.length > 0) return { kind: 'refuse', reasons }
  const late = standing !== null && commitsOf(standing).some((commit) => newer.has(commit))
  const comparable = standing !== null && fingerprintDifferences(standing.fingerprint, run.fingerprint).length === 0
  if (late && !comparable) {
    return { kind: 'leave', why: 'A newer commit has refreshed the baseline under another fingerprint; this run came too late.' }
  }
  const previous = comparable ? standing.tasks : {}
  const verdict = compareWithStanding(previous, run, settings)
  if (verdict.verdict === 'fail' && run.accept_regression === null) {
    return { kind: 'refuse', reasons: [`${verdict.reason} To accept it, give accept-regression a reason.`] }
  }
  const accepted = acceptedTasks(verdict)
  const tasks = new Map(Object.entries(run.whole_suite && !late ? {} : previous))
  for (const task of run.tasks) {
    const stored = previous[task.task_id]
    const overtaken = stored !== undefined && stored.digest !== task.digest && stored.refreshes.some(({ commit }) => newer.has(commit))
    if (!overtaken) tasks.set(task.task_id, withRefresh(stored, task, run, newer, accepted.has(task.task_id)))
  }
  const note = run.note ?? standing?.note ?? null
  const file: BaselineFile = {
    schema: BASELINE_SCHEMA_VERSION,
    ...(note === null ? {} : { note }),
    suite: run.suite,
    fingerprint: run.fingerprint,
    tasks: Object.fromEntries(tasks),
  }
  return { kind: 'write', file }
}

/** Commits named in a baseline, each once. */
export function commitsOf(file: BaselineFile): string[] {
  return [...new Set(Object.values(file.tasks).flatMap(({ refreshes }) => refreshes.map(({ commit }) => commit)))]
}

/** What makes a run no baseline, whatever it found. */
function refusals(run: RefreshRun, k: number): string[] {
  if (run.tasks.length === 0) return ['The run holds no task.']
  const reasons: string[] = []
  const counted = run.tasks.map((task) => ({ task, counts: countTrials(task.trials) }))
  const incomplete = counted.filter(({ task }) => task.trials.length < task.planned)
  if (incomplete.length > 0) {
    const names = incomplete.map(({ task }) => `${task.task_id} (${task.trials.length} of ${task.planned})`)
    reasons.push(`The run is incomplete: ${names.join(', ')}. Resume it, then refresh.`)
  }
  const uneven = counted.filter(({ task }) => task.trials.length > task.planned)
  if (uneven.length > 0) {
    const names = uneven.map(({ task }) => task.task_id)
    reasons.push(`Tasks with more trials than planned, as an adaptive run makes, bend a baseline: ${names.join(', ')}.`)
  }
  const unmeasured = counted.filter(({ counts }) => counts.n < k)
  if (unmeasured.length > 0) {
    reasons.push(`Fewer than ${k} trials could be counted: ${unmeasured.map(({ task }) => task.task_id).join(', ')}.`)
  }
  const trials = counted.reduce((sum, { task }) => sum + task.trials.length, 0)
  const infra = counted.reduce((sum, { counts }) => sum + counts.infra, 0)
  if (infra > INFRA_SHARE * trials) reasons.push(`Infrastructure cost ${infra} of ${trials} trials; at most a tenth may be lost.`)
  return reasons
}

function compareWithStanding(
  previous: Readonly<Record<string, StoredTask>>,
  run: RefreshRun,
  settings: Pick<GateSettings, 'k' | 'alpha' | 'golden_floor'>,
): Judgement {
  const tasks = run.tasks.map((task): GateTask => {
    const stored = previous[task.task_id]
    return {
      task_id: task.task_id,
      golden: task.golden,
      head: countTrials(task.trials),
      baseline: stored === undefined ? null : pooledCounts(stored.refreshes),
      changed: stored !== undefined && stored.digest !== task.digest,
      quarantine: null,
    }
  })
  return judge(tasks, { ...settings, mode: 'statistical', max_trials: settings.k }, plainContext(run.date.slice(0, 10)))
}

/** The regressed tasks; when only the suite as a whole fell, all that were compared. */
function acceptedTasks({ verdict, tasks }: Judgement): ReadonlySet<string> {
  if (verdict !== 'fail') return new Set()
  const regressed = tasks.filter(({ status }) => status === 'regressed')
  const chosen = regressed.length > 0 ? regressed : tasks.filter(({ assessed }) => assessed.evidence !== null)
  return new Set(chosen.map(({ assessed }) => assessed.task.task_id))
}

function withRefresh(
  stored: StoredTask | undefined,
  task: RefreshTask,
  run: RefreshRun,
  newer: ReadonlySet<string>,
  accepted: boolean,
): StoredTask {
  const { n, c } = countTrials(task.trials)
  const refresh: Refresh = {
    commit: run.commit,
    date: run.date,
    n,
    c,
    failures: { ...task.failures },
    cost_usd: task.cost_usd,
    wall_ms: task.wall_ms,
    tokens: task.tokens,
    tool_calls: task.tool_calls,
    ...(accepted && run.accept_regression !== null ? { accepted_regression: run.accept_regression } : {}),
  }
  const kept = stored === undefined || stored.digest !== task.digest ? [] : stored.refreshes
  const others = kept.filter((other) => other.commit !== run.commit || other.date !== run.date)
  const firstNewer = others.findIndex(({ commit }) => newer.has(commit))
  const place = firstNewer === -1 ? others.length : firstNewer
  return { digest: task.digest, refreshes: [...others.slice(0, place), refresh, ...others.slice(place)].slice(-KEPT_REFRESHES) }
}
