import type { AgentRequest, AgentResult } from '../model/agent.ts'
import { INFRA_CLASSES, InfraError, type InfraClass } from '../model/errors.ts'
import type { Transcript } from '../model/transcript.ts'
import { RENDER_TOOL } from '../model/transcript.ts'
import { fieldsOf } from './json-fields.ts'
import { PluginError } from './plugin-manifest.ts'

type Versions = Readonly<Record<string, string>>

/** The trial took longer than its wall clock allows. */
export class TrialTimeout extends Error {
  override readonly name = 'TrialTimeout'
  constructor(seconds: number) {
    super(`The agent did not finish within ${seconds} s.`)
  }
}

/** The agent itself gave up: call limit reached, refused request, broken protocol. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'
}

/** A finished loop: `completed`, unless the plugin broke its contract and never rendered after that. */
export function completedResult(transcript: Transcript, versions: Versions, contractBreach: string | null): AgentResult {
  const rendered = transcript.tool_calls.some((call) => call.name === RENDER_TOOL && call.status === 'ok')
  if (contractBreach === null || rendered) return { status: 'completed', transcript, versions }
  return { status: 'failed', failure_class: 'plugin_error', detail: `The plugin's ${contractBreach}.`, transcript, versions }
}

/** Turns what stopped a trial into its result. Anything that nobody foresaw is the harness's fault, never a grade. */
export function resultOfError(error: unknown, transcript: Transcript, versions: Versions): AgentResult {
  const rest = { detail: error instanceof Error ? error.message : String(error), transcript, versions }
  if (error instanceof PluginError) return { status: 'failed', failure_class: 'plugin_error', ...rest }
  if (error instanceof TrialTimeout) return { status: 'failed', failure_class: 'agent_timeout', ...rest }
  if (error instanceof AgentFailure) return { status: 'failed', failure_class: 'agent_error', ...rest }
  return { status: 'infra', infra_class: error instanceof InfraError ? error.infraClass : 'harness_error', ...rest }
}

export interface TrialClock extends Disposable {
  /** Aborts when the run is cancelled or the wall clock ends. */
  readonly signal: AbortSignal
  /** Rejects with TrialTimeout or InfraError as soon as the signal aborts; never resolves. */
  readonly expired: Promise<never>
}

/** Watches the wall clock of one trial and the run's own cancellation. */
export function startTrialClock(request: AgentRequest, runSignal: AbortSignal): TrialClock {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new TrialTimeout(request.limits.wall_seconds)), request.limits.wall_seconds * 1000)
  const cancel = (): void => controller.abort(new InfraError('harness_error', 'The run was cancelled.'))
  if (runSignal.aborted) cancel()
  else runSignal.addEventListener('abort', cancel, { once: true })
  const expired = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(controller.signal.reason)
    if (controller.signal.aborted) fail()
    else controller.signal.addEventListener('abort', fail, { once: true })
  })
  // Whoever races against it sees the rejection; nobody else has to.
  expired.catch(() => undefined)
  return {
    signal: controller.signal,
    expired,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      runSignal.removeEventListener('abort', cancel)
    },
  }
}

/** Type of the relay's own error bodies; their `code` is the infrastructure class. */
const RELAY_ERROR_TYPE = 'genui_eval_infra'

/**
 * What a failed model call means. The relay marks infrastructure trouble; a request that the service refused (400, 413, 422) is the agent's or
 * the plugin's failure (a bad tool schema, for instance).
 */
export function errorOfModelCall(error: unknown): Error {
  const fields = fieldsOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (fields['type'] === RELAY_ERROR_TYPE) {
    const infraClass = INFRA_CLASSES.find((candidate) => candidate === fields['code'])
    // The client puts the relay's own status in front, which says nothing about the service.
    return new InfraError(infraClass ?? 'model_unavailable', message.replace(/^\d{3} /, ''))
  }
  const status = typeof fields['status'] === 'number' ? fields['status'] : null
  if (status === 400 || status === 413 || status === 422) return new AgentFailure(`The model service refused the request: ${message}`)
  return new InfraError(classOfStatus(status), `The model service could not be used: ${message}`)
}

function classOfStatus(status: number | null): InfraClass {
  return status === 402 ? 'quota' : 'model_unavailable'
}
