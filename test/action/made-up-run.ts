// Made-up trials in the Action's own formats: a baseline, shards to merge, a recorded run to replay. No model, no browser, so a scenario takes a second.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { strict as assert } from 'node:assert'
import type { AgentResult } from '../../src/model/agent.ts'
import type { BaselineFile } from '../../src/model/baseline.ts'
import { RECORD_SCHEMA_VERSION, type Fingerprint, type TrialRecord } from '../../src/model/record.ts'
import { SHARD_SCHEMA_VERSION, tasksOfShard, type ShardPlan } from '../../src/usecases/shard-plan.ts'
import { TASKS_FOLDER } from './built-action.ts'

const FINGERPRINT: Fingerprint = { graders: '1', agent: 'made up', model: 'm', judge: 'off', network: 'mirror, top', browser: 'Chrome 1' }
const TIME = '2026-01-01T00:00:00.000Z'
const digestOf = (task: string) => `digest of ${task}`

/** Thirty passed trials of every task. */
export function madeUpBaseline(tasks: readonly string[]): string {
  const refresh = { commit: 'f'.repeat(40), date: TIME, n: 30, c: 30, failures: {}, cost_usd: null, wall_ms: 1000 }
  const file: BaselineFile = {
    schema: 'genui-eval/baseline@1',
    suite: 'regression',
    fingerprint: FINGERPRINT,
    tasks: Object.fromEntries(tasks.map((task) => [task, { digest: digestOf(task), refreshes: [refresh] }])),
  }
  return JSON.stringify(file, null, 1)
}

export interface MadeUpShard {
  readonly tasks: readonly string[]
  readonly number: number
  readonly of: number
  readonly trials: number
  readonly attempt?: number
  /** Tasks whose every trial fails. */
  readonly failing?: readonly string[]
  /** What failing trials say wherever a record holds a text. */
  readonly says?: string
}

/** The artifact that a shard uploads: plan and records, zipped. */
export function shardArtifact(shard: MadeUpShard): Uint8Array {
  return zip(shardFiles(shard))
}

/** Plan and records of a shard, by file name. */
export function shardFiles(shard: MadeUpShard): Readonly<Record<'shard.json' | 'records.jsonl', string>> {
  const { tasks, number, of, trials, attempt = 1, failing = [], says = 'nothing came' } = shard
  const own = tasksOfShard(tasks, { number, of })
  const plan: ShardPlan = {
    schema: SHARD_SCHEMA_VERSION,
    number,
    of,
    run_id: 555,
    run_attempt: attempt,
    suite: 'regression',
    trials,
    seed: 1,
    tasks: Object.fromEntries(tasks.map((task) => [task, digestOf(task)])),
    own,
    fingerprint: FINGERPRINT,
    plugin: { path: 'plugin', name: 'genui', version: '1.4.0', digest: 'one build' },
    notices: [],
    repeat_command: 'npx genui-eval run --plugin plugin --model m',
    wall_ms: 1000,
  }
  const records = own.flatMap((task) =>
    Array.from({ length: trials }, (_, index) => madeUpRecord(task, index, failing.includes(task) ? `${says} (${task}, ${index})` : null)),
  )
  return { 'shard.json': JSON.stringify(plan), 'records.jsonl': records.map((record) => `${JSON.stringify(record)}\n`).join('') }
}

export function madeUpRecord(task_id: string, index: number, says: string | null): TrialRecord {
  const failed = says !== null
  return {
    schema: RECORD_SCHEMA_VERSION,
    run_id: 'made-up',
    trial_id: `${task_id}-head-${index}`,
    task_id,
    task_digest: digestOf(task_id),
    suite: 'regression',
    arm: 'head',
    index,
    stage: 0,
    seed: index,
    fingerprint: FINGERPRINT,
    started_at: TIME,
    wall_ms: 1000,
    attempts: 1,
    verdict: failed ? 'fail' : 'pass',
    failure_class: failed ? 'no_callback' : null,
    infra_class: null,
    detail: says ?? 'every check passed',
    score: failed ? 0 : 1,
    checks: [
      {
        grader: 'callback',
        name: 'valid_callback',
        status: failed ? 'fail' : 'pass',
        failure_class: failed ? 'no_callback' : null,
        diagnostic: false,
        evidence: failed
          ? { message: says, expected: says, seen: says, selector: says, step: 1, items: [{ requirement: says, met: false, how: says }] }
          : { message: 'A valid callback came.' },
      },
    ],
    callbacks: failed ? [{ t_ms: 1, step: 1, valid: false, payload: { [says]: says }, reason: says }] : [],
    reached_by: failed ? null : 'declared',
    steps: failed ? [madeUpStep(says)] : [],
    tokens: { input: 10, output: 10, cache_read: 0, reasoning: 0 },
    cost_usd: null,
    model_calls: 1,
    model_ms: 500,
    tool_calls: 1,
    requests: [],
    screenshots: [],
    transcript_file: null,
    app_file: null,
  }
}

function madeUpStep(says: string): TrialRecord['steps'][number] {
  return {
    number: 1,
    by: 'declared',
    action: 'click',
    target: says,
    name: says,
    value: says,
    status: 'failed',
    changed: false,
    sent: false,
    detail: says,
  }
}

/** A recorded run of negative controls for `agent: replay`: the reference answers, or an answer that says nothing. */
export async function recordRun(folder: string, tasks: readonly string[], trials: number, wrong: readonly string[] = []): Promise<string> {
  await mkdir(folder, { recursive: true })
  const lines: string[] = []
  for (const task of tasks) {
    const answer = wrong.includes(task) ? 'I do not know.' : await readFile(path.join(TASKS_FOLDER, task, 'reference.md'), 'utf8')
    const result: AgentResult = {
      status: 'completed',
      transcript: {
        messages: [{ role: 'assistant', content: answer }],
        tool_calls: [],
        final_text: answer,
        tools_offered: ['render_micro_app'],
      },
      versions: {},
    }
    await writeFile(path.join(folder, `${task}.json`), JSON.stringify(result))
    for (let index = 0; index < trials; index++)
      lines.push(JSON.stringify({ trial_id: `${task}-head-${index}`, transcript_file: `${task}.json`, app_file: null }))
  }
  await writeFile(path.join(folder, 'records.jsonl'), lines.map((line) => `${line}\n`).join(''))
  return folder
}

/** A zip as anybody can make one. */
export function zip(files: Readonly<Record<string, string>>): Uint8Array {
  const script = `import io, json, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as archive:
    for name, text in json.load(sys.stdin).items():
        info = zipfile.ZipInfo(name); info.filename = name; info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, text)
sys.stdout.buffer.write(out.getvalue())`
  const made = spawnSync('python3', ['-W', 'ignore', '-c', script], { input: JSON.stringify(files), maxBuffer: 2 ** 28 })
  assert.equal(made.status, 0, made.stderr.toString())
  return made.stdout
}
