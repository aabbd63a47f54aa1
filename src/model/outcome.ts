/** What a browser saw of one micro-app. Produced by the outcome edge, judged by the pure graders. */

/** The text of one observed state by the way a user meets it. Each is capped in length. */
export interface StateText {
  /** Painted and visible. */
  readonly rendered: string
  /** In the DOM but not visible (display:none, closed details, hidden attribute …). */
  readonly hidden: string
  /** alt, title, placeholder, aria-label, aria-valuetext, value of buttons, SVG title … */
  readonly attributes: string
  /** Current values of inputs, textareas and selects. */
  readonly form_values: string
}

/** A distinct control that a user could operate in a state: visible and enabled. */
export interface ObservedControl {
  /** Stable within one page: a path from the root through shadow roots and frames. */
  readonly key: string
  readonly kind: 'button' | 'link' | 'checkbox' | 'radio' | 'range' | 'text' | 'select' | 'editable' | 'custom'
  /** Accessible name or visible text, at most 120 characters. */
  readonly name: string
  /** For checkbox and radio (ARIA widgets included). */
  readonly checked: boolean | null
}

/** How a selector of the task met the page. */
export interface SelectorMatch {
  readonly count: number
  /** The selector or ARIA equivalent that matched first; null when nothing did. */
  readonly matched_by: string | null
}

export interface ObservedState {
  readonly index: number
  /** `settled` or `after <step>`. */
  readonly label: string
  readonly text: StateText
  readonly controls: readonly ObservedControl[]
  /** Per selector asked for in the request. */
  readonly selectors: Readonly<Record<string, SelectorMatch>>
  /** Hash of all canvas pixels; null when there is no canvas. */
  readonly canvas_hash: string | null
  /** Whether anything is painted: visible text, or pixels that differ from the background. */
  readonly painted: boolean
  /** File name in the trial's screenshot folder; null when none was taken. */
  readonly screenshot: string | null
}

/** One call of `window.hermes.sendAction`. */
export type BridgeCall =
  | { readonly ok: true; readonly t_ms: number; readonly step: number; readonly payload: unknown }
  | { readonly ok: false; readonly t_ms: number; readonly step: number; readonly reason: string }

export interface ScriptError {
  readonly kind: 'exception' | 'rejection' | 'console_error'
  /** At most 500 characters. */
  readonly message: string
  /** 0 during load, else the number of the step it followed. */
  readonly step: number
  /** True when caused only by our own blocking of the network. */
  readonly from_blocking: boolean
}

/** One thing done to the page. `number` counts from 1 over declared and explorer steps. */
export interface PerformedStep {
  readonly number: number
  readonly by: 'declared' | 'explorer' | 'variation'
  readonly action: string
  /** A selector or description that finds the control again (replayable). */
  readonly target: string
  /** Accessible name or text of the control, at most 120 characters. */
  readonly name: string
  readonly value: string | null
  /** `done`; `no_match` when nothing suitable was there; `failed` when the page refused. */
  readonly status: 'done' | 'no_match' | 'failed'
  /** Whether anything observable changed, the control's own value apart; null when not looked at. */
  readonly changed: boolean | null
  /** Whether a callback came during this step. */
  readonly sent: boolean
  readonly detail: string
}

export interface PageRequest {
  readonly url: string
  readonly answer: 'mirrored' | 'blocked' | 'document'
}

/** The app driven once more with other choices (`payload_reflects_state`). */
export interface Variation {
  readonly steps: readonly PerformedStep[]
  /** What was chosen otherwise, in words. */
  readonly difference: string
  readonly payloads: readonly unknown[]
}

/** How the page ended: observed to the end, or ended itself. */
export type PageEnd = 'observed' | 'js_hang' | 'renderer_crash'

export interface Outcome {
  readonly end: PageEnd
  readonly end_detail: string
  readonly states: readonly ObservedState[]
  readonly steps: readonly PerformedStep[]
  readonly bridge_calls: readonly BridgeCall[]
  readonly script_errors: readonly ScriptError[]
  readonly requests: readonly PageRequest[]
  readonly dialogs: readonly { readonly type: string; readonly message: string; readonly step: number }[]
  /** Who brought about the first payload that the schema admits; null when none came. */
  readonly reached_by: 'declared' | 'explorer' | null
  /** Null when not asked for, or when there was nothing that could be chosen otherwise. */
  readonly variations: readonly Variation[] | null
  /** The document as served, before any script ran. */
  readonly source: string
  readonly diagnostics: {
    readonly console_warnings: number
    readonly document_bytes: number
    readonly settle_ms: number
    readonly total_ms: number
    readonly accessibility_violations: number | null
  }
}

/** What the outcome edge is asked to do with one document. */
export interface OutcomeRequest {
  readonly html: string
  readonly selectors: readonly string[]
  readonly steps: readonly { readonly action: string; readonly selector: string; readonly value?: string }[]
  /** Says whether a payload is what the task wants; the explorer stops at the first that is. Null when no callback is expected. */
  readonly accepts_payload: ((payload: unknown) => boolean) | null
  readonly explore: boolean
  readonly vary: boolean
  /** Whether to count accessibility violations of the settled page (a diagnostic; pages of at most 4000 elements); absent means no. */
  readonly accessibility?: boolean
  /** Folder for screenshots (exists); null takes none. */
  readonly screenshot_folder: string | null
  readonly limits: OutcomeLimits
}

export interface OutcomeLimits {
  /** Explorer steps at most. */
  readonly explorer_steps: number
  /** Wall-clock seconds for the whole page, variations included. */
  readonly page_seconds: number
}

export const DEFAULT_OUTCOME_LIMITS: OutcomeLimits = { explorer_steps: 30, page_seconds: 45 }
