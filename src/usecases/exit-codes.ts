import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import type { Results } from '../model/results.ts'
import type { RunVerdictName } from '../model/verdict.ts'

const VERDICT_EXIT: Readonly<Record<RunVerdictName, ExitCode>> = {
  pass: EXIT.pass,
  fail: EXIT.regression,
  inconclusive: EXIT.inconclusive,
}

/** Exit code of a verdict, before any policy. */
export function verdictExit(verdict: RunVerdictName): ExitCode {
  return VERDICT_EXIT[verdict]
}

/** Exit code of a run: report-only is never red, and `warn` lets an inconclusive run pass. */
export function exitCodeFor({ decision }: Results, onInconclusive: 'fail' | 'warn'): ExitCode {
  if (decision.mode === 'report-only') return EXIT.pass
  if (decision.verdict === 'inconclusive' && onInconclusive === 'warn') return EXIT.pass
  return verdictExit(decision.verdict)
}

/** Exit code of a thrown error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UserError) return EXIT.usage
  if (error instanceof InfraError) return EXIT.inconclusive
  return EXIT.internal
}
