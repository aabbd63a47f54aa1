import type { FailureClass } from './check.ts'
import type { InfraClass } from './errors.ts'
import type { MockToolCall } from './task.ts'
import type { TokenCounts, Transcript } from './transcript.ts'

export const AGENT_KINDS = ['hermes', 'builtin', 'command', 'replay'] as const
export type AgentKind = (typeof AGENT_KINDS)[number]

export interface ModelSettings {
  readonly name: string
  /** Null = the service's default. */
  readonly temperature: number | null
  readonly max_tokens: number | null
  /** Reasoning effort as the service spells it; null = not sent. */
  readonly effort: string | null
}

/** Everything an agent is given for one trial. It never learns which build it drives, nor the real key. */
export interface AgentRequest {
  readonly trial_id: string
  readonly user_prompt: string
  readonly mock_tool_context: readonly MockToolCall[]
  readonly context_delivery: 'tools' | 'history'
  /** Absolute path of the plugin build. */
  readonly plugin_folder: string
  readonly model: ModelSettings
  /** Loopback endpoint of the relay for this trial, ending in `/v1`. */
  readonly base_url: string
  /** Fresh, empty working folder of the trial. */
  readonly scratch_folder: string
  readonly seed: number
  readonly limits: { readonly wall_seconds: number; readonly model_calls: number }
}

/** How the agent ended. Only `completed` is graded in full; `failed` is a failure of the plugin or agent; `infra` is nobody's grade. */
export type AgentResult =
  | { readonly status: 'completed'; readonly transcript: Transcript; readonly versions: Readonly<Record<string, string>> }
  | {
      readonly status: 'failed'
      readonly failure_class: Extract<FailureClass, 'agent_timeout' | 'agent_error' | 'plugin_error'>
      readonly detail: string
      readonly transcript: Transcript
      readonly versions: Readonly<Record<string, string>>
    }
  | {
      readonly status: 'infra'
      readonly infra_class: InfraClass
      readonly detail: string
      readonly transcript: Transcript
      readonly versions: Readonly<Record<string, string>>
    }

export interface Agent {
  readonly kind: AgentKind
  /** Goes into the fingerprint: kind and version of the driver and what it drives. */
  readonly version: string
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentResult>
  close(): Promise<void>
}

/** What the relay counted for one trial. */
export interface ModelUsage {
  readonly model_calls: number
  readonly tokens: TokenCounts
  /** US dollars by the price table; null when the model has no price. */
  readonly cost_usd: number | null
  /** Sum of the model service's answer times, ms. */
  readonly model_ms: number
  /** First trouble of the model service that was not healed by a retry. */
  readonly trouble: { readonly infra_class: InfraClass; readonly detail: string } | null
}

export const EMPTY_TRANSCRIPT: Transcript = { messages: [], tool_calls: [], final_text: '', tools_offered: [] }
