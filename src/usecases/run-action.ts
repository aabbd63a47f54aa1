import { actionLog, type Log } from '../github/log.ts'
import { writeOutputs } from '../github/outputs.ts'
import { writeSummary } from '../github/summary.ts'
import { InfraError, UserError, type ExitCode } from '../model/errors.ts'
import type { RawInputs } from '../model/inputs.ts'
import { rawActionInputs, redactorOf, secretsOf } from './action-inputs.ts'
import { openSituation, type ActionIo, type Situation } from './action-situation.ts'
import { baselineAction } from './baseline-action.ts'
import { evaluateAction } from './evaluate-action.ts'
import { exitCodeOf } from './exit-codes.ts'
import { hideKeys } from './hide-keys.ts'
import { mergeAction } from './merge-action.ts'
import { publishAction } from './publish-action.ts'
import { tellingOfBroken } from './verdict-check.ts'
import { shardAction } from './shard-action.ts'

/** The Action's main step. Returns the exit code; what went wrong has been told. */
export async function runAction(io: ActionIo): Promise<ExitCode> {
  const raw = rawActionInputs(io.env)
  for (const secret of secretsOf(raw, io.env)) io.write(`::add-mask::${secret.replaceAll(/[\r\n]+/g, '')}\n`)
  const redact = redactorOf(raw, io.env)
  hideKeys()
  const log = actionLog(io.write, redact)
  try {
    return await runMode(await openOrTell(raw, io, log, redact))
  } catch (error) {
    tellError(error, log)
    return exitCodeOf(error)
  }
}

/** A step that cannot even begin has no check to close: its summary and outputs say why. */
async function openOrTell(raw: RawInputs, io: ActionIo, log: Log, redact: (text: string) => string): Promise<Situation> {
  try {
    return await openSituation(raw, io, log, redact)
  } catch (error) {
    await writeOutputs({ verdict: '', 'exit-code': String(exitCodeOf(error)) }, io.env, log)
    await writeSummary([redact(tellingOfBroken(error).summary)], io.env)
    throw error
  }
}

async function runMode(situation: Situation): Promise<ExitCode> {
  const { event, inputs } = situation
  if (event.kind === 'pull_request_target') throw new UserError(event.refusal)
  switch (inputs.mode) {
    case 'run':
      return inputs.shard === null ? evaluateAction(situation) : shardAction(situation, inputs.shard)
    case 'merge':
      return mergeAction(situation)
    case 'publish':
      return publishAction(situation)
    case 'baseline':
      return baselineAction(situation)
  }
}

function tellError(error: unknown, log: Log): void {
  if (error instanceof UserError) for (const line of error.message.split('\n')) log.error(line)
  else if (error instanceof InfraError) log.error(`inconclusive (${error.infraClass}): ${error.message}`)
  else log.error(`internal error: ${error instanceof Error ? error.message : String(error)}`)
}
