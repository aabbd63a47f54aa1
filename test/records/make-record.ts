import { RECORD_SCHEMA_VERSION, type TrialRecord } from '../../src/model/record.ts'

export const FINGERPRINT = { graders: '1', agent: 'builtin/1', model: 'm', judge: 'off', network: 'mirror/top', browser: 'chromium/150' }

export function makeRecord(taskId: string, index: number, change: Partial<TrialRecord> = {}): TrialRecord {
  return {
    schema: RECORD_SCHEMA_VERSION,
    run_id: 'run-1',
    trial_id: `${taskId}-head-${index}`,
    task_id: taskId,
    task_digest: 'd1',
    suite: 'regression',
    arm: 'head',
    index,
    stage: 0,
    seed: 1,
    fingerprint: FINGERPRINT,
    started_at: '2026-01-01T00:00:00.000Z',
    wall_ms: 12.5,
    attempts: 1,
    verdict: 'pass',
    failure_class: null,
    infra_class: null,
    detail: '',
    score: 1,
    checks: [],
    callbacks: [],
    reached_by: null,
    steps: [],
    tokens: { input: 10, output: 5, cache_read: 0, reasoning: 0 },
    cost_usd: 0.01,
    model_calls: 1,
    model_ms: 3,
    tool_calls: 2,
    requests: [],
    screenshots: [],
    transcript_file: null,
    app_file: null,
    ...change,
  }
}
