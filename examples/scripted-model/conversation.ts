/** What the scripted model is sent, whichever API carried it. */
export interface Conversation {
  /** Model name asked for. */
  readonly model: string
  /** Texts of system and developer messages, in order. */
  readonly instructions: readonly string[]
  readonly turns: readonly Turn[]
  readonly tools: readonly OfferedTool[]
  readonly seed: number | null
}

export type Turn =
  | { readonly by: 'user'; readonly text: string }
  | {
      readonly by: 'model'
      readonly text: string
      readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
    }
  | { readonly by: 'tool'; readonly call_id: string; readonly text: string }

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What the model does next: answers in text, or calls tools. */
export type Move =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] }

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const fieldsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Text of a message's content, which may be a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return fieldsIn(content)
    .map((part) => textOf(part['text']))
    .join('\n')
}
