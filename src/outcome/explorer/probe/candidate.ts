/** What a scan says of one thing in the page that a person could operate. Data only: crosses from the page. */

export type CandidateKind =
  | 'button'
  | 'tab'
  | 'link'
  | 'radio'
  | 'checkbox'
  | 'range'
  | 'text'
  | 'select'
  | 'editable'
  | 'summary'
  | 'custom'
  | 'canvas'

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly disabled: boolean
}

export interface Candidate {
  /** Finds the element again (see `DomProbe.keyOf`), with the frame in front. */
  readonly key: string
  readonly kind: CandidateKind
  /** Accessible name or visible text, at most 120 characters. */
  readonly name: string
  readonly enabled: boolean
  /** Something else would receive the press. */
  readonly blocked: boolean
  /** Ticked, chosen, pressed or marked as current; null when the control has no such state. */
  readonly checked: boolean | null
  /** Whether the control says by ARIA that it can be on or off; a class may only mean that it looks important. */
  readonly toggles: boolean
  readonly value: string
  /** Controls of one group stand for one question, list or bar. */
  readonly group: string
  readonly required: boolean
  readonly invalid: boolean
  readonly input_type: string
  readonly min: number | null
  readonly max: number | null
  readonly step: number | null
  /** Limits of a date or time field as written; empty where there are none. */
  readonly earliest: string
  readonly latest: string
  readonly max_length: number | null
  readonly min_length: number | null
  readonly pattern: string
  readonly options: readonly SelectOption[]
  /** Label, placeholder and the text around, emphasised words between « and »; for fields only. */
  readonly hint: string
  /** Submits a form. */
  readonly submit: boolean
  /** Contains other candidates: a card rather than a button. */
  readonly wraps: boolean
  /** For a `canvas`: where to press, in CSS pixels from its top left corner; else null. */
  readonly point: { readonly x: number; readonly y: number } | null
}

export interface FrameScan {
  readonly candidates: readonly Candidate[]
  /** Key of the modal dialog or overlay on top; null when there is none. */
  readonly layer: string | null
  /** Visible text (of the layer, when there is one), at most 3,000 characters. */
  readonly text: string
}
