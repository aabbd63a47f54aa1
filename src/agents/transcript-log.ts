import type { Message, ToolCall, Transcript } from '../model/transcript.ts'

/** Collects a trial's transcript as it happens, so that a trial that is cut short keeps what it had. */
export class TranscriptLog {
  readonly #messages: Message[] = []
  #finalText = ''
  #toolsOffered: readonly string[] = []

  add(message: Message): void {
    this.#messages.push(message)
  }

  offer(tools: readonly { readonly name: string }[]): void {
    this.#toolsOffered = tools.map((tool) => tool.name).sort()
  }

  finish(text: string): void {
    this.#finalText = text
  }

  snapshot(calls: readonly ToolCall[]): Transcript {
    return { messages: [...this.#messages], tool_calls: [...calls], final_text: this.#finalText, tools_offered: this.#toolsOffered }
  }
}
