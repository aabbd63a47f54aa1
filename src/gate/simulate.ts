import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { GateSettings, GateTask, RunVerdictName, TaskCounts, TrialOutcome } from '../model/verdict.ts'
import { plainContext } from './context.ts'
import { countTrials } from './count-trials.ts'
import { judge } from './judge.ts'
import { planNextStage } from './stages.ts'

/** What to simulate: `tasks` tasks, of which `changed` have fallen from `p_base` to `p_head`. */
export interface PowerQuestion {
  readonly runs: number
  readonly seed: number
  /** Trials a task in the baseline; stands for nothing in a paired run. */
  readonly baseline_n: number
  /** Both builds are run side by side; trials are then counted for each build. Default false. */
  readonly paired?: boolean
  readonly k: number
  readonly tasks: number
  /** One rate for all tasks, or several that are dealt out in turn (mixed suites). */
  readonly p_base: number | readonly number[]
  readonly p_head: number
  readonly changed: number
  readonly max_trials: number
  readonly alpha: number
}

export interface PowerAnswer {
  /** Share of runs with verdict `fail`. */
  readonly any_red: number
  readonly inconclusive: number
  /** Share of runs that call at least one of the tasks that fell `regressed`; null when none fell. */
  readonly named: number | null
  readonly mean_trials_per_task: number
  /** Mean over runs of the smallest drop that the design sees; null when it sees none in most runs. */
  readonly smallest_drop_seen: number | null
  /** "pass^k fell", with the first k trials. */
  readonly naive: { readonly any_red: number }
  /** The same tests with one look at a size fixed in advance, that costs at least as much as the adaptive design on identical builds. */
  readonly fixed: { readonly any_red: number; readonly trials_per_task: number }
}

/** Source of trial outcomes: true with the probability given. */
export type Coin = (probability: number) => boolean

const MILLION = 2 ** 31 - 1

function seededCoin(seed: number): Coin {
  const generator = xoroshiro128plus(seed)
  return (probability) => uniformInt(generator, 0, MILLION - 1) < probability * MILLION
}

interface SimulatedTask {
  readonly task_id: string
  readonly head_rate: number
  readonly fell: boolean
  readonly base_rate: number
  /** Stored baseline; null in a paired run. */
  readonly baseline: TaskCounts | null
  readonly trials: TrialOutcome[]
  /** The base build's trials of a paired run. */
  readonly base_trials: TrialOutcome[]
}

/**
 * Plays whole runs through the gate's own `planNextStage` and `judge`: baseline and head are both drawn at random, so that the rates include
 * a baseline that was lucky or unlucky.
 */
export function simulatePower(question: PowerQuestion): PowerAnswer {
  const settings = settingsOf(question, 'statistical', question.max_trials)
  const context = plainContext('2000-01-01')
  const coin = seededCoin(question.seed)
  const tally = { red: 0, inconclusive: 0, named: 0, trials: 0, naive: 0, drops: [] as number[] }
  for (let run = 0; run < question.runs; run += 1) {
    const tasks = drawTasks(question, coin)
    playStages(tasks, settings, coin)
    const judgement = judge(tasks.map(asGateTask), settings, context)
    if (judgement.verdict === 'fail') tally.red += 1
    if (judgement.verdict === 'inconclusive') tally.inconclusive += 1
    if (judgement.tasks.some(({ assessed, status }) => status === 'regressed' && fellIn(tasks, assessed.task.task_id))) tally.named += 1
    if (judgement.smallest_drop_seen !== null) tally.drops.push(judgement.smallest_drop_seen)
    tally.trials += trialsOf(tasks)
    if (naiveVerdict(tasks, question) === 'fail') tally.naive += 1
  }
  const meanTrials = tally.trials / question.runs / question.tasks
  const fixedTrials = Math.max(question.k, Math.ceil(question.changed === 0 ? meanTrials : everydayTrials(question)))
  return {
    any_red: tally.red / question.runs,
    inconclusive: tally.inconclusive / question.runs,
    named: question.changed === 0 ? null : tally.named / question.runs,
    mean_trials_per_task: meanTrials,
    smallest_drop_seen: tally.drops.length * 2 < question.runs ? null : average(tally.drops),
    naive: { any_red: tally.naive / question.runs },
    fixed: { any_red: fixedRedRate(question, fixedTrials), trials_per_task: fixedTrials },
  }
}

