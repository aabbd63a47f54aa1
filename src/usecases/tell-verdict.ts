import type { Log } from '../github/log.ts'
import { EXIT, type ExitCode } from '../model/errors.ts'
import type { Results } from '../model/results.ts'

/** The last line of a run: the verdict, as an error where it is one. */
export function tellVerdict({ decision }: Results, code: ExitCode, log: Log): void {
  const sentence = `${decision.verdict}: ${decision.reason}`
  if (code === EXIT.pass) log.info(sentence)
  else log.error(sentence)
}
