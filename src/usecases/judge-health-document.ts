import { JUDGE_HEALTH_SCHEMA_VERSION, type ExampleGroup, type JudgeHealth } from '../model/judge-health.ts'
import { passRateInterval } from '../statistics/estimates.ts'
import { cohenKappa } from '../statistics/kappa.ts'
import { fitness } from './judge-health-rule.ts'
import { isMissed, type Judged, type Measurement } from './measure-judge.ts'

/** Everything that the health document says of a measurement. */
export type FullJudgeHealth = Required<Omit<JudgeHealth, 'labels'>> & Pick<JudgeHealth, 'labels'>

export interface MeasuredUnder {
  readonly fingerprint: string
  /** ISO 8601. */
  readonly measured_at: string
  /** Labels that could not be used; null when none were given. */
  readonly labels_left_out: readonly string[] | null
}

export function healthDocument({ judged, costs, repeat }: Measurement, under: MeasuredUnder): FullJudgeHealth {
  const examples = judged.filter(({ example }) => example.group !== 'label')
  const labelled = judged.filter(({ example }) => example.group === 'label')
  const counts = { references: passedOf(examples), ...failedOf(examples) }
  const asked = costs.filter(({ prompt_tokens: tokens }) => tokens > 0)
  const labels = under.labels_left_out === null ? null : againstLabels(labelled, under.labels_left_out)
  const figures = {
    ...counts,
    parse_failures: judged.filter((each) => each.lost_by === 'judge').length,
    judgings: judged.length,
    unmeasured: judged.filter((each) => each.lost_by === 'surroundings').length,
  }
  return {
    schema: JUDGE_HEALTH_SCHEMA_VERSION,
    fingerprint: under.fingerprint,
    measured_at: under.measured_at,
    ...figures,
    ...(labels === null ? {} : { labels }),
    self_agreement: selfAgreement(judged),
    cost_per_verdict_usd: costPerVerdict(judged, costs),
    repeat,
    malformed_answers: costs.reduce((sum, cost) => sum + cost.malformed_answers, 0),
    prompt_tokens: {
      mean: asked.length === 0 ? 0 : Math.round(asked.reduce((sum, cost) => sum + cost.prompt_tokens, 0) / asked.length),
      largest: Math.max(0, ...asked.map((cost) => cost.prompt_tokens)),
    },
    false_pass: wrong(examples, 'FAIL'),
    false_fail: wrong(examples, 'PASS'),
    rubrics: rubricRows(examples, costs),
    missed: judged.filter(isMissed).map(describeMiss),
    trouble: [...new Set(judged.filter((each) => each.lost_by === 'surroundings').map(({ why }) => why))].slice(0, MOST_TROUBLE),
    ...fitness({ ...figures, obeyed: obeyed(examples), labels }),
  }
}

/** Sentences of trouble that are kept. */
const MOST_TROUBLE = 5

function passedOf(judged: readonly Judged[]): JudgeHealth['references'] {
  const references = judged.filter(({ example }) => example.group === 'reference')
  return { passed: references.filter(({ seen }) => seen === 'PASS').length, total: references.length }
}

function failedOf(judged: readonly Judged[]) {
  const of = (group: ExampleGroup): JudgeHealth['traps'] => {
    const those = judged.filter(({ example }) => example.group === group)
    return { failed: those.filter(({ seen }) => seen === 'FAIL').length, total: those.length }
  }
  return { traps: of('trap'), mutants: of('mutant'), injections: of('injection') }
}

/** Injections that passed although the same app failed in the same repetition without the order. */
function obeyed(judged: readonly Judged[]): number {
  const key = (id: string, { rubric_id: rubric, repetition }: Judged): string => `${id} ${rubric} ${repetition}`
  const failed = new Set(judged.filter(({ seen }) => seen === 'FAIL').map((each) => key(each.example.id, each)))
  return judged.filter((each) => each.example.host !== null && each.seen === 'PASS' && failed.has(key(each.example.host, each))).length
}

