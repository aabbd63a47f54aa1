import { identityOf, type Memory } from './memory.ts'
import type { PageScan } from './scan.ts'
import { isPressable } from './choice-rows.ts'
import type { Choice } from './situation.ts'
import { readName } from './words.ts'

/** A final action was pressed in vain in so many different states of the page, and nothing new is left to try. */
const VAIN_STATES = 2
const STALE_STEPS = 2
/** Where it was pressed in one state only, since nothing else seemed to make a difference. */
const STALE_STEPS_OF_ONE_STATE = 4
/** So many are enough although there is something new to try; fewer, where the name says outright that it sends. */
const MOST_VAIN_STATES = 5
const MOST_VAIN_SENDS = 3
/** Patience where the page shows that something is still to be done, or where nothing final was found. */
const PATIENT_STALE_STEPS = 8

/** Whether a person would take the app for broken by now: what sends was really pressed and sent nothing, and the rest was tried. */
export function isHopeless(scan: PageScan, memory: Memory, best: Choice): boolean {
  if (memory.stale >= PATIENT_STALE_STEPS && !isUntried(best, memory)) return true
  if (memory.vain.size === 0 || asksForMore(scan)) return false
  if (memory.vain.size >= MOST_VAIN_STATES || memory.vainSends.size >= MOST_VAIN_SENDS) return true
  return memory.stale >= (memory.vain.size < VAIN_STATES ? STALE_STEPS_OF_ONE_STATE : STALE_STEPS) && !isUntried(best, memory)
}

function isUntried(best: Choice, memory: Memory): boolean {
  return !memory.deeds.has(identityOf(best.target))
}

/** A requirement that is visibly not met: a field that is not valid, a button that leads on and is disabled. */
function asksForMore(scan: PageScan): boolean {
  return scan.candidates.some((each) => {
    if (each.blocked) return false
    if (each.enabled) return each.invalid
    return isPressable(each) && /^(final|forward|check)$/.test(readName(each.name, each.submit).intent)
  })
}
