import { RUBRIC_VERDICTS } from './judge.ts'
import type { TypeOf } from './schema.ts'

/** What `validate --judge --write-health` measured of a judge, and what a run wants to see before the judge may gate. */

export const JUDGE_HEALTH_SCHEMA_VERSION = 'genui-eval/judge-health@1'

/** What a judge's health is measured on. `label` = a trial of a run that a person has labelled. */
export const EXAMPLE_GROUPS = ['reference', 'trap', 'mutant', 'injection', 'label'] as const
export type ExampleGroup = (typeof EXAMPLE_GROUPS)[number]

const count = { type: 'integer', minimum: 0 } as const
const nullableShare = { type: ['number', 'null'], minimum: 0, maximum: 1 } as const

/** How many of `total` rubrics got the verdict that they must get. */
const passed = {
  type: 'object',
  additionalProperties: false,
  required: ['passed', 'total'],
  properties: { passed: count, total: count },
} as const

const failed = {
  type: 'object',
  additionalProperties: false,
  required: ['failed', 'total'],
  properties: { failed: count, total: count },
} as const

/** How often the judge gave the wrong one of two verdicts, with the exact (Clopper-Pearson) 95 % interval of the rate. */
const wrongVerdicts = {
  type: 'object',
  additionalProperties: false,
  required: ['count', 'of', 'rate', 'interval'],
  properties: {
    count,
    of: count,
    rate: { ...nullableShare, description: 'null when there was nothing to be wrong about' },
    interval: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 }, minItems: 2, maxItems: 2 },
  },
} as const

/** The health file. `fingerprint` is the `judge` part of a run's fingerprint: a file of another judge proves nothing. */
export const judgeHealthSchema = {
  $id: 'https://genui-eval.dev/schemas/judge-health-1.json',
  title: 'genui-eval judge health',
  type: 'object',
  additionalProperties: false,
  required: ['schema', 'fingerprint', 'references', 'traps', 'parse_failures', 'healthy', 'why'],
  properties: {
    schema: { const: JUDGE_HEALTH_SCHEMA_VERSION },
    fingerprint: { type: 'string', description: 'Judge part of the fingerprint of the runs that this file speaks for' },
    measured_at: { type: 'string', format: 'date-time' },
    references: { ...passed, description: 'Rubrics of reference apps, which must PASS' },
    traps: { ...failed, description: 'Rubrics of traps that break them, which must FAIL' },
    mutants: { ...failed, description: 'Rubrics of mutants that only a rubric can see, which must FAIL' },
    injections: { ...failed, description: 'Rubrics of apps that break them and order the judge to pass, which must FAIL' },
    parse_failures: { ...count, description: 'Rubrics without a verdict: anything but an exact answer with a quotation that is there' },
    labels: {
      type: 'object',
      additionalProperties: false,
      required: ['total', 'agreement', 'kappa', 'kappa_interval'],
      description: 'Against a label file made by people',
      properties: {
        total: count,
        agreement: nullableShare,
        kappa: { type: ['number', 'null'], minimum: -1, maximum: 1, description: "Cohen's kappa; null when it is not defined" },
        kappa_interval: {
          type: ['array', 'null'],
          items: { type: 'number', minimum: -1, maximum: 1 },
          minItems: 2,
          maxItems: 2,
        },
        confusion: {
          type: 'object',
          additionalProperties: false,
          required: ['both_pass', 'only_person_passes', 'only_judge_passes', 'both_fail'],
          properties: { both_pass: count, only_person_passes: count, only_judge_passes: count, both_fail: count },
        },
        false_pass: { ...wrongVerdicts, description: 'The judge passed what a person failed' },
        false_fail: { ...wrongVerdicts, description: 'The judge failed what a person passed' },
        left_out: { type: 'array', items: { type: 'string' }, description: 'Labels that could not be held against the judge, and why' },
      },
    },
    self_agreement: { ...nullableShare, description: 'Share of repeated questions that got the same verdict; null = not measured' },
    cost_per_verdict_usd: { type: ['number', 'null'], minimum: 0 },
    repeat: { type: 'integer', minimum: 1, description: 'How often every question was asked' },
    judgings: { ...count, description: 'Questions that were put to the judge, repetitions included' },
    malformed_answers: {
      ...count,
      description: 'Answers that were no verdict by their form, the first tries of questions that were then answered included',
    },
    unmeasured: { ...count, description: 'Questions that came to nothing through the service or the browser, not the judge' },
    trouble: { type: 'array', items: { type: 'string' }, description: 'Why questions came to nothing, each sentence once' },
    prompt_tokens: {
      type: 'object',
      additionalProperties: false,
      required: ['mean', 'largest'],
      properties: { mean: { type: 'number', minimum: 0 }, largest: count },
      description: 'Estimated, of the prompts that were sent',
    },
    false_pass: { ...wrongVerdicts, description: 'Fail examples (traps, mutants, injections) that the judge passed' },
    false_fail: { ...wrongVerdicts, description: 'References that the judge failed' },
    rubrics: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['task_id', 'rubric_id', 'references', 'traps', 'mutants', 'injections', 'prompt_tokens'],
        properties: {
          task_id: { type: 'string' },
          rubric_id: { type: 'string' },
          references: passed,
          traps: failed,
          mutants: failed,
          injections: failed,
          prompt_tokens: { ...count, description: 'Estimated, of the largest prompt' },
        },
      },
    },
    missed: {
      type: 'array',
      description: 'Questions that the judge did not answer as it must',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['task_id', 'rubric_id', 'group', 'specimen', 'expected', 'seen', 'why'],
        properties: {
          task_id: { type: 'string' },
          rubric_id: { type: 'string' },
          group: { enum: EXAMPLE_GROUPS },
          specimen: { type: 'string' },
          expected: { enum: RUBRIC_VERDICTS },
          seen: { enum: [...RUBRIC_VERDICTS, null], description: 'null = no verdict' },
          why: { type: 'string', description: "The judge's reason and quotation, or the trouble" },
        },
      },
    },
    healthy: { type: 'boolean', description: 'Whether this judge may gate' },
    why: { type: 'string', description: 'One sentence: what makes it healthy or not' },
  },
} as const
export type JudgeHealth = TypeOf<typeof judgeHealthSchema>
