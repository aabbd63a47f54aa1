import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** A decoded task that is valid in every respect. */
export const GOOD_TASK = {
  $schema: '../task.schema.json',
  task_id: 'demo_01',
  suite_type: 'regression',
  category: 'topic_study',
  prompt_explicitness: 'explicit_ui',
  acceptable_ui_archetypes: ['interactive_quiz'],
  user_prompt: 'Build a quiz, "quoted", with\na line break.',
  mock_tool_context: [{ tool: 'read_file', args: { path: 'a.md' }, output: 'Zürich, 1 → 2' }],
  expected_tool_trigger: true,
  outcome_dom_assertions: {
    zero_js_errors: true,
    must_contain_strings: ['quiz'],
    required_selectors: ['button'],
    min_interactive_elements: 1,
  },
  outcome_interaction_steps: [{ action: 'set_range', selector: "input[type='range']", value: '5' }],
  expected_callback_schema: { type: 'object', required: ['action'], properties: { action: { type: 'string' } } },
  model_grader_rubrics: [{ id: 'is_quiz', criteria: 'PASS if it is a quiz.' }],
  reference_solution: 'reference.html',
} as const

/** The text answer's counterpart: a negative control. */
export const GOOD_NEGATIVE = {
  ...GOOD_TASK,
  task_id: 'demo_neg',
  expected_tool_trigger: false,
  outcome_dom_assertions: { must_contain_strings_in_text_response: ['42'] },
  outcome_interaction_steps: [],
  expected_callback_schema: null,
  reference_solution: 'reference.md',
} as const

/** A temporary folder holding these files (objects are written as JSON), removed after the test. */
export async function temporaryFolder(test: TestContext, files: Readonly<Record<string, string | object>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'genui-eval-tasks-'))
  test.after(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return root
}
