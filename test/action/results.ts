import type { Results } from '../../src/model/results.ts'

/** The smallest results: a run of no task. */
export const RESULTS: Results = {
  schema: 'genui-eval/results@1',
  run: {
    id: 'r',
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: '2026-01-01T00:00:00.000Z',
    suite: 'regression',
    k: 3,
    plugin: { path: 'plugin', name: 'p', version: '1' },
    head_commit: null,
    fingerprint: { graders: '1', agent: 'builtin 1', model: 'm', judge: 'off', network: 'mirror', browser: 'chromium 1' },
    scripted_model: true,
    repeat_command: '',
  },
  decision: {
    verdict: 'inconclusive',
    reason: 'No task.',
    mode: 'statistical',
    k: 3,
    tasks: [],
    suite: {
      head: { pass_k: null, pass_at_k: null, interval: null, tasks: 0 },
      baseline: { pass_k: null, pass_at_k: null, interval: null, tasks: 0 },
      p_value: null,
      level: null,
    },
    smallest_drop_seen: null,
  },
  baseline_origin: { kind: 'none', why: 'none' },
  fingerprint_differences: [],
  notices: [],
  totals: { planned: 0, pass: 0, fail: 0, infra: 0, missing: 0 },
  spending: { cost_usd: null, tokens: 0, wall_ms: 0, comparison: [] },
  tasks: [],
  trials: [],
}
