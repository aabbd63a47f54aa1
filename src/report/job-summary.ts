/** Results → the step summary of the job. */
import type { Results } from '../model/results.ts'
import { markdownReport, type MarkdownReport } from './markdown-report.ts'
import type { ReportLinks } from './markdown-sections.ts'

/** GitHub drops a summary above 1 MiB whole; some room is left for what other code of the step appends. */
export const SUMMARY_LIMIT = 1_000_000

export function jobSummary(results: Results, links: ReportLinks, maxBytes = SUMMARY_LIMIT): MarkdownReport {
  return markdownReport(results, { maxBytes, maxUnits: maxBytes, links, pictures: {}, before: [] })
}
