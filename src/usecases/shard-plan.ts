import { Ajv, type ValidateFunction } from 'ajv'
import { UserError } from '../model/errors.ts'
import { fingerprintSchema } from '../model/record.ts'
import type { TypeOf } from '../model/schema.ts'
import { SUITES } from '../model/task.ts'
import type { Shard } from './action-inputs.ts'

export const SHARD_SCHEMA_VERSION = 'genui-eval/shard@1'
export const SHARD_FILE = 'shard.json'

const text = { type: 'string' } as const
const atLeastOne = { type: 'integer', minimum: 1 } as const

/** What a shard was to do and under which conditions; beside its records. The merge holds the records against it. */
const shardSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'schema',
    'number',
    'of',
    'run_id',
    'run_attempt',
    'suite',
    'trials',
    'seed',
    'tasks',
    'own',
    'fingerprint',
    'plugin',
    'notices',
    'repeat_command',
    'wall_ms',
  ],
  properties: {
    schema: { const: SHARD_SCHEMA_VERSION },
    number: atLeastOne,
    of: atLeastOne,
    run_id: { type: 'integer', description: 'Workflow run' },
    run_attempt: { type: 'integer', description: 'Attempt of the workflow run that made this shard' },
    suite: { enum: SUITES },
    trials: { ...atLeastOne, description: 'Trials of each task; fixed in advance' },
    seed: { type: 'integer' },
    tasks: { type: 'object', additionalProperties: text, description: 'Digest of every task of the whole run' },
    own: { type: 'array', items: text, description: 'Tasks of this shard' },
    fingerprint: fingerprintSchema,
    plugin: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'name', 'version', 'digest'],
      properties: { path: text, name: text, version: text, digest: text },
    },
    notices: { type: 'array', items: text },
    repeat_command: text,
    wall_ms: { type: 'number', minimum: 0 },
  },
} as const
export type ShardPlan = TypeOf<typeof shardSchema>

let check: ValidateFunction<ShardPlan> | undefined

/** A shard's plan from its text. Throws UserError when it is none; `where` names it. */
export function parseShardPlan(json: string, where: string): ShardPlan {
  check ??= new Ajv({ allErrors: false, allowUnionTypes: true }).compile<ShardPlan>(shardSchema)
  const value = parseOrNull(json)
  if (check(value)) return value
  const [error] = check.errors ?? []
  throw new UserError([
    { where, at: error?.instancePath ?? '', message: `${error?.message ?? 'is wrong'}; this is no shard of this version` },
  ])
}

function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/**
 * Tasks of a shard: every n-th of the sorted ids, so that the shards are disjoint, complete and the same on every machine.
 * Throws UserError when the shard would be empty.
 */
export function tasksOfShard(taskIds: readonly string[], { number, of }: Shard): string[] {
  const own = [...taskIds].sort().filter((_, index) => index % of === number - 1)
  if (own.length > 0) return own
  throw new UserError([
    { where: 'input "shard"', at: '', message: `part ${number}/${of} is empty: there are only ${taskIds.length} tasks` },
  ])
}

/** Trial ids that a shard must have recorded. */
export function expectedTrials(plan: ShardPlan): string[] {
  return plan.own.flatMap((taskId) => Array.from({ length: plan.trials }, (_, index) => `${taskId}-head-${index}`))
}
