import { judgeHealthSchema } from '../model/judge-health.ts'
import { fingerprintSchema, recordSchema } from '../model/record.ts'
import { RESULTS_SCHEMA_VERSION } from '../model/results.ts'
import { SUITES } from '../model/task.ts'
import { GATE_MODES, RUN_VERDICTS, TASK_STATUSES } from '../model/verdict.ts'

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const count = { type: 'integer', minimum: 0 } as const
const orNull = (schema: Readonly<Record<string, unknown>>) => ({ anyOf: [schema, { type: 'null' }] })
const object = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', required: Object.keys(properties), properties })
const listOf = (items: Readonly<Record<string, unknown>>) => ({ type: 'array', items })

const interval = orNull(object({ low: number, high: number }))
const taskEstimate = object({
  n: count,
  c: count,
  infra: count,
  pass_k: orNull(number),
  pass_at_k: orNull(number),
  pass_k_interval: interval,
})
const suiteEstimate = object({ pass_k: orNull(number), pass_at_k: orNull(number), interval, tasks: count })

const taskVerdict = object({
  task_id: text,
  status: { enum: TASK_STATUSES },
  head: orNull(taskEstimate),
  baseline: orNull(taskEstimate),
  p_value: orNull(number),
  level: orNull(number),
  reason: text,
  golden: { type: 'boolean' },
  quarantine: orNull(object({ owner: text, reason: text, expires: text })),
})

const origin = {
  anyOf: [
    object({ kind: { const: 'base_commit' }, commit: text, path: text }),
    object({ kind: { const: 'stand_in' }, commit: text, path: text, why: text }),
    object({ kind: { const: 'file' }, path: text }),
    object({ kind: { const: 'paired' } }),
    object({ kind: { const: 'none' }, why: text }),
  ],
}

const { $id: _, ...record } = recordSchema
const { $id: __, ...judgeHealth } = judgeHealthSchema

const judgeReport = object({
  trials: count,
  unanswered: count,
  calls: count,
  cached_votes: count,
  malformed_answers: count,
  tokens: count,
  cost_usd: orNull(number),
  prompt_tokens: orNull(object({ median: number, most: number })),
  health: orNull(judgeHealth),
})

const whole = object({
  schema: { const: RESULTS_SCHEMA_VERSION },
  run: object({
    id: text,
    started_at: text,
    finished_at: text,
    suite: { enum: SUITES },
    k: { type: 'integer', minimum: 1 },
    plugin: object({ path: text, name: text, version: text }),
    head_commit: orNull(text),
    fingerprint: fingerprintSchema,
    scripted_model: { type: 'boolean' },
    repeat_command: text,
  }),
  decision: object({
    verdict: { enum: RUN_VERDICTS },
    reason: text,
    mode: { enum: GATE_MODES },
    k: { type: 'integer', minimum: 1 },
    tasks: listOf(taskVerdict),
    suite: object({ head: suiteEstimate, baseline: suiteEstimate, p_value: orNull(number), level: orNull(number) }),
    smallest_drop_seen: orNull(number),
  }),
  baseline_origin: origin,
  fingerprint_differences: listOf(text),
  notices: listOf(text),
  totals: object({ planned: count, pass: count, fail: count, infra: count, missing: count }),
  spending: object({
    cost_usd: orNull(number),
    tokens: number,
    wall_ms: number,
    comparison: listOf(
      object({
        metric: { enum: ['cost_usd', 'tokens', 'wall_ms', 'tool_calls'] },
        head: orNull(number),
        baseline: orNull(number),
      }),
    ),
  }),
  tasks: listOf(
    object({
      task_id: text,
      category: text,
      explicitness: text,
      user_prompt: text,
      cause: orNull(object({ failure_class: text, trials: count, example: text })),
    }),
  ),
  trials: listOf(record),
})

/** What `results.json` must hold for the reports to be made from it. Later versions may add to it. */
export const resultsSchema = { ...whole, properties: { ...whole.properties, judge: judgeReport } }
