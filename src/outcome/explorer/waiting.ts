import type { PageSession } from '../session.ts'
import { formOf, newDeed, readingOf, type Memory } from './memory.ts'
import { scanPage, type PageScan } from './scan.ts'
import { saysWait } from './words.ts'
import type { PageWorld } from './world.ts'

/** Long enough for an Undo window or a countdown of 5 s. */
const LONG_WAIT_MS = 6500

/** The longest time in which apps let an action be undone. */
const UNDO_MS = 10_500

/** As long as a person waits for a page that shows nothing to operate yet: a skeleton, a start-up screen. */
const LOADING_MS = 4000

const SHORT_WAIT_MS = 500

/** After a final action that seemed to do nothing; signs that it is under way were waited for when it was pressed. */
const DOUBTFUL_WAIT_MS = 1500

/** A countdown shows that it is under way once a second. */
const TICK_MS = 1300

const DOUBTED = 'waited in doubt'

export const RESERVE_MS = 1200

/** After a final action the callback may take a moment: a promise, a busy sign, or a time in which it can be undone. */
export async function grace(
  session: PageSession,
  world: PageWorld,
  arrived: () => boolean,
  before: PageScan,
  after: PageScan,
): Promise<void> {
  const undoable = (scan: PageScan): boolean => scan.candidates.some((each) => /\bundo\b/i.test(each.name))
  const underWay = (scan: PageScan): boolean => (undoable(scan) && !undoable(before)) || (saysWait(scan.text) && !saysWait(before.text))
  const limit = Math.min(underWay(after) ? UNDO_MS : 250, session.remainingMs() - RESERVE_MS)
  for (let waited = 0; waited < limit && !arrived(); waited += 50) {
    await session.rest(50)
    if (waited > 250 && waited % 250 === 0 && !underWay(await scanPage(world))) return
  }
}

/** How long a page may stand still before it is taken to have come to rest, ms. An Undo window may stand still; anything else that is under way shows it. */
function patience({ candidates, text }: PageScan, doubtful: boolean): number {
  if (candidates.some((each) => /\bundo\b/i.test(each.name))) return LONG_WAIT_MS
  if (candidates.every((each) => !each.enabled || each.blocked)) return LOADING_MS
  if (doubtful) return DOUBTFUL_WAIT_MS
  return candidates.some((each) => !each.enabled) || saysWait(text) ? TICK_MS : SHORT_WAIT_MS
}

/** Waits while the page may get on by itself (countdown, Undo window, playing animation); true when it did. */
export async function somethingComes(
  session: PageSession,
  world: PageWorld,
  scan: PageScan,
  memory: Memory,
  arrived: () => boolean,
): Promise<boolean> {
  const form = formOf(scan)
  const calls = session.bridgeCalls.length
  const doubtful = memory.finalFailed && !memory.deeds.has(DOUBTED)
  if (doubtful) memory.deeds.set(DOUBTED, newDeed())
  let quietUntil = patience(scan, doubtful)
  let reading = readingOf(scan)
  for (let waited = 0; waited < Math.min(quietUntil, LONG_WAIT_MS, session.remainingMs() - RESERVE_MS); waited += 100) {
    await session.rest(100)
    if (arrived() || session.bridgeCalls.length > calls) return true
    if (waited % 200 !== 0) continue
    const now = await scanPage(world)
    if (formOf(now) !== form) return true
    if (readingOf(now) !== reading) quietUntil = Math.max(quietUntil, waited + TICK_MS)
    reading = readingOf(now)
  }
  return false
}
