import type { InfraClass } from './errors.ts'

export const FAILURE_CLASSES = [
  'undertrigger',
  'overtrigger',
  'render_failed',
  'js_error',
  'js_hang',
  'renderer_crash',
  'blank',
  'missing_grounding',
  'missing_control',
  'dead_control',
  'no_callback',
  'invalid_callback',
  'premature_callback',
  'constant_payload',
  'text_mismatch',
  'rubric_fail',
  'agent_timeout',
  'agent_error',
  'plugin_error',
] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]

export const GRADERS = ['transcript', 'dom', 'interaction', 'callback', 'rubric'] as const
export type GraderName = (typeof GRADERS)[number]

/** What a check saw, so that a plugin developer can act without rerunning. */
export interface Evidence {
  readonly message: string
  readonly expected?: string
  readonly seen?: string
  readonly selector?: string
  /** Number of the step after which it was seen; 0 = after load. */
  readonly step?: number
  /** Index of the observed state. */
  readonly state?: number
  readonly screenshot?: string
  /** One row a requirement when the check has several (strings, selectors, schema errors). */
  readonly items?: readonly { readonly requirement: string; readonly met: boolean; readonly how: string }[]
}

export interface Check {
  readonly grader: GraderName
  readonly name: string
  readonly status: 'pass' | 'fail' | 'skipped'
  /** Class that this check gives a trial when it is the first to fail. */
  readonly failure_class: FailureClass | null
  /** Diagnostics never decide the verdict. */
  readonly diagnostic: boolean
  readonly evidence: Evidence
}

/** A trial's verdict. `score` = share of deciding checks passed, 0..1. */
export type Grade =
  | {
      readonly verdict: 'pass'
      readonly failure_class: null
      readonly infra_class: null
      readonly score: number
      readonly checks: readonly Check[]
    }
  | {
      readonly verdict: 'fail'
      readonly failure_class: FailureClass
      readonly infra_class: null
      readonly score: number
      readonly checks: readonly Check[]
    }
  | {
      readonly verdict: 'infra'
      readonly failure_class: null
      readonly infra_class: InfraClass
      readonly score: null
      readonly checks: readonly Check[]
    }
