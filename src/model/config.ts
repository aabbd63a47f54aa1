import type { AgentKind, ModelSettings } from './agent.ts'
import { AGENT_KINDS } from './agent.ts'
import { InputReader, type RawInputs } from './inputs.ts'
import { readJudgeChoice, type JudgeChoice } from './judge-choice.ts'
import { SUITES, type Suite } from './task.ts'
import { defaultMaxTrials, GATE_MODES, type GateSettings, type SpendingMetric } from './verdict.ts'

export type NetworkPolicy =
  | { readonly kind: 'mirror' }
  | { readonly kind: 'none' }
  | { readonly kind: 'allow'; readonly hosts: readonly string[] }
export type Webview =
  | { readonly kind: 'top' }
  | { readonly kind: 'iframe'; readonly sandbox: readonly string[]; readonly csp: string | null }

/** What the agent is and what it needs; paths are absolute. */
export type AgentChoice =
  | { readonly kind: 'builtin'; readonly python: string | null }
  | { readonly kind: 'hermes'; readonly python: string | null; readonly version: string; readonly as_shipped: boolean }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'replay'; readonly run_folder: string }

/** Everything a run depends on, validated. Built once by a door; trusted inside. */
export interface RunConfig {
  readonly suite: Suite
  /** Null = all tasks of the suite. */
  readonly task_ids: readonly string[] | null
  readonly tasks_folder: string
  readonly plugin_folder: string
  readonly agent: AgentChoice
  readonly model: ModelSettings
  readonly base_url: string
  /** Held by the relay alone. */
  readonly api_key: string | null
  readonly judge: JudgeChoice
  readonly gate: GateSettings
  readonly on_inconclusive: 'fail' | 'warn'
  /** Path inside the repository, e.g. `baselines/regression.json`. */
  readonly baseline_path: string
  /** A baseline file on disk in place of git; for local work. */
  readonly baseline_file: string | null
  /** Commit or ref whose baseline counts; null = found from the event. */
  readonly base_ref: string | null
  /** Head and base build run side by side in this run; the stored baseline then decides nothing. */
  readonly paired: boolean
  /** Base build of a paired run; null = the plugin folder as the base commit holds it. */
  readonly base_plugin_folder: string | null
  /** Tasks that may be missing from the suite although the baseline has them. */
  readonly accepted_removals: readonly string[]
  /** Tasks whose edit since the baseline is meant, so that failing them does not hold up the verdict. */
  readonly accepted_changes: readonly string[]
  readonly network: NetworkPolicy
  readonly webview: Webview
  readonly browser_path: string | null
  /** Trials at once. */
  readonly concurrency: number
  /** Further tries of a trial after infrastructure trouble. */
  readonly retries: number
  readonly budget: {
    readonly max_cost_usd: number | null
    readonly max_minutes: number | null
    readonly trial_seconds: number
    readonly model_calls: number
  }
  /** US dollars per million tokens by model name; null = costs unknown. */
  readonly prices: PriceTable | null
  readonly output_folder: string
  readonly seed: number
  /** The model service is the scripted stand-in; said wherever results are shown. */
  readonly scripted_model: boolean
}

/** US dollars per million tokens. */
export type PriceTable = Readonly<Record<string, { readonly input: number; readonly output: number; readonly cache_read?: number }>>

/**
 * Translates raw inputs (Action inputs or command-line options, same names) into a RunConfig.
 * `absolute` resolves a path against the workspace or working directory.
 * Throws UserError with every problem at once.
 */
