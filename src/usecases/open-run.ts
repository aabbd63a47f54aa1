import PQueue from 'p-queue'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectPlugin } from '../agents/inspect-plugin.ts'
import { pluginDigest } from '../agents/plugin-digest.ts'
import type { RunConfig } from '../model/config.ts'
import { UserError } from '../model/errors.ts'
import type { TrialRecord } from '../model/record.ts'
import type { LoadedTask } from '../model/task.ts'
import { openRecordLog } from '../records/record-log.ts'
import { startRelay } from '../relay/relay.ts'
import { loadTasks } from '../tasks/load.ts'
import { stopIfAborted, unlessAborted } from './cancellation.ts'
import { fingerprintOf } from './fingerprint.ts'
import { checkRunJudge, type KnownJudge } from './check-judge.ts'
import { closeRubricJudge, openRubricJudge, type RubricJudge } from './judge-trial.ts'
import { makeFolder } from './make-folder.ts'
import { openAgent } from './open-agent.ts'
import { openBrowser } from './open-browser.ts'
import { startRun, taskDigests } from './resume-run.ts'
import type { ProgressEvent, TrialLoop } from './run-trials.ts'

export type RunEvent = ProgressEvent | { readonly kind: 'remark'; readonly text: string }

/** What a door knows of a run besides the config. */
export interface RunSurroundings {
  /** Throws away what lies in the run folder. */
  readonly fresh: boolean
  /** Folder that outlives the run, for a Hermes environment; absent = the project's own. */
  readonly tool_cache?: string | null
  readonly signal: AbortSignal
  readonly onProgress: (event: RunEvent) => void
}

export interface PluginFacts {
  readonly name: string
  readonly version: string
  readonly digest: string
  /** What a reader must know of the build: that it does not load. */
  readonly notices: readonly string[]
}

/** A run with everything that trials need, open. Closing it ends agent, browser, relay and log in reverse order. */
export interface OpenRun extends AsyncDisposable {
  readonly run_id: string
  readonly started_at: string
  readonly tasks: readonly LoadedTask[]
  readonly plugin: PluginFacts
  readonly judge: KnownJudge
  /** Scored trials of an interrupted run. */
  readonly kept: readonly TrialRecord[]
  readonly loop: TrialLoop
}

/** Calls beyond the agent's own limit. */
const SUMMARY_CALLS = 3

/** Pages that are open at once: two cores are busy with two, and the others wait for timers and slow steps meanwhile. */
const PAGES_AT_ONCE = 4

/**
 * Loads tasks and plugin, then opens agent, browser, run folder, relay and log. `basePlugin` is the build that runs beside head in a paired
 * run. Throws UserError before anything is spent.
 */
