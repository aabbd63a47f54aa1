import type { CheckId, Task } from '../model/task.ts'
import type { AppDocument } from './app-document.ts'

/** A reference app with one fault put in by a rule. */
export interface Mutant {
  readonly rule: string
  /** Where the fault sits, or what it is about. */
  readonly at: string
  /** The fault must be seen by at least one of these checks. */
  readonly expected_checks: readonly CheckId[]
  readonly html: string
}

/** Makes all mutants of one kind; none where the document or task has no place for the fault. */
export interface MutantRule {
  readonly name: string
  /** The fault in words. */
  readonly fault: string
  readonly expected_checks: readonly CheckId[]
  readonly make: (app: AppDocument, task: Task) => readonly { readonly at: string; readonly html: string }[]
}
