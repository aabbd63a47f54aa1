import { markdownTable } from 'markdown-table'
import { intervalText, percent } from '../report/figures.ts'
import type { Comparison, ComparedArm } from './compare.ts'

/** A comparison as a table for a person. */
export function describeComparison(comparison: Comparison, k: number): string {
  const rows = Object.entries(comparison.tasks).map(([id, task]) => [
    id,
    arm(task.baseline),
    arm(task.head),
    intervalText(task.head?.interval ?? null),
    task.p_value === null ? '–' : task.p_value.toPrecision(2),
    task.status,
    task.reason,
  ])
  const head = ['task', `baseline pass^${k}`, `head pass^${k}`, '95 % interval', 'p', 'status', 'why']
  return [`${comparison.verdict}: ${comparison.reason}`, '', markdownTable([head, ...rows])].join('\n')
}

function arm(counts: ComparedArm | null): string {
  return counts === null ? '–' : `${percent(counts.pass_k)} (${counts.c}/${counts.n})`
}
