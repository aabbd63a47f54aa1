import { createJudge } from '../../src/judge/create-judge.ts'
import type { Judge, JudgeMaterial, JudgeRequest, JudgeResult, JudgeSettings, Rubric } from '../../src/model/judge.ts'
import type { ObservedState } from '../../src/model/outcome.ts'
import { type AskedBody, NO_USAGE } from './endpoint.ts'

export const SETTINGS: JudgeSettings = {
  model: { name: 'judge-model', temperature: 0, max_tokens: 800, effort: null },
  votes: 1,
  screenshots: true,
  token_budget: 16_000,
  together: false,
}

export const RUBRIC: Rubric = {
  id: 'answers_hidden',
  criteria: 'PASS if the answer stays hidden until the learner asks for it. FAIL otherwise.',
}
export const SECOND_RUBRIC: Rubric = { id: 'safe_defaults', criteria: 'PASS if no sensitive file is ticked at first. FAIL otherwise.' }

/** Stands in the screen's text. */
export const QUOTE = 'Reveal the answer'

export function screen(index: number, rendered: string, more: Partial<ObservedState> = {}): ObservedState {
  return {
    index,
    label: index === 0 ? 'settled' : `after step ${index}`,
    text: { rendered, hidden: '', attributes: '', form_values: '' },
    controls: [],
    selectors: {},
    canvas_hash: null,
    painted: true,
    screenshot: null,
    ...more,
  }
}

export const MATERIAL: JudgeMaterial = {
  user_prompt: 'Quiz me on the capital of France.',
  tool_context: [{ tool: 'memory_read', args: { key: 'level' }, output: 'beginner' }],
  source: '<!doctype html><button id="go">Reveal the answer</button>',
  final_text: 'Here is your quiz.',
  tool_calls: ['render_micro_app'],
  states: [
    screen(0, 'What is the capital of France?\nReveal the answer', {
      controls: [
        { key: 'b', kind: 'button', name: 'Reveal the answer', checked: null },
        { key: 'c', kind: 'checkbox', name: 'tax return.pdf', checked: false },
      ],
    }),
    screen(1, 'What is the capital of France?\nIt is Paris.'),
  ],
  steps: [
    {
      number: 1,
      by: 'declared',
      action: 'click',
      target: '#go',
      name: 'Reveal the answer',
      value: null,
      status: 'done',
      changed: true,
      sent: true,
      detail: '',
    },
  ],
  payloads: [{ action: 'revealed', count: 1 }],
  screenshots: [],
}

export function judgeAt(baseUrl: string, settings: Partial<JudgeSettings> = {}, cacheFolder: string | null = null): Judge {
  return createJudge({ settings: { ...SETTINGS, ...settings }, baseUrlFor: () => baseUrl, usageOf: () => NO_USAGE, cacheFolder })
}

export function request(more: Partial<JudgeRequest> = {}): JudgeRequest {
  return { account: 'trial', rubrics: [RUBRIC], material: MATERIAL, ...more }
}

export const ask = (judge: Judge, more: Partial<JudgeRequest> = {}): Promise<JudgeResult> =>
  judge.judge(request(more), new AbortController().signal)

/** All text of a request's messages. */
export function textOf({ messages }: AskedBody): string {
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n\n')
}
