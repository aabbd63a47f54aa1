import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import PQueue from 'p-queue'
import { createReplayAgent } from '../agents/replay.ts'
import { readBaselineFile } from '../baseline/read-baseline.ts'
import { fingerprintDifferences } from '../gate/pool.ts'
import type { Agent, ModelUsage } from '../model/agent.ts'
import { UserError } from '../model/errors.ts'
import type { Fingerprint, TrialRecord } from '../model/record.ts'
import type { Results } from '../model/results.ts'
import type { JudgeChoice } from '../model/judge-choice.ts'
import type { PriceTable } from '../model/config.ts'
import { createRedactor } from '../model/redaction.ts'
import type { LoadedTask } from '../model/task.ts'
import { openBrowser } from './open-browser.ts'
import { openRecordLog } from '../records/record-log.ts'
import { RunFolder } from '../records/run-folder.ts'
import { loadTasks } from '../tasks/load.ts'
import { decideRegraded } from './decide-regraded.ts'
import { restrictBaseline, type FoundBaseline } from './find-baseline.ts'
import { gradingConditions } from './fingerprint.ts'
import type { RenderingOptions } from './grade-files.ts'
import { readRecordedRun, type RecordedRun } from './recorded-run.ts'
import { gradeChange, type GradeChange } from './grade-change.ts'
import { checkJudge, type KnownJudge } from './check-judge.ts'
import { closeRubricJudge, openRubricJudge } from './judge-trial.ts'
import { redactRunFolder } from './redact-run-folder.ts'
import { gradePhase, microAppOf, type GradingEquipment } from './run-trial.ts'
import type { TrialEvidence } from './trial-evidence.ts'
import { writeReports } from './write-reports.ts'

export interface RegradeOptions extends RenderingOptions {
  readonly judge: JudgeChoice
  /** US dollars per million tokens by model, for the judge; null = costs unknown. */
  readonly prices: PriceTable | null
  /** Further tries of the judge after trouble. */
  readonly retries: number
  readonly run_folder: string
  readonly tasks_folder: string
  /** Folder of the new run; never the old one. */
  readonly output_folder: string
  /** What the new counts are held against; null gates nothing. */
  readonly baseline_file: string | null
  /** Told of each trial when it is graded anew. */
  readonly onRegraded: (change: GradeChange, done: number, planned: number) => void
}

export interface Regrading {
  readonly results: Results
  /** All trials that were graded anew, in the order of the records. */
  readonly changes: readonly GradeChange[]
  /** Recorded trials that could not be graded anew: `trial_id: why`. */
  readonly left_out: readonly string[]
  /** Conditions of grading that are not those of the recorded run. */
  readonly conditions_changed: readonly string[]
}

/**
 * Runs today's graders over the recorded transcripts and apps of a run: every app is rendered and operated again, no model is asked.
 * Writes a run folder like any other; what was spent stays what the recorded run spent.
 * @throws UserError when the folder holds no run, its tasks are not there, or it would be overwritten
 */
export async function regradeRun(options: RegradeOptions): Promise<Regrading> {
  const run = await readRecordedRun(options.run_folder)
  const agentModel = run.records[0]?.fingerprint.model.split(' ')[0] ?? null
  const judge = await checkJudge(options.judge, { agent_model: agentModel, gates: options.baseline_file !== null })
  const target = await openTarget(options)
  const tasks = await tasksOf(run.records, options.tasks_folder)
  const baseline = await readBaseline(options.baseline_file, [...tasks.keys()])
  const leftOut = run.records.flatMap((record) => whyLeftOut(record, tasks))
  const work = run.records.flatMap((record) => {
    const task = tasks.get(record.task_id)
    return task === undefined || record.transcript_file === null ? [] : [{ record, task }]
  })
  const [first] = work
  if (first === undefined)
    throw new UserError([{ where: options.run_folder, at: '', message: `holds no trial to grade: ${leftOut[0] ?? 'no record'}` }])
  const fresh = await regradeTrials(work, run, target, options, judge)
  const conditions = conditionsChanged(first.record.fingerprint, fresh[0]?.fingerprint ?? first.record.fingerprint)
  const results = decideRegraded(run, fresh, tasks, baseline, leftOut, options.run_folder, judge)
  await writeReports(
    results,
    target,
    [...tasks.values()].map(({ task }) => task),
  )
  await redactRunFolder(target.path, createRedactor([options.judge.kind === 'off' ? null : options.judge.api_key]))
  const changes = work.flatMap(({ record }, index) => {
    const now = fresh[index]
    return now === undefined ? [] : [gradeChange(record, now)]
  })
  return { results, changes, left_out: leftOut, conditions_changed: conditions }
}

/** Rubrics that were judged and are not any more are said in words: their checks are gone, and a trial may pass that failed by one. */
function conditionsChanged(before: Fingerprint, now: Fingerprint): string[] {
  const differences = fingerprintDifferences(before, now)
  return before.judge === 'off' || now.judge !== 'off'
    ? differences
    : [...differences, 'rubrics are no longer judged: the recorded run had a judge and this one has none (input "judge")']
}

async function openTarget({ run_folder: source, output_folder: output }: RegradeOptions): Promise<RunFolder> {
  const same = resolve(source) === resolve(output) || (await realpath(output).catch(() => null)) === (await realpath(source))
  if (same) throw new UserError('regrade never writes over the run that it grades: give another --output-folder')
  const target = new RunFolder(resolve(output))
  await target.clear()
  await target.create()
  return target
}

