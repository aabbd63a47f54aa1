import pc from 'picocolors'
import type { Results } from '../model/results.ts'
import { terminalReport } from '../report/terminal.ts'

/** The results for a person at a terminal; 100 columns where the width is unknown. */
export function describeResults(results: Results, colours: boolean, columns: number | undefined): string {
  return `${terminalReport(results, { paint: pc.createColors(colours), width: columns ?? 100 })}\n`
}
