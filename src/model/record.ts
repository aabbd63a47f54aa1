import { INFRA_CLASSES } from './errors.ts'
import { FAILURE_CLASSES, GRADERS } from './check.ts'
import type { TypeOf } from './schema.ts'
import { SUITES } from './task.ts'

const count = { type: 'integer', minimum: 0 } as const
const nullableString = { type: ['string', 'null'] } as const

/** What must be equal for two runs to be comparable, by part. The task digest is kept per task, beside it. */
export const fingerprintSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['graders', 'agent', 'model', 'judge', 'network', 'browser'],
  properties: {
    graders: { type: 'string', description: 'version of the graders' },
    agent: { type: 'string', description: 'kind and version' },
    model: { type: 'string', description: 'name and parameters' },
    judge: { type: 'string', description: '`off`, or judge model and prompt version' },
    network: { type: 'string', description: 'network policy and webview' },
    browser: { type: 'string', description: 'name and major version' },
  },
} as const
export type Fingerprint = TypeOf<typeof fingerprintSchema>
export const FINGERPRINT_PARTS = ['graders', 'agent', 'model', 'judge', 'network', 'browser'] as const

export const checkSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['grader', 'name', 'status', 'failure_class', 'diagnostic', 'evidence'],
  properties: {
    grader: { enum: GRADERS },
    name: { type: 'string' },
    status: { enum: ['pass', 'fail', 'skipped'] },
    failure_class: { enum: [...FAILURE_CLASSES, null] },
    diagnostic: { type: 'boolean' },
    evidence: {
      type: 'object',
      additionalProperties: false,
      required: ['message'],
      properties: {
        message: { type: 'string' },
        expected: { type: 'string' },
        seen: { type: 'string' },
        selector: { type: 'string' },
        step: { type: 'integer' },
        state: { type: 'integer' },
        screenshot: { type: 'string' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['requirement', 'met', 'how'],
            properties: { requirement: { type: 'string' }, met: { type: 'boolean' }, how: { type: 'string' } },
          },
        },
      },
    },
  },
} as const

const recordedStep = {
  type: 'object',
  additionalProperties: false,
  required: ['number', 'by', 'action', 'target', 'name', 'value', 'status', 'changed', 'sent', 'detail'],
  properties: {
    number: count,
    by: { enum: ['declared', 'explorer', 'variation'] },
    action: { type: 'string' },
    target: { type: 'string' },
    name: { type: 'string' },
    value: nullableString,
    status: { enum: ['done', 'no_match', 'failed'] },
    changed: { type: ['boolean', 'null'] },
    sent: { type: 'boolean' },
    detail: { type: 'string' },
  },
} as const

/** What judging one trial took. Absent when the judge is off or was not asked. */
const judgeUsageSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['calls', 'cached_votes', 'malformed_answers', 'attempts', 'prompt_tokens', 'tokens', 'cost_usd', 'ms', 'trouble'],
  properties: {
    calls: count,
    cached_votes: { ...count, description: 'Votes taken from the cache' },
    malformed_answers: { ...count, description: 'Answers that were no verdict by their form' },
    attempts: { type: 'integer', minimum: 1, description: 'How often the judge was asked for this trial; more than one after trouble' },
    prompt_tokens: { ...count, description: 'Estimated tokens of the largest prompt; 0 when nothing was asked' },
    tokens: { ...count, description: 'Input and output tokens as the service counted them' },
    cost_usd: { type: ['number', 'null'], minimum: 0 },
    ms: { type: 'number', minimum: 0 },
    trouble: { type: ['string', 'null'], description: 'Why there is no verdict of the judge; null when there is one' },
  },
} as const

const nullableNumber = { type: ['number', 'null'] } as const
const requestSettings = { model: nullableString, temperature: nullableNumber, max_tokens: nullableNumber, effort: nullableString } as const

/** What went to the model service, and who answered, against what was asked for. Absent when no call was made. */
const wireSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['asked', 'sent', 'answered_by', 'agrees', 'differs'],
  properties: {
    asked: {
      type: 'object',
      additionalProperties: false,
      required: ['model', 'temperature', 'max_tokens', 'effort'],
      properties: requestSettings,
      description: 'Null = left to the service',
    },
    sent: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['model', 'temperature', 'max_tokens', 'effort', 'calls'],
        properties: { ...requestSettings, calls: { ...count, description: 'Calls that were sent like this' } },
      },
    },
    answered_by: { type: 'array', items: { type: 'string' }, description: 'Models that the service named in its answers' },
    agrees: { type: 'boolean' },
    differs: { type: 'array', items: { type: 'string' }, description: 'One clause for each difference; empty when all agrees' },
  },
} as const

