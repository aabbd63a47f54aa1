import type { ObservedControl, ObservedState, Outcome, PerformedStep } from '../../src/model/outcome.ts'
import type { Task } from '../../src/model/task.ts'
import type { MicroApp, ToolCall, Transcript } from '../../src/model/transcript.ts'

/** Smallest whole values, for tests to vary. */

export function aTask(changes: Partial<Task> = {}): Task {
  return {
    task_id: 'demo_01',
    suite_type: 'regression',
    category: 'demo',
    prompt_explicitness: 'explicit_ui',
    acceptable_ui_archetypes: [],
    user_prompt: 'Show me.',
    mock_tool_context: [],
    expected_tool_trigger: true,
    outcome_dom_assertions: {
      zero_js_errors: true,
      must_contain_strings: ['RunPod'],
      required_selectors: ['button'],
      min_interactive_elements: 2,
    },
    outcome_interaction_steps: [{ action: 'click', selector: 'button' }],
    expected_callback_schema: {
      type: 'object',
      required: ['action', 'files'],
      properties: { action: { type: 'string' }, files: { type: 'array', items: { type: 'string' } } },
    },
    model_grader_rubrics: [],
    reference_solution: 'reference.html',
    ...changes,
  }
}

export function aControl(name: string, changes: Partial<ObservedControl> = {}): ObservedControl {
  return { key: `html>${name}`, kind: 'button', name, checked: null, ...changes }
}

export function aState(changes: Partial<ObservedState> & { readonly rendered?: string } = {}): ObservedState {
  const { rendered = 'RunPod costs', ...rest } = changes
  return {
    index: 0,
    label: 'settled',
    text: { rendered, hidden: '', attributes: '', form_values: '' },
    controls: [aControl('Send'), aControl('Filter')],
    selectors: { button: { count: 2, matched_by: 'button' } },
    canvas_hash: null,
    painted: true,
    screenshot: null,
    ...rest,
  }
}

export function aStep(changes: Partial<PerformedStep> = {}): PerformedStep {
  return {
    number: 1,
    by: 'declared',
    action: 'click',
    target: 'button',
    name: 'Send',
    value: null,
    status: 'done',
    changed: true,
    sent: true,
    detail: '',
    ...changes,
  }
}

export function anOutcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    end: 'observed',
    end_detail: '',
    states: [aState()],
    steps: [aStep()],
    bridge_calls: [{ ok: true, t_ms: 900, step: 1, payload: { action: 'delete', files: ['a.iso'] } }],
    script_errors: [],
    requests: [],
    dialogs: [],
    reached_by: 'declared',
    variations: [{ steps: [], difference: 'another box ticked', payloads: [{ action: 'delete', files: ['b.zip'] }] }],
    source: '<!doctype html><title>x</title>',
    diagnostics: { console_warnings: 0, document_bytes: 30, settle_ms: 1, total_ms: 2, accessibility_violations: null },
    ...changes,
  }
}

export function aRender(changes: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'c1',
    name: 'render_micro_app',
    args: { html: '<!doctype html><p>args' },
    result: '{"ok":true,"html":"<!doctype html><p>result"}',
    status: 'ok',
    ms: 3,
    ...changes,
  }
}

export function aTranscript(calls: readonly ToolCall[] = [aRender()], finalText = ''): Transcript {
  return { messages: [], tool_calls: calls, final_text: finalText, tools_offered: ['render_micro_app'] }
}

export const AN_APP: MicroApp = { html: '<!doctype html><p>result', from: 'result' }
