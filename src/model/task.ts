import { recomputationSchema } from './recomputation.ts'
import type { TypeOf } from './schema.ts'

const strings = { type: 'array', items: { type: 'string' } } as const

export const SUITES = ['regression', 'capability'] as const
export type Suite = (typeof SUITES)[number]

export const STEP_ACTIONS = ['click', 'set_range', 'fill', 'select', 'check', 'uncheck', 'press', 'wait_for'] as const

/** Names of all deterministic checks, as `grader.name`; a trap names the one that must catch it. */
export const CHECK_IDS = [
  'transcript.expected_tool_trigger',
  'transcript.must_contain_strings_in_text_response',
  'dom.page_alive',
  'dom.zero_js_errors',
  'dom.not_blank',
  'dom.must_contain_strings',
  'dom.must_be_rendered_strings',
  'dom.required_selectors',
  'dom.min_interactive_elements',
  'interaction.declared_steps',
  'interaction.reactivity',
  'interaction.live_controls',
  'interaction.answers_hidden',
  'interaction.initial_state',
  'interaction.recomputed',
  'callback.premature_callback',
  'callback.received',
  'callback.schema',
  'callback.payload_patterns',
  'callback.payload_reflects_state',
] as const
export type CheckId = (typeof CHECK_IDS)[number]

const interactionStep = {
  type: 'object',
  additionalProperties: false,
  required: ['action', 'selector'],
  properties: {
    action: { enum: STEP_ACTIONS },
    selector: { type: 'string', minLength: 1, description: 'CSS selector; ARIA equivalents match too' },
    value: { type: 'string', description: 'Number for set_range, text for fill, option for select, key for press' },
  },
} as const

/** Tool calls that belong to a reference or trap. */
const specimenCalls = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'args', 'result'],
    properties: { name: { type: 'string', minLength: 1 }, args: { type: 'object' }, result: { type: 'string' } },
  },
} as const

/**
 * `tasks/<task_id>/task.json`: the benchmark's 13 columns as decoded JSON, then our own keys.
 * Published as `tasks/task.schema.json`.
 */
