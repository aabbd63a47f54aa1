import { readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { openScratchFolder } from '../agents/left-behind.ts'
import { findMicroApp } from '../graders/app.ts'
import { outcomeRequestFor } from '../graders/outcome-request.ts'
import { compilePayloadSchema } from '../graders/payload.ts'
import { EMPTY_TRANSCRIPT, type Agent, type AgentResult, type ModelUsage } from '../model/agent.ts'
import type { Grade } from '../model/check.ts'
import type { RunConfig } from '../model/config.ts'
import { InfraError } from '../model/errors.ts'
import { DEFAULT_OUTCOME_LIMITS, type Outcome } from '../model/outcome.ts'
import { RECORD_SCHEMA_VERSION, type Fingerprint, type TrialRecord } from '../model/record.ts'
import type { Task } from '../model/task.ts'
import type { MicroApp, Transcript } from '../model/transcript.ts'
import type { BrowserEngine } from '../outcome/engine.ts'
import type { RunFolder } from '../records/run-folder.ts'
import type { Relay } from '../relay/relay.ts'
import { unlessAborted } from './cancellation.ts'
import { gradeWithRubrics, type RubricJudge } from './judge-trial.ts'
import type { PlannedTrial } from './plan-trials.ts'
import { finalState, settingsHash, type TrialEvidence } from './trial-evidence.ts'
import { auditWire } from './wire-audit.ts'

/** What a trial is made with; shared by all trials of a run. */
export interface TrialEquipment {
  readonly config: RunConfig
  readonly run_id: string
  readonly agent: Agent
  readonly engine: BrowserEngine
  readonly relay: Relay
  readonly folder: RunFolder
  readonly fingerprint: Fingerprint
  /** Limits how many pages are open at once, whatever the number of agents. */
  readonly inBrowser: <T>(work: () => Promise<T>) => Promise<T>
  readonly rubricJudge: RubricJudge
  readonly pluginFolder: (arm: 'head' | 'base') => string
}

/** What the second half of a trial needs; grading again what was recorded needs no agent and no relay. */
export type GradingEquipment = Pick<TrialEquipment, 'run_id' | 'engine' | 'folder' | 'fingerprint' | 'inBrowser' | 'rubricJudge'>

/** The agent's half of a trial: what it did and the micro-app it left. */
export interface AgentPhase {
  readonly trial: PlannedTrial
  readonly attempt: number
  readonly started: number
  /** Time of the agent, ms. */
  readonly agent_ms: number
  readonly result: AgentResult
  readonly app: MicroApp | null
  readonly usage: ModelUsage
  readonly evidence: TrialEvidence
}

/** Runs the agent of one trial in a fresh scratch folder. */
export async function runAgentPhase(
  trial: PlannedTrial,
  attempt: number,
  equipment: TrialEquipment,
  signal: AbortSignal,
): Promise<AgentPhase> {
  const { config, agent, relay } = equipment
  const started = Date.now()
  await using scratch = await openScratchFolder('genui-trial-')
  const wireId = `${trial.trial_id}-${attempt}`
  try {
    const { task } = trial.task
    const result = await agent.run(
      {
        trial_id: wireId,
        user_prompt: task.user_prompt,
        mock_tool_context: task.mock_tool_context,
        context_delivery: task.context_delivery ?? 'tools',
        plugin_folder: equipment.pluginFolder(trial.arm),
        model: config.model,
        base_url: relay.baseUrlFor(wireId),
        scratch_folder: scratch.path,
        seed: trial.seed,
        limits: { wall_seconds: config.budget.trial_seconds, model_calls: config.budget.model_calls },
      },
      signal,
    )
    const agentMs = Date.now() - started
    const app = await microAppOf(result.transcript, scratch.path)
    const left = agent.kind === 'replay' ? {} : { final_state: await finalState(result, app, scratch.path) }
    const evidence = { ...knownFrom(wireId, trial, equipment), ...left }
    return { trial, attempt, started, agent_ms: agentMs, result, app, usage: relay.usage(wireId), evidence }
  } catch (error) {
    const infra = error instanceof InfraError ? error : new InfraError('harness_error', String(error), { cause: error })
    const result: AgentResult = {
      status: 'infra',
      infra_class: infra.infraClass,
      detail: infra.message,
      transcript: EMPTY_TRANSCRIPT,
      versions: {},
    }
    const evidence = knownFrom(wireId, trial, equipment)
    return { trial, attempt, started, agent_ms: Date.now() - started, result, app: null, usage: relay.usage(wireId), evidence }
  }
}

/** What is known of how a trial was made, whatever became of it. A run that is played back asks nobody. */
function knownFrom(wireId: string, { task }: PlannedTrial, { config, agent, relay, fingerprint }: TrialEquipment): TrialEvidence {
  if (agent.kind === 'replay') return {}
  const sent = relay.sentSettings(wireId)
  const settings = { settings_hash: settingsHash(config, fingerprint, task.digest) }
  return sent.length === 0 ? settings : { ...settings, wire: auditWire(config.model, sent) }
}

/** The micro-app that a trial left, where the plugin's result may name a file of its scratch folder. */
export function microAppOf(transcript: Transcript, scratch: string): Promise<MicroApp | null> {
  return findMicroApp(transcript, (path) => readInside(scratch, path))
}

/** Reads a file that the plugin named, only when it really lies inside the scratch folder. */
async function readInside(folder: string, path: string): Promise<string | null> {
  const root = await realpath(folder)
  const file = await realpath(join(root, path.startsWith(root) ? path.slice(root.length) : path)).catch(() => null)
  if (file === null || !file.startsWith(root + sep)) return null
  return readFile(file, 'utf8').catch(() => null)
}

/** Renders, drives and grades what the agent left, has its rubrics judged, and makes the record. */
export async function gradePhase(phase: AgentPhase, equipment: GradingEquipment, signal: AbortSignal): Promise<TrialRecord> {
  const { trial, result, app } = phase
  const { task } = trial.task
  const trialFolder = await equipment.folder.freshTrialFolder(trial.trial_id)
  const saved = await equipment.folder.saveTrial(trial.trial_id, result, app)
  const observed = await observeApp(phase, trialFolder, equipment, signal)
  const spoiled = observed.trouble ?? phase.usage.trouble
  const agent = spoiled !== null && result.status !== 'infra' ? { status: 'infra' as const, ...spoiled } : result
  const { grade, judging } = await gradeWithRubrics(
    { task, agent, transcript: result.transcript, app, outcome: observed.outcome },
    equipment.rubricJudge,
    { account: `${trial.trial_id}-${phase.attempt}-judge`, screenshot_folder: trialFolder },
    signal,
  )
  const trouble =
    agent.status === 'infra' || agent.status === 'failed' ? agent.detail : grade.verdict === 'infra' ? (judging?.trouble ?? null) : null
  return {
    ...describeTrial(phase, observed.outcome?.diagnostics.total_ms ?? 0, equipment),
    ...describeGrade(grade, trouble),
    ...(judging === null ? {} : { judge: judging }),
    ...describeOutcome(task, observed.outcome),
    screenshots: await equipment.folder.screenshots(trial.trial_id),
    ...saved,
  }
}

interface Observed {
  readonly outcome: Outcome | null
  readonly trouble: ModelUsage['trouble']
}

async function observeApp(
  { trial, app, result }: AgentPhase,
  trialFolder: string,
  equipment: GradingEquipment,
  signal: AbortSignal,
): Promise<Observed> {
  const { task } = trial.task
  if (app === null || result.status === 'infra' || !task.expected_tool_trigger) return { outcome: null, trouble: null }
  try {
    const request = { ...outcomeRequestFor(task), html: app.html, screenshot_folder: trialFolder, limits: DEFAULT_OUTCOME_LIMITS }
    const observing = equipment.inBrowser(() => equipment.engine.observe(request))
    return { outcome: await unlessAborted(observing, signal), trouble: null }
  } catch (error) {
    const infra = error instanceof InfraError ? error : new InfraError('harness_error', String(error), { cause: error })
    return { outcome: null, trouble: { infra_class: infra.infraClass, detail: infra.message } }
  }
}

function describeTrial(
  { trial, attempt, started, agent_ms: agentMs, usage, result, evidence }: AgentPhase,
  pageMs: number,
  { run_id: runId, fingerprint }: GradingEquipment,
) {
  return {
    schema: RECORD_SCHEMA_VERSION,
    run_id: runId,
    trial_id: trial.trial_id,
    task_id: trial.task.task.task_id,
    task_digest: trial.task.digest,
    suite: trial.task.task.suite_type,
    arm: trial.arm,
    index: trial.index,
    stage: trial.stage,
    seed: trial.seed,
    fingerprint,
    started_at: new Date(started).toISOString(),
    // Time spent waiting for a free page is the queue's, not the trial's.
    wall_ms: agentMs + pageMs,
    attempts: attempt,
    tokens: usage.tokens,
    cost_usd: usage.cost_usd,
    model_calls: usage.model_calls,
    model_ms: usage.model_ms,
    tool_calls: result.transcript.tool_calls.length,
    ...evidence,
  } as const
}

function describeGrade(grade: Grade, trouble: string | null) {
  const firstFailed = grade.checks.find((check) => check.status === 'fail' && !check.diagnostic)
  const detail = trouble ?? firstFailed?.evidence.message ?? 'every check passed'
  return {
    verdict: grade.verdict,
    failure_class: grade.failure_class,
    infra_class: grade.infra_class,
    detail,
    score: grade.score,
    checks: grade.checks.map((check) => ({ ...check, evidence: copyEvidence(check.evidence) })),
  }
}

/** The record's types are derived from JSON Schema, whose arrays are mutable. */
function copyEvidence(evidence: Grade['checks'][number]['evidence']) {
  const { items, ...rest } = evidence
  return items === undefined ? rest : { ...rest, items: items.map((item) => ({ ...item })) }
}

function describeOutcome(task: Task, outcome: Outcome | null) {
  const schema = task.expected_callback_schema
  const accepts = schema === null ? () => false : compilePayloadSchema(schema).accepts
  return {
    callbacks: (outcome?.bridge_calls ?? []).map((call) =>
      call.ok
        ? { t_ms: call.t_ms, step: call.step, valid: accepts(call.payload), payload: call.payload, reason: null }
        : { t_ms: call.t_ms, step: call.step, valid: false, payload: null, reason: call.reason },
    ),
    reached_by: outcome?.reached_by ?? null,
    steps: (outcome?.steps ?? []).map((step) => ({ ...step })),
    requests: (outcome?.requests ?? []).map((request) => ({ ...request })),
  }
}