export function parseRunConfig(raw: RawInputs, absolute: (path: string) => string): RunConfig {
  const read = new InputReader(raw)
  const suite = read.choice('suite', SUITES, 'regression')
  const k = read.integer('k', { min: 1, max: 100, fallback: 3 })
  const maxTrials = read.integer('max-trials', { min: 1, max: 1000, fallback: defaultMaxTrials(k) })
  if (maxTrials < k) read.problem('max-trials', `must be at least k (${k}); it is ${maxTrials}`)
  const output = absolute(read.text('output-folder', '.genui-eval/run'))
  const kind = read.choice('agent', AGENT_KINDS, 'hermes')
  const service = { base_url: read.url('base-url', 'https://api.openai.com/v1'), api_key: read.optional('api-key') }
  const config: RunConfig = {
    suite,
    task_ids: read.list('tasks'),
    tasks_folder: absolute(read.required('tasks-folder')),
    plugin_folder: absolute(read.required('plugin')),
    agent: readAgent(read, kind, absolute),
    model: {
      name: kind === 'replay' ? read.text('model', 'recorded') : read.required('model'),
      temperature: read.optionalNumber('temperature', { min: 0, max: 2 }),
      max_tokens: read.optionalInteger('max-tokens', { min: 1, max: 10_000_000 }),
      effort: read.optional('effort'),
    },
    ...service,
    judge: readJudgeChoice(read, service, absolute),
    gate: {
      mode: read.choice('gate', GATE_MODES, 'statistical'),
      k,
      alpha: read.number('alpha', { min: 0.0001, max: 0.5, fallback: 0.05 }),
      max_trials: Math.max(maxTrials, k),
      golden_floor: read.number('golden-floor', { min: 0, max: 1, fallback: 0.5 }),
      ...readSpendingLimits(read),
    },
    on_inconclusive: read.choice('on-inconclusive', ['fail', 'warn'] as const, 'fail'),
    baseline_path: read.text('baseline-path', `baselines/${suite}.json`),
    baseline_file: mapOptional(read.optional('baseline-file'), absolute),
    base_ref: read.optional('base-ref'),
    ...readPairing(read, kind, absolute),
    accepted_removals: read.list('accepted-removals') ?? [],
    accepted_changes: read.list('accepted-changes') ?? [],
    network: readNetworkPolicy(read),
    webview: readWebviewChoice(read),
    browser_path: mapOptional(read.optional('browser-path'), absolute),
    concurrency: read.integer('concurrency', { min: 1, max: 64, fallback: 2 }),
    retries: read.integer('retries', { min: 0, max: 10, fallback: 2 }),
    budget: {
      max_cost_usd: read.optionalNumber('max-cost', { min: 0, max: 1_000_000 }),
      max_minutes: read.optionalNumber('max-minutes', { min: 0.1, max: 100_000 }),
      trial_seconds: read.number('trial-seconds', { min: 1, max: 7200, fallback: 300 }),
      model_calls: read.integer('model-calls', { min: 1, max: 1000, fallback: 30 }),
    },
    prices: readPrices(read),
    output_folder: output,
    seed: read.integer('seed', { min: 0, max: 2 ** 31 - 1, fallback: 1 }),
    scripted_model: read.flag('scripted-model', false),
  }
  read.throwIfBad()
  return config
}

function readAgent(read: InputReader, kind: AgentKind, absolute: (path: string) => string): AgentChoice {
  const python = read.optional('python')
  switch (kind) {
    case 'builtin':
      return { kind, python }
    case 'hermes':
      return { kind, python, version: readHermesVersion(read, absolute), as_shipped: read.flag('hermes-as-shipped', false) }
    case 'command':
      return { kind, command: read.required('agent-command') }
    case 'replay':
      return { kind, run_folder: absolute(read.required('replay-folder')) }
  }
}

/** Input `hermes-version`: a release, or the path (with a slash in it) of a checkout or an interpreter, made absolute. */
export function readHermesVersion(read: InputReader, absolute: (path: string) => string): string {
  const value = read.text('hermes-version', '0.19.0')
  if (/[/\\]/.test(value)) return absolute(value)
  if (/^\d+(\.\d+)+[\w.]*$/.test(value)) return value
  read.problem('hermes-version', `must be a release such as 0.19.0, or a path such as ./hermes-agent; it is "${value}"`)
  return value
}