/** What the agent's half of a trial left behind. */
const finalStateSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['agent', 'final_text', 'app', 'files'],
  properties: {
    agent: { enum: ['completed', 'failed', 'infra'], description: 'How the agent ended' },
    final_text: { type: 'string', description: 'Its start, when it is long; the transcript has all of it' },
    app: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['from', 'bytes', 'sha256'],
      properties: { from: { enum: ['result', 'file', 'arguments'] }, bytes: count, sha256: { type: 'string' } },
    },
    files: {
      type: 'array',
      description: "Files in the agent's working folder at the end",
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'bytes', 'sha256'],
        properties: { path: { type: 'string' }, bytes: count, sha256: nullableString },
      },
    },
  },
} as const

export const RECORD_SCHEMA_VERSION = 'genui-eval/record@1'

/** One trial, one JSON line in `records.jsonl`. */
export const recordSchema = {
  $id: 'https://genui-eval.dev/schemas/record-1.json',
  title: 'genui-eval trial record',
  type: 'object',
  additionalProperties: false,
  required: [
    'schema',
    'run_id',
    'trial_id',
    'task_id',
    'task_digest',
    'suite',
    'arm',
    'index',
    'stage',
    'seed',
    'fingerprint',
    'started_at',
    'wall_ms',
    'attempts',
    'verdict',
    'failure_class',
    'infra_class',
    'detail',
    'score',
    'checks',
    'callbacks',
    'reached_by',
    'steps',
    'tokens',
    'cost_usd',
    'model_calls',
    'model_ms',
    'tool_calls',
    'requests',
    'screenshots',
    'transcript_file',
    'app_file',
  ],
  properties: {
    schema: { const: RECORD_SCHEMA_VERSION },
    run_id: { type: 'string' },
    trial_id: { type: 'string', description: '<task_id>-<arm>-<index>' },
    task_id: { type: 'string' },
    task_digest: { type: 'string' },
    suite: { enum: SUITES },
    arm: { enum: ['head', 'base'] },
    index: { ...count, description: 'Number of the trial within its task and arm, from 0' },
    stage: { ...count, description: 'Stage of the adaptive design that asked for it, from 0' },
    seed: count,
    fingerprint: fingerprintSchema,
    started_at: { type: 'string', format: 'date-time' },
    wall_ms: { type: 'number', minimum: 0 },
    attempts: { type: 'integer', minimum: 1, description: 'How often it was tried; more than one after infrastructure trouble' },
    verdict: { enum: ['pass', 'fail', 'infra'] },
    failure_class: { enum: [...FAILURE_CLASSES, null] },
    infra_class: { enum: [...INFRA_CLASSES, null] },
    detail: { type: 'string', description: 'One sentence: the first failed check, or the trouble' },
    score: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    checks: { type: 'array', items: checkSchema },
    callbacks: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['t_ms', 'step', 'valid', 'payload', 'reason'],
        properties: { t_ms: { type: 'number' }, step: count, valid: { type: 'boolean' }, payload: {}, reason: nullableString },
      },
    },
    reached_by: { enum: ['declared', 'explorer', null] },
    steps: { type: 'array', items: recordedStep },
    tokens: {
      type: 'object',
      additionalProperties: false,
      required: ['input', 'output', 'cache_read', 'reasoning'],
      properties: { input: count, output: count, cache_read: count, reasoning: count },
    },
    cost_usd: { type: ['number', 'null'], minimum: 0 },
    model_calls: count,
    model_ms: { type: 'number', minimum: 0 },
    judge: judgeUsageSchema,
    tool_calls: count,
    wire: wireSchema,
    settings_hash: {
      type: 'string',
      description: 'Equal for records that were made under the same settings, whatever build was under test',
    },
    final_state: finalStateSchema,
    requests: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['url', 'answer'],
        properties: { url: { type: 'string' }, answer: { enum: ['mirrored', 'blocked', 'document'] } },
      },
    },
    screenshots: { type: 'array', items: { type: 'string' }, description: 'Paths relative to the run folder' },
    transcript_file: nullableString,
    app_file: nullableString,
  },
} as const
export type TrialRecord = TypeOf<typeof recordSchema>
export type RecordedJudging = TypeOf<typeof judgeUsageSchema>
export type WireAudit = TypeOf<typeof wireSchema>
export type FinalState = TypeOf<typeof finalStateSchema>
