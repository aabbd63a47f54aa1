import { EXIT, InfraError, UserError, type ExitCode } from '../model/errors.ts'
import { exitCodeOf } from '../usecases/exit-codes.ts'
import { Stopped } from './stopped.ts'

/** Prints one JSON document on stdout and nothing else there. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** Progress and remarks go to stderr, so that stdout stays one document. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs a command and sets the exit code. A user's mistake is printed as sentences, infrastructure trouble as one;
 * only what is our own fault shows a stack, and only with GENUI_EVAL_DEBUG.
 */
export async function conclude(command: () => Promise<ExitCode>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    // What it opened is closed; what may still be under way beside it ends with the process.
    if (error instanceof Stopped) process.exit(EXIT.inconclusive)
    process.exitCode = exitCodeOf(error)
    for (const line of describeError(error, process.env['GENUI_EVAL_DEBUG'] !== undefined)) say(line)
  }
}

/** An error as lines for a person. */
export function describeError(error: unknown, debug: boolean): string[] {
  if (error instanceof UserError) return error.message.split('\n').map((line) => `error: ${line}`)
  if (error instanceof InfraError) return [`inconclusive (${error.infraClass}): ${error.message}`]
  const thrown = error instanceof Error ? error : new Error(String(error))
  const stack = debug ? [thrown.stack ?? ''] : ['set GENUI_EVAL_DEBUG=1 to see where; please report it']
  return [`internal error: ${thrown.message}`, ...stack]
}