export async function openRun(config: RunConfig, surroundings: RunSurroundings, basePlugin: string | null = null): Promise<OpenRun> {
  const { onProgress } = surroundings
  const began = Date.now()
  await checkOutputFolder(config.output_folder)
  const tasks = await loadTasks(config.tasks_folder, { suite: config.suite, ...(config.task_ids === null ? {} : { ids: config.task_ids }) })
  const plugin = await unlessAborted(describeBuilds(config, basePlugin), surroundings.signal)
  const judge = await checkRunJudge(config)
  const open = new AsyncDisposableStack()
  try {
    const log = (text: string) => onProgress({ kind: 'remark', text })
    const { signal, tool_cache: cacheFolder = null } = surroundings
    stopIfAborted(signal)
    const agent = open.adopt(await openAgent(config.agent, { cacheFolder, onProgress: log, signal }), (opened) => opened.close())
    stopIfAborted(signal)
    const engine = open.adopt(await openBrowser(config, log), (opened) => opened.close())
    stopIfAborted(signal)
    const fingerprint = fingerprintOf(config, agent, engine, judge.fingerprint)
    const identity = { suite: config.suite, seed: config.seed, plugin_digest: plugin.digest, fingerprint, tasks: taskDigests(tasks) }
    const { remark, kept, folder, ...start } = await startRun(
      config.output_folder,
      identity,
      surroundings.fresh,
      new Date(began).toISOString(),
    )
    if (remark !== null) log(remark)
    judge.notices.forEach(log)
    const relay = open.adopt(await openRelay(config, folder.path), (opened) => opened.close())
    const rubricJudge = open.adopt(await openRunJudge(config, folder.path), closeRubricJudge)
    const records = open.adopt(await openRecordLog(folder.path), (opened) => opened.close())
    const pages = new PQueue({ concurrency: PAGES_AT_ONCE })
    return {
      ...start,
      tasks,
      plugin,
      judge,
      kept,
      loop: {
        equipment: {
          config,
          run_id: start.run_id,
          agent,
          engine,
          relay,
          folder,
          fingerprint,
          inBrowser: (work) => pages.add(work),
          rubricJudge,
          pluginFolder: (arm) => (arm === 'base' && basePlugin !== null ? basePlugin : config.plugin_folder),
        },
        log: records,
        signal,
        budgetSpent: () =>
          budgetSentence(config, spentOn(relay.runUsage().cost_usd, rubricJudge), (Date.now() - began) / 60_000) ??
          judgeSentence(rubricJudge),
        onProgress,
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  } catch (error) {
    await open.disposeAsync()
    throw error
  }
}

/** Head's facts; those of a base build beside it go into the digest and the notices. */
async function describeBuilds(config: RunConfig, basePlugin: string | null): Promise<PluginFacts> {
  const head = await describePlugin(config, config.plugin_folder, 'plugin')
  if (basePlugin === null) return head
  const base = await describePlugin(config, basePlugin, 'base-plugin')
  const notices = base.notices.map((notice) => `Base build: ${notice}`)
  return { ...head, digest: `${head.digest} beside ${base.digest}`, notices: [...head.notices, ...notices] }
}

/** A missing folder is the user's mistake; a build that does not load is what the gate is there to find, so the trials show it. */
async function describePlugin(config: RunConfig, folder: string, input: string): Promise<PluginFacts> {
  if (config.agent.kind === 'replay') return { name: 'recorded', version: '', digest: 'replay', notices: [] }
  const manifest = await Promise.any(['plugin.yaml', 'plugin.yml'].map((name) => access(join(folder, name)))).then(
    () => true,
    () => false,
  )
  if (!manifest) {
    const message = `is no Hermes plugin: it has no plugin.yaml; point "${input}" at the folder that holds it`
    throw new UserError([{ where: folder, at: '', message }])
  }
  const python = config.agent.kind === 'builtin' || config.agent.kind === 'hermes' ? config.agent.python : null
  const [inspected, digest] = await Promise.all([inspectPlugin(folder, python), pluginDigest(folder)])
  if (inspected.status === 'ok') return { name: inspected.plugin.name, version: inspected.plugin.version, digest, notices: [] }
  return {
    name: 'unknown',
    version: '',
    digest,
    notices: [/does not load/.test(inspected.problem) ? inspected.problem : `The plugin build does not load: ${inspected.problem}`],
  }
}

function openRelay(config: RunConfig, folder: string) {
  return startRelay({
    upstream: config.base_url,
    apiKey: config.api_key,
    prices: config.prices,
    retries: config.retries,
    maxConcurrency: config.concurrency,
    caps: {
      // Hermes asks for one summary more when it reaches its own limit: that is the agent's failure to show, not a spent budget.
      trial: { calls: config.budget.model_calls + SUMMARY_CALLS },
      run: config.budget.max_cost_usd === null ? {} : { cost_usd: config.budget.max_cost_usd },
    },
    wireLogFolder: join(folder, 'wire'),
  })
}

function openRunJudge({ judge, prices, retries, concurrency, budget }: RunConfig, folder: string): Promise<RubricJudge> {
  return openRubricJudge(judge, { prices, retries, concurrency, max_cost_usd: budget.max_cost_usd, wire_log_folder: join(folder, 'wire') })
}

/** US dollars spent on agent and judge; what has no price is left out, null when nothing has one. */
function spentOn(agent: number | null, rubricJudge: RubricJudge): number | null {
  const judge = rubricJudge.kind === 'off' ? null : rubricJudge.judge.spent()
  return agent === null ? judge : agent + (judge ?? 0)
}

/** Trials that nobody can judge are not worth their cost. */
function judgeSentence(rubricJudge: RubricJudge): string | null {
  const hopeless = rubricJudge.kind === 'off' ? null : rubricJudge.judge.hopeless()
  return hopeless === null ? null : `the judge cannot be asked any more. ${hopeless}`
}

/** Sentence once a budget is spent, else null. `spent` = US dollars so far, null when prices are unknown. */
function budgetSentence(config: RunConfig, spent: number | null, minutes: number): string | null {
  const { max_cost_usd: maxCost, max_minutes: maxMinutes } = config.budget
  if (maxCost !== null && spent !== null && spent >= maxCost) return `the budget of $${maxCost} is spent`
  if (maxMinutes !== null && minutes >= maxMinutes) return `the budget of ${maxMinutes} minutes is spent`
  return null
}

/** Finds out before anything is spent whether results can be kept at all. */
async function checkOutputFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError([{ where: folder, at: '', message: `cannot be the output folder (${why}); name a folder that can be written` }])
  }
}
