import PQueue from 'p-queue'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gradeTrial, type TrialToGrade } from '../graders/grade.ts'
import { rubricChecks, skippedRubrics } from '../graders/rubric.ts'
import type { Grade } from '../model/check.ts'
import type { JudgeMaterial } from '../model/judge.ts'
import type { JudgeChoice } from '../model/judge-choice.ts'
import type { Outcome } from '../model/outcome.ts'
import type { RecordedJudging } from '../model/record.ts'
import { openJudge, type Judging, type JudgeSurroundings, type OpenJudge } from './open-judge.ts'

/** Who judges the rubrics of trials. */
export type RubricJudge =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'model'
      readonly judge: OpenJudge
      readonly screenshots: boolean
      readonly after_failure: boolean
      /** Limits how many trials are judged at once. */
      readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
    }

/** Opens the judge that the choice names. Closing what is off does nothing. */
export async function openRubricJudge(choice: JudgeChoice, surroundings: JudgeSurroundings): Promise<RubricJudge> {
  if (choice.kind === 'off') return { kind: 'off' }
  const judge = await openJudge(choice, surroundings)
  const queue = new PQueue({ concurrency: surroundings.concurrency })
  return {
    kind: 'model',
    judge,
    screenshots: choice.settings.screenshots,
    after_failure: choice.after_failure,
    inTurn: (work) => queue.add(work),
  }
}

export async function closeRubricJudge(opened: RubricJudge): Promise<void> {
  if (opened.kind === 'model') await opened.judge.close()
}

export interface JudgedTrial {
  readonly grade: Grade
  /** What judging took; null when the judge was not asked. */
  readonly judging: RecordedJudging | null
}

export interface TrialFiles {
  /** Names the account that the judge's calls are counted on. */
  readonly account: string
  /** Where the screenshots of the outcome's states lie. */
  readonly screenshot_folder: string
}

const OFF = 'The judge is off.'

/**
 * Grades a trial, its rubrics included. The judge is asked only where its word can change the verdict: not about a trial that other graders have
 * failed (unless `after_failure`), nor about one that could not be measured. Without a verdict of the judge a trial that would have passed is `infra`;
 * one that has failed stays failed.
 */
export async function gradeWithRubrics(
  trial: Omit<TrialToGrade, 'rubrics'>,
  rubricJudge: RubricJudge,
  files: TrialFiles,
  signal: AbortSignal,
): Promise<JudgedTrial> {
  const { task } = trial
  const before = gradeTrial({ ...trial, rubrics: [] })
  const skipped = (why: string) => ({ grade: withChecks(before, skippedRubrics(task, why)), judging: null })
  if (before.verdict === 'infra' || task.model_grader_rubrics.length === 0) return { grade: before, judging: null }
  if (rubricJudge.kind === 'off') return skipped(OFF)
  if (trial.agent.status === 'failed') return skipped('The agent did not finish; the judge was not asked.')
  if (before.verdict === 'fail' && !rubricJudge.after_failure) {
    return skipped(`The trial had failed already (${before.failure_class}); the judge was not asked, which saves its cost.`)
  }
  const material = await materialOf(trial, rubricJudge.screenshots ? files.screenshot_folder : null)
  const request = { account: files.account, rubrics: task.model_grader_rubrics, material }
  const asked = await rubricJudge.inTurn(() => rubricJudge.judge.ask(request, signal))
  const { result } = asked
  if (result.status === 'judged') {
    return { grade: gradeTrial({ ...trial, rubrics: rubricChecks(task, result.answers) }), judging: recorded(asked, null) }
  }
  const trouble = `The judge gave no verdict: ${result.detail.replace(/^The judge: /, '')}`
  const judging = recorded(asked, trouble)
  if (before.verdict === 'fail') return { grade: withChecks(before, skippedRubrics(task, trouble)), judging }
  const checks = [...before.checks, ...rubricChecks(task, result.answers)]
  return { grade: { verdict: 'infra', failure_class: null, infra_class: result.infra_class, score: null, checks }, judging }
}

/** Checks that decide nothing more. */
function withChecks(grade: Grade, more: Grade['checks']): Grade {
  return { ...grade, checks: [...grade.checks, ...more] }
}

function recorded({ usage, attempts }: Judging, trouble: string | null): RecordedJudging {
  return {
    calls: usage.model_calls,
    cached_votes: usage.cached_votes,
    malformed_answers: usage.malformed_answers,
    attempts,
    prompt_tokens: usage.prompt_tokens,
    tokens: usage.tokens.input + usage.tokens.output,
    cost_usd: usage.cost_usd,
    ms: usage.model_ms,
    trouble,
  }
}

/**
 * What the judge is shown of a trial.
 * @param pictures folder of the outcome's screenshots; null shows none
 */
export async function materialOf(
  { task, transcript, app, outcome }: Omit<TrialToGrade, 'rubrics'>,
  pictures: string | null,
): Promise<JudgeMaterial> {
  return {
    user_prompt: task.user_prompt,
    tool_context: task.mock_tool_context,
    source: outcome?.source ?? app?.html ?? null,
    final_text: transcript.final_text,
    tool_calls: transcript.tool_calls.map((call) => call.name),
    states: outcome?.states ?? [],
    steps: outcome?.steps ?? [],
    payloads: (outcome?.bridge_calls ?? []).flatMap((call) => (call.ok ? [call.payload] : [])),
    screenshots: pictures === null || outcome === null ? [] : await readPictures(outcome, pictures),
  }
}

async function readPictures({ states }: Outcome, folder: string): Promise<JudgeMaterial['screenshots']> {
  const names = states.flatMap(({ screenshot }) => screenshot ?? [])
  const read = await Promise.all(
    names.map(async (name) => {
      const png = await readFile(join(folder, name)).catch(() => null)
      return png === null ? [] : [{ name, png: new Uint8Array(png) }]
    }),
  )
  return read.flat()
}
