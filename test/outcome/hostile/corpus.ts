import { ESCAPING } from './escaping-pages.ts'
import { EXHAUSTING } from './exhausting-pages.ts'
import type { HostilePage } from './hostile-page.ts'
import { FLOODS, LEAVING, LOOPS, TAMPERING } from './pages.ts'

/** Hostile pages by what they try. */
export type Corpus = Readonly<Record<string, readonly HostilePage[]>>

export const LOOPS_AND_FLOODS: Corpus = { loops: LOOPS, floods: FLOODS }
export const TRICKS: Corpus = { tampering: TAMPERING, leaving: LEAVING, escaping: ESCAPING }
export const EXHAUSTION: Corpus = { exhausting: EXHAUSTING }

/** Every so-manieth page of each kind. */
export function sampleOf(corpus: Corpus, every: number): Corpus {
  return Object.fromEntries(Object.entries(corpus).map(([kind, pages]) => [kind, pages.filter((_page, index) => index % every === 0)]))
}
