import { ESCAPING } from './escaping-pages.ts'
import { EXHAUSTING } from './exhausting-pages.ts'
import type { HostilePage } from './hostile-page.ts'
import { FLOODS, LEAVING, LOOPS, TAMPERING } from './pages.ts'

/** All hostile pages, by what they try. */
export const HOSTILE_PAGES: Readonly<Record<string, readonly HostilePage[]>> = {
  loops: LOOPS,
  floods: FLOODS,
  tampering: TAMPERING,
  leaving: LEAVING,
  escaping: ESCAPING,
  exhausting: EXHAUSTING,
}
