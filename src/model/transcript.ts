/** One call of a tool by the agent, with what came back. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** Decoded arguments; a string when the model sent no valid JSON. */
  readonly args: Readonly<Record<string, unknown>> | string
  /** Exactly what the model was given back. */
  readonly result: string
  /** `ok` when the tool did its work; `error` when it reported or raised an error. */
  readonly status: 'ok' | 'error'
  readonly ms: number
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly name: string; readonly content: string }

/** Tokens by kind; a kind that the service does not report is 0. */
export interface TokenCounts {
  readonly input: number
  readonly output: number
  readonly cache_read: number
  readonly reasoning: number
}

/** Messages and tool calls of a trial. */
export interface Transcript {
  readonly messages: readonly Message[]
  readonly tool_calls: readonly ToolCall[]
  /** The agent's last text, possibly empty. */
  readonly final_text: string
  /** Names of the tools that were offered to the model, sorted. */
  readonly tools_offered: readonly string[]
}

/** The micro-app of a trial: that of the last successful `render_micro_app` call. */
export interface MicroApp {
  readonly html: string
  /** Where the document was found. */
  readonly from: 'result' | 'file' | 'arguments'
}

export const RENDER_TOOL = 'render_micro_app'
