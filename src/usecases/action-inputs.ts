import { resolve } from 'node:path'
import type { RawInputs } from '../model/inputs.ts'
import { readInputs, type InputReader } from '../model/inputs.ts'
import { createRedactor } from '../model/redaction.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const MODES = ['run', 'baseline', 'publish', 'merge'] as const

/** Inputs of the Action that say how to report; those of the run itself are in RunConfig. */
export interface ReportingInputs {
  readonly mode: (typeof MODES)[number]
  readonly comment: boolean
  readonly check_run: boolean
  readonly comment_id: string
  readonly upload_artifacts: boolean
  readonly inline_images: boolean
  readonly artifact_name: string
  readonly retention_days: number | null
  readonly github_token: string | null
  readonly on_inconclusive: 'fail' | 'warn'
}

/** Part `number` of `of`, both from 1. */
export interface Shard {
  readonly number: number
  readonly of: number
}

/** Inputs of `mode: baseline`. */
export interface BaselineInputs {
  /** Trials of each task. */
  readonly trials: number
  readonly write: 'commit' | 'pull-request'
  /** Why a regression may enter the baseline; null = it may not. */
  readonly accept_regression: string | null
}

/** All inputs of the Action that are not the run's own. */
export interface ActionInputs extends ReportingInputs {
  /** Null = the run is whole. */
  readonly shard: Shard | null
  readonly baseline: BaselineInputs
}

/** Inputs as the runner gives them: `INPUT_<NAME>`, upper case, dashes kept. */
export function rawActionInputs(env: Environment): RawInputs {
  const inputs = Object.entries(env).filter(([name]) => name.startsWith('INPUT_'))
  return Object.fromEntries(inputs.map(([name, value]) => [name.slice('INPUT_'.length).toLowerCase(), value]))
}

/** Throws UserError with every bad input at once. */
export function readActionInputs(raw: RawInputs): ActionInputs {
  return readInputs(raw, (read) => ({
    ...readReporting(read),
    shard: readShard(read),
    baseline: {
      trials: read.integer('baseline-trials', { min: 1, max: 1000, fallback: 10 }),
      write: read.choice('baseline-write', ['pull-request', 'commit'] as const, 'pull-request'),
      accept_regression: read.optional('accept-regression'),
    },
  }))
}

function readReporting(read: InputReader): ReportingInputs {
  return {
    mode: read.choice('mode', MODES, 'run'),
    comment: read.flag('comment', true),
    check_run: read.flag('check-run', true),
    comment_id: read.text('comment-id', 'default'),
    upload_artifacts: read.flag('upload-artifacts', true),
    inline_images: read.flag('inline-images', false),
    artifact_name: read.text('artifact-name', 'genui-eval'),
    retention_days: read.optionalInteger('retention-days', { min: 1, max: 400 }),
    github_token: read.optional('github-token'),
    on_inconclusive: read.choice('on-inconclusive', ['fail', 'warn'] as const, 'fail'),
  }
}

const MOST_SHARDS = 256

/** Input `shard`; null when the run is whole. */
export function readShard(read: InputReader): Shard | null {
  const given = read.optional('shard')
  if (given === null) return null
  const [, first, second] = /^(\d+)\/(\d+)$/.exec(given) ?? []
  const shard = { number: Number(first), of: Number(second) }
  if (shard.number >= 1 && shard.number <= shard.of && shard.of <= MOST_SHARDS) return shard
  read.problem('shard', `must be a part of the whole such as 1/3, at most ${MOST_SHARDS} of them; it is "${given}"`)
  return null
}

/** Fewest trials of a task in a shard when the user names no number. */
const SHARD_TRIALS = 10

/** Trials of each task in a shard, whose number is fixed in advance: `max-trials`, else enough to see more than a whole failure. */
export function shardTrials(raw: RawInputs, k: number): number {
  return readInputs(raw, (read) => read.integer('max-trials', { min: k, max: 1000, fallback: Math.max(SHARD_TRIALS, 2 * k) }))
}

const SECRET_INPUTS = ['api-key', 'judge-api-key', 'github-token'] as const

/** Secrets among the inputs and the runner's own tokens. */
export function secretsOf(raw: RawInputs, env: Environment): string[] {
  const values = [...SECRET_INPUTS.map((name) => raw[name]), env['ACTIONS_RUNTIME_TOKEN'], env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']]
  return values.flatMap((value) => (value === undefined || value === '' ? [] : [value]))
}

export function redactorOf(raw: RawInputs, env: Environment): (text: string) => string {
  return createRedactor(secretsOf(raw, env))
}

/** Resolves a path against the workspace. */
export function inWorkspace(env: Environment): (path: string) => string {
  const workspace = env['GITHUB_WORKSPACE'] ?? process.cwd()
  return (path) => resolve(workspace, path)
}
