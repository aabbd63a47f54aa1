/** One question put to the person who labels: one rubric of one trial. Texts are shown literally. */
export interface LabelItem {
  readonly run_id: string
  readonly trial_id: string
  readonly task_id: string
  readonly rubric_id: string
  readonly criteria: string
  readonly user_prompt: string
  /** What the agent was given by its tools. */
  readonly tool_context: readonly { readonly tool: string; readonly args: string; readonly output: string }[]
  readonly final_text: string
  readonly tool_calls: readonly string[]
  readonly steps: readonly LabelStep[]
  readonly payloads: readonly string[]
  readonly pictures: readonly { readonly file: string; readonly caption: string }[]
  readonly app_sha256: string
  readonly has_app: boolean
}

export interface LabelStep {
  readonly text: string
  readonly sent: boolean
  readonly done: boolean
}
