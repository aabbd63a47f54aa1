/** The words, signs and order in which verdicts and statuses are told, and the sentences a reader must not miss. */
import type { BaselineOrigin, Results } from '../model/results.ts'
import type { RunVerdictName, TaskStatus, TaskVerdict } from '../model/verdict.ts'
import { percent, plural } from './figures.ts'

export const VERDICT_WORDS: Readonly<Record<RunVerdictName, { readonly sign: string; readonly word: string }>> = {
  pass: { sign: '🟢', word: 'Pass' },
  fail: { sign: '🔴', word: 'Regression' },
  inconclusive: { sign: '🟡', word: 'Inconclusive' },
}

interface StatusWords {
  readonly sign: string
  readonly word: string
  /** Worst first. */
  readonly rank: number
  readonly meaning: string
}

export const STATUS_WORDS: Readonly<Record<TaskStatus, StatusWords>> = {
  regressed: { sign: '🔴', word: 'regressed', rank: 0, meaning: 'worse than the baseline, beyond chance' },
  suspect: { sign: '🟠', word: 'suspect', rank: 1, meaning: 'lower than the baseline, but chance can explain it' },
  unmeasured: { sign: '⚪', word: 'unmeasured', rank: 2, meaning: 'too few trials could be counted' },
  changed: { sign: '🔵', word: 'changed', rank: 3, meaning: 'the task itself differs from the one in the baseline' },
  new: { sign: '🔵', word: 'new', rank: 4, meaning: 'not in the baseline yet' },
  removed: { sign: '⚫', word: 'removed', rank: 5, meaning: 'in the baseline, not in this run' },
  improved: { sign: '🟢', word: 'improved', rank: 6, meaning: 'better than the baseline, beyond chance' },
  stable: { sign: '🟢', word: 'stable', rank: 7, meaning: 'no evidence of a difference' },
}

/** Worst first; then the largest fall in pass^k; then by name. */
export function byConcern(a: TaskVerdict, b: TaskVerdict): number {
  const rank = STATUS_WORDS[a.status].rank - STATUS_WORDS[b.status].rank
  if (rank !== 0) return rank
  const fall = passRateChange(a) - passRateChange(b)
  if (fall !== 0) return fall
  return a.task_id < b.task_id ? -1 : a.task_id > b.task_id ? 1 : 0
}

function passRateChange(task: TaskVerdict): number {
  const { head, baseline } = task
  if (head === null || baseline === null || head.n === 0 || baseline.n === 0) return 0
  return head.c / head.n - baseline.c / baseline.n
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}

export function originText(origin: BaselineOrigin): string {
  switch (origin.kind) {
    case 'base_commit':
      return `baseline of commit ${shortCommit(origin.commit)}`
    case 'stand_in':
      return `a stand-in baseline of commit ${shortCommit(origin.commit)}`
    case 'file':
      return `baseline file ${origin.path}`
    case 'paired':
      return 'the base build, run side by side'
    case 'none':
      return 'no baseline'
  }
}

/** The verdict in one sentence, plain text, without its sign: `Regression: 2 of 10 tasks …`. A stand-in baseline is named here. */
export function headline(results: Results): string {
  const { word } = VERDICT_WORDS[results.decision.verdict]
  const { reason } = results.decision
  if (results.baseline_origin.kind !== 'stand_in') return `${word}: ${reason}`
  return `${word}: ${reason.replace(/\.$/u, '')} (compared with ${originText(results.baseline_origin)}).`
}

/** Sentences that the reader must not miss, each once: those of the run, then what the results imply. Plain text. */
export function noticeSentences(results: Results): readonly string[] {
  const { totals, baseline_origin: origin } = results
  const said = (pattern: RegExp): boolean => results.notices.some((notice) => pattern.test(notice))
  const implied: string[] = []
  if (results.run.scripted_model && !said(/scripted/iu)) {
    implied.push('The model is the scripted stand-in: these figures show that the harness works, not how good the plugin is.')
  }
  if (origin.kind === 'stand_in' && !said(/stand-in/iu)) implied.push(`Stand-in baseline: ${origin.why}`)
  if (origin.kind === 'none' && !said(/no baseline/iu)) implied.push(`There is no baseline: ${origin.why}`)
  if (results.fingerprint_differences.length > 0) {
    implied.push(`The baseline was measured under other conditions: ${results.fingerprint_differences.join('; ')}.`)
  }
  const lost = totals.infra + totals.missing
  if (lost > 0 && !said(/could not be measured|partial|missing/iu)) {
    implied.push(
      `${lost} of ${plural(totals.planned, 'planned trial')} could not be measured (${totals.infra} infrastructure, ${totals.missing} missing): they count neither as pass nor as fail.`,
    )
  }
  return [...results.notices, ...implied]
}

/** What this run could have seen; null when a drop was seen anyway. Plain text. */
export function sensitivitySentence(results: Results): string | null {
  const drop = results.decision.smallest_drop_seen
  if (results.decision.verdict === 'fail') return null
  if (drop === null) return 'This design cannot see a drop in a single task: it needs more trials or a longer baseline.'
  return `This design would have seen a drop of ${percent(drop)} (in points of the pass rate) in a single task, 4 times out of 5.`
}

/** `Regression gate`, unless it is the default one. */
export function gateModeText(results: Results): string | null {
  switch (results.decision.mode) {
    case 'statistical':
      return null
    case 'strict':
      return 'strict gate'
    case 'report-only':
      return 'report-only: this never fails the check'
  }
}