export const taskSchema = {
  $id: 'https://genui-eval.dev/schemas/task-1.json',
  title: 'genui-eval task',
  type: 'object',
  additionalProperties: false,
  required: [
    'task_id',
    'suite_type',
    'category',
    'prompt_explicitness',
    'acceptable_ui_archetypes',
    'user_prompt',
    'mock_tool_context',
    'expected_tool_trigger',
    'outcome_dom_assertions',
    'outcome_interaction_steps',
    'expected_callback_schema',
    'model_grader_rubrics',
    'reference_solution',
  ],
  properties: {
    $schema: { type: 'string' },
    task_id: { type: 'string', pattern: '^[a-z][a-z0-9_]{2,63}$' },
    suite_type: { enum: SUITES },
    category: { type: 'string', minLength: 1 },
    prompt_explicitness: { enum: ['explicit_ui', 'semi_guided', 'implicit_intent'] },
    acceptable_ui_archetypes: strings,
    user_prompt: { type: 'string', minLength: 1 },
    mock_tool_context: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool', 'args', 'output'],
        properties: {
          tool: { enum: ['read_file', 'web_search', 'execute_command', 'memory_read', 'fetch_unread_emails'] },
          args: { type: 'object' },
          output: { type: 'string', minLength: 1 },
        },
      },
    },
    expected_tool_trigger: { type: 'boolean' },
    outcome_dom_assertions: {
      type: 'object',
      additionalProperties: false,
      properties: {
        zero_js_errors: { type: 'boolean' },
        must_contain_strings: strings,
        required_selectors: strings,
        min_interactive_elements: { type: 'integer', minimum: 0, maximum: 1000 },
        must_contain_strings_in_text_response: strings,
      },
    },
    outcome_interaction_steps: { type: 'array', items: interactionStep },
    expected_callback_schema: { type: ['object', 'null'], description: 'JSON Schema of the payload, or null when no callback is expected' },
    model_grader_rubrics: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'criteria'],
        properties: { id: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' }, criteria: { type: 'string', minLength: 1 } },
      },
    },
    reference_solution: { enum: ['reference.html', 'reference.md'], description: 'File in the task folder that holds the reference' },
    completed_fields: { ...strings, description: 'Columns that were cut in the published row and are completed in our own words' },
    context_delivery: {
      enum: ['tools', 'history'],
      description: 'Default tools; history puts the mocked calls before the prompt as earlier turns',
    },
    golden: {
      type: 'boolean',
      description: 'Must not fall below the golden floor whatever the baseline says; negative controls are golden by default',
    },
    own_assertions: {
      type: 'object',
      additionalProperties: false,
      description: 'Assertions of this project, beside the published ones',
      properties: {
        must_be_rendered_strings: { ...strings, description: 'Must be visible to a user in some observed state' },
        payload_reflects_state: {
          type: 'boolean',
          description: 'The payload must change when the user chooses differently; default true when the payload carries choices',
        },
        reactivity: { type: 'boolean', description: 'A range that is moved must change something else; default true' },
        live_controls: { type: 'boolean', description: 'Most buttons must do something; default true' },
        answers_hidden: { ...strings, description: 'Must not be visible before the first interaction' },
        initially_checked: { ...strings, description: 'Labels of boxes that must be ticked at first' },
        initially_unchecked: { ...strings, description: 'Labels of boxes that must not be ticked at first' },
        revealed_by_interaction: { ...strings, description: 'Must become visible in some state (computed results, details)' },
        recomputes: { type: 'array', items: recomputationSchema, description: 'What must follow a range that is moved' },
        payload_patterns: {
          type: 'object',
          additionalProperties: { type: 'string', minLength: 1 },
          description: 'By field of the payload: a regular expression (Unicode mode) that its text must match',
        },
      },
    },
    rubric_twins: {
      type: 'object',
      additionalProperties: { type: 'array', minItems: 1, items: { enum: CHECK_IDS } },
      description: 'By rubric id: checks that decide the same question by code; how often they agree with the judge is reported',
    },
    reference_tool_calls: {
      ...specimenCalls,
      description: 'Tool calls that the agent of the reference made before its answer, render_micro_app apart',
    },
    traps: {
      type: 'array',
      description: 'Plausible wrong answers in traps/, each with the check that must catch it',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'fails', 'why'],
        properties: {
          file: { type: 'string', pattern: '^[a-z0-9_-]+\\.(html|md)$' },
          fails: { anyOf: [{ enum: CHECK_IDS }, { type: 'string', pattern: '^rubric\\.[a-z0-9_]+$' }] },
          also_fails: {
            type: 'array',
            items: { type: 'string', pattern: '^rubric\\.[a-z0-9_]+$' },
            description: 'Rubrics that a careful person would fail too, though a check catches the trap first',
          },
          tool_calls: specimenCalls,
          why: { type: 'string', minLength: 1 },
        },
      },
    },
  },
} as const

export type Task = TypeOf<typeof taskSchema>
export type MockToolCall = Task['mock_tool_context'][number]
export type SpecimenToolCall = TypeOf<typeof specimenCalls>[number]

/** A reference or trap: the final document (`html`) or the text that the agent answered with (`md`). */
export interface Specimen {
  readonly file: string
  readonly kind: 'app' | 'text'
  readonly content: string
  /** Tool calls that the agent made before, `render_micro_app` apart; absent means none. */
  readonly tool_calls?: readonly SpecimenToolCall[]
}

/** A plausible wrong answer. */
export interface Trap extends Specimen {
  /** The check or rubric that must catch it. */
  readonly fails: string
  /** Rubrics that fail it as well; absent means none. */
  readonly also_fails?: readonly string[]
  readonly why: string
}

/** A task folder, read and validated. */
export interface LoadedTask {
  readonly task: Task
  /** Absolute folder path. */
  readonly folder: string
  /** `sha256:` over what decides a grade: task.json without `$schema`, `traps`, `rubric_twins`, `reference_solution` and `reference_tool_calls`. */
  readonly digest: string
  readonly reference: Specimen
  readonly traps: readonly Trap[]
}