function readPairing(
  read: InputReader,
  agent: AgentKind,
  absolute: (path: string) => string,
): { paired: boolean; base_plugin_folder: string | null } {
  const paired = read.flag('paired', false)
  const base = mapOptional(read.optional('base-plugin'), absolute)
  if (paired && agent === 'replay') read.problem('paired', 'needs an agent that can run both builds; replay plays back one that has run')
  if (paired && read.optional('baseline-file') !== null) {
    read.problem('baseline-file', 'has no use in a paired run, which compares with the base build; leave one of the two out')
  }
  if (!paired && base !== null) read.problem('base-plugin', 'is the base build of a paired run; add paired: true')
  return { paired, base_plugin_folder: base }
}

const SPENDING_INPUTS: readonly (readonly [string, SpendingMetric])[] = [
  ['max-cost-increase', 'cost_usd'],
  ['max-tokens-increase', 'tokens'],
  ['max-time-increase', 'wall_ms'],
  ['max-tool-calls-increase', 'tool_calls'],
]

/** Percent over the baseline; a metric without a limit is shown and never gates. */
function readSpendingLimits(read: InputReader): Pick<GateSettings, 'max_increase'> {
  const limits = SPENDING_INPUTS.flatMap(([name, metric]) => {
    const limit = read.optionalNumber(name, { min: 0, max: 100_000 })
    return limit === null ? [] : [[metric, limit] as const]
  })
  return limits.length === 0 ? {} : { max_increase: Object.fromEntries(limits) }
}

/** Input `network`. */
export function readNetworkPolicy(read: InputReader): NetworkPolicy {
  const value = read.text('network', 'mirror')
  if (value === 'mirror' || value === 'none') return { kind: value }
  const hosts = value.split(/[\s,]+/).filter((host) => host !== '')
  const bad = hosts.filter((host) => !/^[a-z0-9.-]+\.[a-z]{2,}$/i.test(host))
  if (bad.length > 0) read.problem('network', `must be mirror, none, or a list of host names; "${bad.join(', ')}" is neither`)
  return { kind: 'allow', hosts }
}

const SANDBOX_FLAGS = /^allow-[a-z-]+$/

/** Inputs `webview`, `webview-sandbox` and `webview-csp`. */
export function readWebviewChoice(read: InputReader): Webview {
  const kind = read.choice('webview', ['top', 'iframe'] as const, 'top')
  const sandbox = read.text('webview-sandbox', 'allow-scripts').split(/\s+/)
  const csp = read.optional('webview-csp')
  const bad = sandbox.filter((flag) => !SANDBOX_FLAGS.test(flag))
  if (bad.length > 0)
    read.problem('webview-sandbox', `must be sandbox flags such as "allow-scripts allow-forms"; "${bad.join(' ')}" is not one`)
  return kind === 'top' ? { kind } : { kind, sandbox, csp }
}

/** Input `prices`. */
export function readPrices(read: InputReader): PriceTable | null {
  const text = read.optional('prices')
  if (text === null) return null
  const parsed = parsePriceTable(text)
  if (parsed === null) {
    read.problem('prices', 'must be JSON like {"model-name": {"input": 2.5, "output": 10}} in US dollars per million tokens')
  }
  return parsed
}

function parsePriceTable(text: string): PriceTable | null {
  try {
    const value: unknown = JSON.parse(text)
    return isPriceTable(value) ? value : null
  } catch {
    return null
  }
}

function isPriceTable(value: unknown): value is PriceTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isModelPrice)
}

function isModelPrice(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('input' in value) || !('output' in value)) return false
  return isPrice(value.input) && isPrice(value.output) && (!('cache_read' in value) || isPrice(value.cache_read))
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function mapOptional<T>(value: string | null, map: (value: string) => T): T | null {
  return value === null ? null : map(value)
}
