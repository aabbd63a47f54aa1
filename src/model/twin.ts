/** How often the judge and the checks that decide the same question by code (`rubric_twins` of the task) said the same. */
export interface TwinAgreement {
  readonly task_id: string
  readonly rubric_id: string
  readonly twins: readonly string[]
  /** Trials in which both gave a verdict: the sum of the three below. */
  readonly compared: number
  readonly agree: number
  /** The judge failed what code passed. */
  readonly judge_stricter: number
  /** Code failed what the judge passed. */
  readonly twin_stricter: number
  /** Trials in which one of them gave none: a rubric or twin was skipped. */
  readonly not_compared: number
}
