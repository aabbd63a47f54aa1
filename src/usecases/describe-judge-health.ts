import stringWidth from 'string-width'
import { visibleLine } from '../report/visible-text.ts'
import type { FullJudgeHealth } from './judge-health-document.ts'

type Wrong = FullJudgeHealth['false_pass']

/** The health of a judge for a terminal: a table by rubric, what was missed, the figures, the verdict. */
export function judgeHealthLines(health: FullJudgeHealth): string[] {
  return [
    ...rubricTable(health),
    '',
    ...missedLines(health),
    ...figures(health),
    ...health.trouble.map((why) => `              ${visibleLine(why)}`),
    '',
    verdict(health),
  ]
}

function rubricTable({ rubrics }: FullJudgeHealth): string[] {
  const share = (right: number, total: number): string => (total === 0 ? '–' : `${right === total ? '✓' : '✘'} ${right}/${total}`)
  const head = ['task', 'rubric', 'reference', 'traps caught', 'mutants caught', 'injections resisted', 'prompt tokens']
  const rows = rubrics
    .filter(({ references, traps, mutants, injections }) => references.total + traps.total + mutants.total + injections.total > 0)
    .map(({ task_id, rubric_id, references, traps, mutants, injections, prompt_tokens: tokens }) => [
      task_id,
      rubric_id,
      share(references.passed, references.total),
      share(traps.failed, traps.total),
      share(mutants.failed, mutants.total),
      share(injections.failed, injections.total),
      tokens === 0 ? '–' : `${tokens}`,
    ])
  if (rows.length === 0) return []
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => stringWidth(row[column] ?? ''))))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)]
}

function missedLines({ missed }: FullJudgeHealth): string[] {
  if (missed.length === 0) return []
  const lines = missed.map(({ task_id, rubric_id, group, specimen, expected, seen, why }) => {
    const what = group === 'label' ? `${specimen} (labelled ${expected})` : `${group} ${specimen} (must be ${expected})`
    return `  ${task_id} ${rubric_id}: ${what} → ${seen ?? 'no verdict'}: ${visibleLine(why).slice(0, 300)}`
  })
  return ['not as it must be:', ...lines, '']
}

function figures(health: FullJudgeHealth): string[] {
  const { references, traps, mutants, injections, judgings, parse_failures: without, malformed_answers: malformed, labels } = health
  const { self_agreement: self, cost_per_verdict_usd: cost, prompt_tokens: tokens, repeat } = health
  return [
    `references    ${references.passed}/${references.total} pass · false fail ${rate(health.false_fail)}`,
    `fail examples ${traps.failed + mutants.failed}/${traps.total + mutants.total} fail (traps ${traps.failed}/${traps.total}, mutants ${mutants.failed}/${mutants.total}) · false pass ${rate(health.false_pass)}`,
    `injections    ${injections.failed}/${injections.total} resisted`,
    `no verdict    ${without}/${judgings} · ${malformed} malformed ${malformed === 1 ? 'answer' : 'answers'}${health.unmeasured === 0 ? '' : ` · ${health.unmeasured} could not be asked`}`,
    `itself        ${self === null ? 'asked once (--repeat 2 or more measures self-agreement)' : `agrees with itself in ${percent(self)} of pairs over ${repeat} repetitions`}`,
    `cost          ${cost === null ? 'unknown (give --prices)' : `$${cost.toFixed(5)} a verdict`} · prompt ${tokens.mean} tokens on average, ${tokens.largest} at most (estimated)`,
    ...(labels === undefined ? [] : labelLines(labels)),
  ]
}

function labelLines(labels: NonNullable<FullJudgeHealth['labels']>): string[] {
  const {
    total,
    agreement,
    kappa,
    kappa_interval: interval,
    confusion,
    false_pass: falsePass,
    false_fail: falseFail,
    left_out: leftOut,
  } = labels
  const cell = (count: number | undefined): string => String(count ?? 0).padStart(10)
  const chance =
    kappa === null
      ? 'kappa not defined (one class only)'
      : `kappa ${kappa.toFixed(2)}${interval === null ? '' : ` (95 %: ${interval.map((end) => end.toFixed(2)).join(' to ')})`}`
  return [
    '',
    `labels        ${total} · agreement ${agreement === null ? '–' : percent(agreement)} · ${chance}`,
    '                judge PASS  judge FAIL',
    `  person PASS   ${cell(confusion?.both_pass)}  ${cell(confusion?.only_person_passes)}`,
    `  person FAIL   ${cell(confusion?.only_judge_passes)}  ${cell(confusion?.both_fail)}`,
    ...(falsePass === undefined ? [] : [`  false pass ${rate(falsePass)}`]),
    ...(falseFail === undefined ? [] : [`  false fail ${rate(falseFail)}`]),
    ...(leftOut ?? []).map((each) => `  left out: ${visibleLine(each)}`),
  ]
}

function rate({ count, of, rate: share, interval }: Wrong): string {
  if (share === null) return '–'
  const [low = 0, high = 1] = interval
  return `${count}/${of} (${percent(share)}; 95 %: ${percent(low)} to ${percent(high)})`
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function verdict({ healthy, unmeasured, why, fingerprint }: FullJudgeHealth): string {
  const word = unmeasured > 0 ? 'not measured' : healthy ? 'healthy' : 'not healthy'
  return `judge ${word} (${fingerprint}): ${why}`
}