async function tasksOf(records: readonly TrialRecord[], tasksFolder: string): Promise<ReadonlyMap<string, LoadedTask>> {
  const used = new Set(records.map((record) => record.task_id))
  const loaded = await loadTasks(tasksFolder, {})
  return new Map(loaded.filter(({ task }) => used.has(task.task_id)).map((task) => [task.task.task_id, task]))
}

function whyLeftOut(
  { trial_id: id, task_id: taskId, transcript_file: transcript }: TrialRecord,
  tasks: ReadonlyMap<string, LoadedTask>,
): string[] {
  if (!tasks.has(taskId)) return [`${id}: the task ${taskId} is not in the tasks folder any more`]
  return transcript === null ? [`${id}: no transcript was kept`] : []
}

async function regradeTrials(
  work: readonly { readonly record: TrialRecord; readonly task: LoadedTask }[],
  run: RecordedRun,
  target: RunFolder,
  options: RegradeOptions,
  judge: KnownJudge,
): Promise<TrialRecord[]> {
  await using open = new AsyncDisposableStack()
  const { concurrency, prices, retries } = options
  const engine = open.adopt(await openBrowser(options), (opened) => opened.close())
  const agent = open.adopt(await createReplayAgent({ runFolder: run.folder.path }), (opened) => opened.close())
  const log = open.adopt(await openRecordLog(target.path), (opened) => opened.close())
  const wire = { max_cost_usd: null, wire_log_folder: join(target.path, 'wire') }
  const rubricJudge = open.adopt(await openRubricJudge(options.judge, { prices, retries, concurrency, ...wire }), closeRubricJudge)
  const runId = randomUUID()
  const queue = new PQueue({ concurrency })
  let done = 0
  return await Promise.all(
    work.map(({ record, task }) =>
      queue.add(async () => {
        const fingerprint = { ...record.fingerprint, ...gradingConditions(options, engine), judge: judge.fingerprint }
        const inBrowser = <T>(look: () => Promise<T>) => look()
        const equipment = { run_id: runId, engine, folder: target, fingerprint, inBrowser, rubricJudge }
        const now = await regradeTrial(record, task, agent, equipment)
        await keepTranscript(record, now, run.folder, target)
        await log.append(now)
        done += 1
        options.onRegraded(gradeChange(record, now), done, work.length)
        return now
      }),
    ),
  )
}

async function regradeTrial(record: TrialRecord, task: LoadedTask, agent: Agent, equipment: GradingEquipment): Promise<TrialRecord> {
  const scratch = await mkdtemp(join(tmpdir(), 'genui-regrade-'))
  try {
    const result = await agent.run(replayRequest(record, task, scratch), new AbortController().signal)
    const app = await microAppOf(result.transcript, scratch)
    const { trial_id, arm, index, stage, seed } = record
    const phase = {
      trial: { trial_id, task, arm, index, stage, seed },
      attempt: record.attempts,
      started: Date.parse(record.started_at),
      agent_ms: 0,
      result,
      app,
      usage: recordedUsage(record),
      evidence: recordedEvidence(record),
    }
    // the agent's time cannot be had apart from the page's; what the trial took stays what it took
    return { ...(await gradePhase(phase, equipment, new AbortController().signal)), wall_ms: record.wall_ms }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
}

function replayRequest(record: TrialRecord, { task }: LoadedTask, scratch: string): Parameters<Agent['run']>[0] {
  return {
    trial_id: record.trial_id,
    user_prompt: task.user_prompt,
    mock_tool_context: task.mock_tool_context,
    context_delivery: task.context_delivery ?? 'tools',
    plugin_folder: scratch,
    model: { name: 'recorded', temperature: null, max_tokens: null, effort: null },
    base_url: '',
    scratch_folder: scratch,
    seed: record.seed,
    limits: { wall_seconds: 60, model_calls: 0 },
  }
}

/** Trouble of the agent's model service stays trouble; a judge, browser or harness that failed then may well do its work today. */
function recordedUsage(record: TrialRecord): ModelUsage {
  const { model_calls, tokens, cost_usd, model_ms, infra_class: infra, judge } = record
  const judgesOwn = (judge?.trouble ?? null) !== null
  const lasting = !judgesOwn && (infra === 'model_unavailable' || infra === 'quota' || infra === 'budget')
  return { model_calls, tokens, cost_usd, model_ms, trouble: lasting ? { infra_class: infra, detail: record.detail } : null }
}

/** What the trial sent and left stays true; the settings were others, since the graders may be. */
function recordedEvidence({ wire, final_state: left }: TrialRecord): TrialEvidence {
  return { ...(wire === undefined ? {} : { wire }), ...(left === undefined ? {} : { final_state: left }) }
}

/** Replaying moves the app; the transcript that is kept is the recorded one, word for word. */
async function keepTranscript(record: TrialRecord, now: TrialRecord, source: RunFolder, target: RunFolder): Promise<void> {
  if (record.transcript_file === null || now.transcript_file === null || now.verdict === 'infra') return
  const text = await source.read(record.transcript_file)
  if (text !== null) await target.write(now.transcript_file, text)
}

async function readBaseline(file: string | null, taskIds: readonly string[]): Promise<FoundBaseline> {
  if (file === null) {
    const why = 'a run that is graded anew is held against a baseline only when one is named with --baseline-file'
    return { file: null, origin: { kind: 'none', why }, quarantine: null, exam_edits: [] }
  }
  const read = await readBaselineFile(file)
  return { file: restrictBaseline(read.file, taskIds), origin: read.origin, quarantine: null, exam_edits: [] }
}
