import type { Environment } from './event.ts'
import type { Log } from './log.ts'

/** Largest value that is passed on; all outputs of a job may have 1 MB together. */
const LONGEST_OUTPUT = 250_000

/** Sets the step's outputs. Values are written through the runner's file with a random delimiter, so no text can forge another output. */
export async function writeOutputs(outputs: Readonly<Record<string, string>>, env: Environment, log: Log): Promise<void> {
  // without the file, the library would print an old-style command
  if ((env['GITHUB_OUTPUT'] ?? '') === '') return
  const { setOutput } = await import('@actions/core')
  for (const [name, value] of Object.entries(outputs)) {
    if (value.length > LONGEST_OUTPUT) log.warning(`output ${name} was cut to ${LONGEST_OUTPUT} characters`)
    setOutput(name, value.slice(0, LONGEST_OUTPUT))
  }
}