/** Mean trials a task on identical builds: what the adaptive design costs on an ordinary day. */
function everydayTrials(question: PowerQuestion): number {
  const settings = settingsOf(question, 'statistical', question.max_trials)
  const coin = seededCoin(question.seed ^ 0x2545f491)
  const runs = Math.min(question.runs, 1000)
  let trials = 0
  for (let run = 0; run < runs; run += 1) {
    const tasks = drawTasks({ ...question, changed: 0 }, coin)
    playStages(tasks, settings, coin)
    trials += trialsOf(tasks)
  }
  return trials / runs / question.tasks
}

function trialsOf(tasks: readonly SimulatedTask[]): number {
  return tasks.reduce((sum, { trials }) => sum + trials.length, 0)
}

/** What "pass^k fell" would have said of the first k trials. */
function naiveVerdict(tasks: readonly SimulatedTask[], question: PowerQuestion): RunVerdictName {
  const strict = settingsOf(question, 'strict', question.k)
  return judge(
    tasks.map((task) => fixedTask(task, question.k)),
    strict,
    plainContext('2000-01-01'),
  ).verdict
}

function settingsOf({ k, alpha }: PowerQuestion, mode: GateSettings['mode'], maxTrials: number): GateSettings {
  return { mode, k, alpha, max_trials: maxTrials, golden_floor: 0 }
}

function drawTasks(question: PowerQuestion, coin: Coin): SimulatedTask[] {
  const rates = typeof question.p_base === 'number' ? [question.p_base] : question.p_base
  return Array.from({ length: question.tasks }, (_, i) => {
    const rate = rates[i % rates.length] ?? 1
    const fell = i < question.changed
    const baseline = question.paired === true ? null : countTrials(draw(question.baseline_n, rate, coin))
    const head = fell ? question.p_head : rate
    return { task_id: `task-${i + 1}`, head_rate: head, base_rate: rate, fell, baseline, trials: [], base_trials: [] }
  })
}

function draw(trials: number, rate: number, coin: Coin): TrialOutcome[] {
  return Array.from({ length: trials }, () => (coin(rate) ? 'pass' : 'fail'))
}

function playStages(tasks: readonly SimulatedTask[], settings: GateSettings, coin: Coin): void {
  const context = plainContext('2000-01-01')
  for (;;) {
    const requests = planNextStage(tasks.map(asGateTask), settings, context)
    if (requests.length === 0) return
    const wanted = new Map(requests.map(({ task_id: id, trials }) => [id, trials]))
    for (const task of tasks) drawMore(task, wanted.get(task.task_id) ?? 0, coin)
  }
}

function drawMore(task: SimulatedTask, trials: number, coin: Coin): void {
  task.trials.push(...draw(trials, task.head_rate, coin))
  if (task.baseline === null) task.base_trials.push(...draw(trials, task.base_rate, coin))
}

function asGateTask({ task_id: id, baseline, trials, base_trials: base }: SimulatedTask): GateTask {
  const task = { task_id: id, golden: false, head: countTrials(trials), head_trials: trials, changed: false, quarantine: null }
  return baseline === null ? { ...task, baseline: countTrials(base), baseline_trials: base } : { ...task, baseline }
}

/** The task as a design with `n` trials fixed in advance would have it. */
function fixedTask({ task_id: id, baseline, trials, base_trials: base }: SimulatedTask, n: number): GateTask {
  const before = baseline ?? countTrials(base.slice(0, n))
  return { task_id: id, golden: false, head: countTrials(trials.slice(0, n)), baseline: before, changed: false, quarantine: null }
}

function fixedRedRate(question: PowerQuestion, n: number): number {
  const settings = settingsOf(question, 'statistical', n)
  const context = plainContext('2000-01-01')
  const coin = seededCoin(question.seed ^ 0x5bd1e995)
  let red = 0
  for (let run = 0; run < question.runs; run += 1) {
    const tasks = drawTasks(question, coin)
    for (const task of tasks) drawMore(task, n, coin)
    if (
      judge(
        tasks.map((task) => fixedTask(task, n)),
        settings,
        context,
      ).verdict === 'fail'
    )
      red += 1
  }
  return red / question.runs
}

function fellIn(tasks: readonly SimulatedTask[], taskId: string): boolean {
  return tasks.some(({ task_id: id, fell }) => fell && id === taskId)
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
