import type { TypeOf } from './schema.ts'
import { fingerprintSchema } from './record.ts'
import { SUITES } from './task.ts'

export const BASELINE_SCHEMA_VERSION = 'genui-eval/baseline@1'
const count = { type: 'integer', minimum: 0 } as const

/** `baselines/<suite>.json`: per task a window of recent refreshes, newest last, keys sorted. */
export const baselineSchema = {
  $id: 'https://genui-eval.dev/schemas/baseline-1.json',
  title: 'genui-eval baseline',
  type: 'object',
  additionalProperties: false,
  required: ['schema', 'suite', 'fingerprint', 'tasks'],
  properties: {
    schema: { const: BASELINE_SCHEMA_VERSION },
    note: { type: 'string' },
    suite: { enum: SUITES },
    fingerprint: fingerprintSchema,
    tasks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['digest', 'refreshes'],
        properties: {
          digest: { type: 'string' },
          refreshes: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['commit', 'date', 'n', 'c', 'failures', 'cost_usd', 'wall_ms'],
              properties: {
                commit: { type: 'string' },
                date: { type: 'string', format: 'date-time' },
                n: count,
                c: count,
                failures: { type: 'object', additionalProperties: count, description: 'Trials by failure class' },
                cost_usd: { type: ['number', 'null'], description: 'Median US dollars a trial' },
                wall_ms: { type: ['number', 'null'], description: 'Median wall time a trial' },
                tokens: { type: ['number', 'null'], description: 'Median tokens a trial' },
                tool_calls: { type: ['number', 'null'], description: 'Median tool calls a trial' },
                accepted_regression: {
                  type: 'string',
                  description: 'Reason given with accept-regression; counts before it are not pooled',
                },
              },
            },
          },
        },
      },
    },
  },
} as const
export type BaselineFile = TypeOf<typeof baselineSchema>

export const QUARANTINE_SCHEMA_VERSION = 'genui-eval/quarantine@1'
/** `baselines/quarantine.json`, read from the base commit: tasks that are run and shown, but do not gate. */
export const quarantineSchema = {
  $id: 'https://genui-eval.dev/schemas/quarantine-1.json',
  title: 'genui-eval quarantine',
  type: 'object',
  additionalProperties: false,
  required: ['schema', 'tasks'],
  properties: {
    schema: { const: QUARANTINE_SCHEMA_VERSION },
    tasks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['owner', 'reason', 'expires'],
        properties: {
          owner: { type: 'string', minLength: 1 },
          reason: { type: 'string', minLength: 1 },
          expires: { type: 'string', format: 'date' },
        },
      },
    },
  },
} as const
export type QuarantineFile = TypeOf<typeof quarantineSchema>