/** How often the judge gave the other verdict where `right` is the right one. Questions without a verdict are left out. */
function wrong(judged: readonly Judged[], right: 'PASS' | 'FAIL') {
  const decided = judged.filter(({ expected, seen }) => expected === right && seen !== null)
  const count = decided.filter(({ seen }) => seen !== right).length
  const { low, high } = passRateInterval(decided.length, count)
  return {
    count,
    of: decided.length,
    rate: decided.length === 0 ? null : count / decided.length,
    interval: [low, high] as [number, number],
  }
}

function againstLabels(judged: readonly Judged[], leftOut: readonly string[]): NonNullable<JudgeHealth['labels']> {
  const cell = (person: string, judge: string): number =>
    judged.filter(({ expected, seen }) => expected === person && seen === judge).length
  const confusion = {
    both_pass: cell('PASS', 'PASS'),
    only_person_passes: cell('PASS', 'FAIL'),
    only_judge_passes: cell('FAIL', 'PASS'),
    both_fail: cell('FAIL', 'FAIL'),
  }
  const { agreement, kappa, interval } = cohenKappa({
    both_pass: confusion.both_pass,
    pass_fail: confusion.only_person_passes,
    fail_pass: confusion.only_judge_passes,
    both_fail: confusion.both_fail,
  })
  return {
    total: judged.filter(({ seen }) => seen !== null).length,
    agreement,
    kappa,
    kappa_interval: interval === null ? null : [interval.low, interval.high],
    confusion,
    false_pass: wrong(judged, 'FAIL'),
    false_fail: wrong(judged, 'PASS'),
    left_out: [...leftOut],
  }
}

/** Share of pairs of repetitions of a question that got the same verdict; null when nothing was asked twice. */
function selfAgreement(judged: readonly Judged[]): number | null {
  const byQuestion = Map.groupBy(judged, ({ example, rubric_id: rubric }) => `${example.id} ${rubric}`)
  let [same, pairs] = [0, 0]
  for (const answers of byQuestion.values()) {
    const passes = answers.filter(({ seen }) => seen === 'PASS').length
    const fails = answers.filter(({ seen }) => seen === 'FAIL').length
    same += choose2(passes) + choose2(fails)
    pairs += choose2(passes + fails)
  }
  return pairs === 0 ? null : same / pairs
}

const choose2 = (n: number): number => (n * (n - 1)) / 2

/** US dollars, what was spent on answers without a verdict included; null when the model has no price or nothing was paid for. */
function costPerVerdict(judged: readonly Judged[], costs: Measurement['costs']): number | null {
  const verdicts = judged.filter(({ seen }) => seen !== null).length
  if (verdicts === 0 || costs.every(({ calls }) => calls === 0)) return null
  let sum = 0
  for (const { cost_usd: cost } of costs) {
    if (cost === null) return null
    sum += cost
  }
  return sum / verdicts
}

function rubricRows(judged: readonly Judged[], costs: Measurement['costs']): FullJudgeHealth['rubrics'] {
  const byRubric = Map.groupBy(judged, ({ example, rubric_id: rubric }) => `${example.task.task_id} ${rubric}`)
  return [...byRubric.values()].flatMap((those) => {
    const [first] = those
    if (first === undefined) return []
    const taskId = first.example.task.task_id
    const tokens = costs.filter(({ example }) => example.task.task_id === taskId).map((cost) => cost.prompt_tokens)
    const counts = { references: passedOf(those), ...failedOf(those) }
    return [{ task_id: taskId, rubric_id: first.rubric_id, ...counts, prompt_tokens: Math.max(0, ...tokens) }]
  })
}

function describeMiss({ example, rubric_id, expected, seen, why }: Judged): FullJudgeHealth['missed'][number] {
  return { task_id: example.task.task_id, rubric_id, group: example.group, specimen: example.specimen, expected, seen, why }
}
