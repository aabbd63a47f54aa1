import type { TypeOf } from './schema.ts'
import { RUBRIC_VERDICTS } from './judge.ts'

/** What people said of trials, rubric by rubric: what the judge is held against. */

export const LABEL_SCHEMA_VERSION = 'genui-eval/label@1'

/** One line of a label file. A later line for the same run, trial and rubric replaces the earlier one. */
export const labelSchema = {
  $id: 'https://genui-eval.dev/schemas/label-1.json',
  title: 'genui-eval label',
  type: 'object',
  additionalProperties: false,
  required: ['schema', 'run_id', 'trial_id', 'task_id', 'rubric_id', 'app_sha256', 'verdict', 'labelled_at'],
  properties: {
    schema: { const: LABEL_SCHEMA_VERSION },
    run_id: { type: 'string', minLength: 1 },
    trial_id: { type: 'string', minLength: 1 },
    task_id: { type: 'string', minLength: 1 },
    rubric_id: { type: 'string', minLength: 1 },
    app_sha256: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'Of the document that was seen (UTF-8); of the answer in words when nothing was rendered',
    },
    verdict: { enum: [...RUBRIC_VERDICTS, null], description: 'null takes an earlier label back' },
    labelled_at: { type: 'string', format: 'date-time' },
    note: { type: 'string', maxLength: 2000 },
  },
} as const
export type LabelLine = TypeOf<typeof labelSchema>

/** A label that stands. */
export type Label = LabelLine & { readonly verdict: Exclude<LabelLine['verdict'], null> }

/** Names what was labelled. */
export function labelKey({
  run_id: run,
  trial_id: trial,
  rubric_id: rubric,
}: Pick<LabelLine, 'run_id' | 'trial_id' | 'rubric_id'>): string {
  return [run, trial, rubric].join('\u0000')
}
