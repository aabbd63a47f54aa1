import { judgeFingerprint } from '../judge/fingerprint.ts'
import type { RunConfig } from '../model/config.ts'
import { InfraError } from '../model/errors.ts'
import type { JudgeHealth } from '../model/judge-health.ts'
import type { JudgeChoice } from '../model/judge-choice.ts'
import { readJudgeHealth, whyUnfit } from './judge-health.ts'
import { refuseWithoutKey } from './judge-key.ts'
import { modelFamily } from './model-family.ts'

/** What is known of a judge before anything is spent. */
export interface KnownJudge {
  /** The judge part of the run's fingerprint; `off` without a judge. */
  readonly fingerprint: string
  /** Null when it has not been measured, or there is no judge. */
  readonly health: JudgeHealth | null
  /** Sentences that the reader must not miss. */
  readonly notices: readonly string[]
}

/** What a judge is wanted for. */
export interface JudgePurpose {
  /** Name of the model under the agent; null when unknown. */
  readonly agent_model: string | null
  /** Whether its verdicts can turn something red or green. */
  readonly gates: boolean
}

/**
 * Holds the judge against its health file.
 * @throws UserError when its service needs a key that is not there, or the health file is none
 * @throws InfraError when the judge may not gate and would have to
 */
export async function checkJudge(judge: JudgeChoice, { agent_model: agentModel, gates }: JudgePurpose): Promise<KnownJudge> {
  if (judge.kind === 'off') return { fingerprint: 'off', health: null, notices: [] }
  refuseWithoutKey(judge)
  const fingerprint = judgeFingerprint(judge.settings)
  const related = agentModel === null ? [] : familyNotice(judge.settings.model.name, agentModel)
  if (judge.health_file === null) return { fingerprint, health: null, notices: [UNMEASURED, ...related] }
  const health = await readJudgeHealth(judge.health_file)
  const unfit = whyUnfit(health, fingerprint)
  if (unfit === null) return { fingerprint, health, notices: related }
  if (gates) throw new InfraError('judge_error', `the judge may not gate: ${unfit}`)
  return { fingerprint, health, notices: [`The judge may not gate: ${unfit}`, ...related] }
}

/** The judge of a run. Throws as checkJudge does. */
export function checkRunJudge({ judge, model, agent, gate }: RunConfig): Promise<KnownJudge> {
  return checkJudge(judge, { agent_model: agent.kind === 'replay' ? null : model.name, gates: gate.mode !== 'report-only' })
}

const UNMEASURED =
  'This judge has not been measured: nobody knows how often its verdicts on rubrics are right. Measure it with "validate --judge … --write-health FILE" and give the file as judge-health.'

function familyNotice(judge: string, agent: string): string[] {
  const family = modelFamily(judge)
  if (family === '' || family !== modelFamily(agent)) return []
  return [
    `Judge (${judge}) and agent (${agent}) are of one model family by their names (“${family}”): a judge tends to be lenient with answers like its own.`,
  ]
}
