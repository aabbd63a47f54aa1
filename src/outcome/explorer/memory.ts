import type { Candidate } from './probe/candidate.ts'
import type { PageScan } from './scan.ts'

/** What was done with one control, remembered across re-renders. */
export interface Deed {
  /** How often it was operated. */
  count: number
  /** Form of the page (see `formOf`) when it was last operated. */
  form: string
  /** Whether the last time brought words that had not been seen before. */
  novel: boolean
  /** Whether the last time changed anything. */
  changed: boolean
  /** Whether the last time brought controls that were not there before. */
  opened: boolean
}

/** All that the explorer remembers of one page. Plain data; the choice is a function of it and of a scan. */
export interface Memory {
  readonly deeds: Map<string, Deed>
  /** How often a control of the group was operated. */
  readonly groups: Map<string, number>
  /** Key of the last control operated, with what followed; `tested` when it was a final or checking action. */
  last: { key: string; name: string; changed: boolean; opened: boolean; tested: boolean } | null
  /** Keys of places into which a press moved what was pressed before it. */
  readonly places: Set<string>
  /** How often something was put into one of them. */
  put: number
  /** Whether a final action was pressed and nothing came of it yet. */
  finalFailed: boolean
  /** How much was left untried in the view of a tab when it was left. */
  readonly unfinished: Map<string, number>
  /** Texts of the page seen so far, digits left out. */
  readonly texts: Set<string>
  /** Names of buttons pressed so far, to prefer new ones. */
  readonly names: Set<string>
  /** Words read so far. */
  readonly words: Set<string>
  /** What the page said when something was missing, numbers left out. */
  readonly complaints: Set<string>
  /** Controls met so far, numbers in their names left out. */
  readonly met: Set<string>
  /** Forms of the page in which a final action was pressed, nothing acceptable came of it, and the page did not say what is missing. */
  readonly vain: Set<string>
  /** Those of `vain` in which what was pressed says outright that it sends. */
  readonly vainSends: Set<string>
  /** Steps in a row that tried nothing new and brought nothing new. */
  stale: number
}

export function newMemory(): Memory {
  return {
    deeds: new Map(),
    groups: new Map(),
    last: null,
    places: new Set(),
    put: 0,
    finalFailed: false,
    unfinished: new Map(),
    texts: new Set(),
    names: new Set(),
    words: new Set(),
    complaints: new Set(),
    met: new Set(),
    vain: new Set(),
    vainSends: new Set(),
    stale: 0,
  }
}

/** A name without what counts in it: "Accept (3)", "Grade 2/6", "Send in 5 s". */
export function steadyName(name: string): string {
  return name.replace(/\(\s*\d+[^)]{0,12}\)|\d+\s*(?:\/|of)\s*\d+|\d+:\d\d|\b\d+\s*(?:s|sec|secs|seconds)\b/gi, '#')
}

/** One control under one name: the same button asked another question is another deed. */
export function identityOf(candidate: Candidate): string {
  const name =
    candidate.kind === 'button' || candidate.kind === 'custom' || candidate.kind === 'tab' || candidate.kind === 'radio'
      ? candidate.name
      : ''
  return `${candidate.key}|${steadyName(name)}|${candidate.point ? `${candidate.point.x},${candidate.point.y}` : ''}`
}

/** A group under the names it now has: the same list with other contents is another question. */
export function groupOf(candidate: Candidate, members: readonly Candidate[]): string {
  return `${candidate.group}|${members.map((member) => steadyName(member.name)).join('|')}`
}

/** Identity of a control within the view it stands in; for sliders and fields whose meaning depends on it. */
export function viewOf(scan: PageScan): string {
  return scan.candidates
    .filter((candidate) => !candidate.blocked && candidate.kind !== 'canvas')
    .map((candidate) => candidate.key)
    .join('\n')
}

/** State of all other controls, digits left out: a button is worth another press when this changes. */
export function formOf(scan: PageScan): string {
  const controls = scan.candidates.map(
    (each) =>
      `${each.key}|${each.kind === 'canvas' ? '' : steadyName(each.name)}|${each.enabled}|${each.checked}|${each.kind === 'range' ? '' : each.value}`,
  )
  return controls.join('\n')
}

/** All that a person can read just now, digits included: tells whether the page does something by itself. */
export function readingOf(scan: PageScan): string {
  return `${formOf(scan)}\n${scan.text}`
}

/** A control under the words of its name. */
export function meeting(candidate: Candidate): string {
  return `${candidate.key}|${candidate.kind === 'canvas' ? '' : candidate.name.replace(/\d+/g, '#')}`
}

export const newDeed = (): Deed => ({ count: 1, form: '', novel: false, changed: false, opened: false })
