import type { Check, FailureClass, Grade } from '../model/check.ts'
import type { InfraClass } from '../model/errors.ts'
import type { Outcome } from '../model/outcome.ts'
import { CHECK_IDS, type Task } from '../model/task.ts'
import type { MicroApp, Transcript } from '../model/transcript.ts'
import { callbackChecks } from './callback.ts'
import { idOf, skipped } from './check.ts'
import { domChecks, pageAlive } from './dom.ts'
import { groundingOf } from './grounding.ts'
import { interactionChecks } from './interaction.ts'
import { transcriptChecks } from './transcript.ts'

/** Part of the fingerprint: raised whenever the same trial could be judged differently. */
export const GRADERS_VERSION = '1'

/** How the agent ended, as far as grading needs it. */
export type AgentEnd =
  | { readonly status: 'completed' }
  | {
      readonly status: 'failed'
      readonly failure_class: Extract<FailureClass, 'agent_timeout' | 'agent_error' | 'plugin_error'>
      readonly detail: string
    }
  | { readonly status: 'infra'; readonly infra_class: InfraClass; readonly detail: string }

export interface TrialToGrade {
  readonly task: Task
  readonly agent: AgentEnd
  readonly transcript: Transcript
  readonly app: MicroApp | null
  /** Null when there was no app to observe, or none is needed (negative control). */
  readonly outcome: Outcome | null
  /** Checks of the rubric grader; skipped ones when the judge is off. */
  readonly rubrics: readonly Check[]
}

/**
 * A trial's verdict: `pass` when every check that applies passed, `fail` with the class of the first that failed (in the order of CHECK_IDS, rubrics last),
 * `infra` when the trial could not be measured.
 */
export function gradeTrial(trial: TrialToGrade): Grade {
  if (trial.agent.status === 'infra') return infra(trial.agent.infra_class, [])
  const checks = [...deterministicChecks(trial), ...trial.rubrics]
  if (trial.agent.status === 'failed') {
    return { verdict: 'fail', failure_class: trial.agent.failure_class, infra_class: null, score: scoreOf(checks), checks }
  }
  // An app that no browser looked at cannot be judged, and that is not its fault.
  if (trial.task.expected_tool_trigger && trial.app !== null && trial.outcome === null) return infra('browser_error', checks)
  const first = checks.find((check) => check.status === 'fail' && !check.diagnostic)
  if (first === undefined) return { verdict: 'pass', failure_class: null, infra_class: null, score: scoreOf(checks), checks }
  return { verdict: 'fail', failure_class: first.failure_class ?? 'rubric_fail', infra_class: null, score: scoreOf(checks), checks }
}

function infra(infraClass: InfraClass, checks: readonly Check[]): Grade {
  return { verdict: 'infra', failure_class: null, infra_class: infraClass, score: null, checks }
}

/** All deterministic checks in the order of CHECK_IDS; those that cannot apply are skipped with the reason. */
function deterministicChecks({ task, transcript, app, outcome }: TrialToGrade): Check[] {
  const made = transcriptChecks(task, transcript, app)
  if (task.expected_tool_trigger && outcome !== null) {
    const alive = pageAlive(outcome)
    made.push(alive)
    if (alive.status === 'pass') {
      const grounding = groundingOf(outcome)
      made.push(...domChecks(task, outcome, grounding), ...interactionChecks(task, outcome, grounding), ...callbackChecks(task, outcome))
    }
  }
  const why = !task.expected_tool_trigger
    ? 'The task wants a plain text answer; only the transcript is judged.'
    : outcome === null
      ? 'There was no micro-app to observe.'
      : 'The page ended itself before it could be observed to the end.'
  const byId = new Map(made.map((check) => [idOf(check), check]))
  return CHECK_IDS.map((id) => byId.get(id) ?? skipped(id, why))
}

/** Share of deciding checks passed, 0..1; 1 when none applied. */
function scoreOf(checks: readonly Check[]): number {
  const deciding = checks.filter((check) => !check.diagnostic && check.status !== 'skipped')
  return deciding.length === 0 ? 1 : deciding.filter((check) => check.status === 'pass').length / deciding.length
}
