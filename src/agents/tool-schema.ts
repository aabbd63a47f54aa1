/** A tool as the model is told about it. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What a tool gave back, before it is put into the transcript. */
export interface ToolAnswer {
  readonly result: string
  readonly status: 'ok' | 'error'
}
