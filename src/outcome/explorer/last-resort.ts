import { newDeed, type Memory } from './memory.ts'
import type { Candidate } from './probe/candidate.ts'
import type { PageScan } from './scan.ts'
import type { Choice } from './situation.ts'
import type { PageWorld } from './world.ts'

/** What to do where no control is left to operate: read on to the end of what scrolls, close the overlay. */
export async function lastResort(world: PageWorld, scan: PageScan, memory: Memory): Promise<Choice | null> {
  const once = (what: string): boolean => {
    if (memory.deeds.has(what)) return false
    memory.deeds.set(what, newDeed())
    return true
  }
  for (const frame of await world.frames()) {
    for (const key of await frame.ask('scrollable')) {
      if (once(`scroll ${frame.prefix}${key}`))
        return { action: 'scroll', target: bare(frame.prefix + key, 'what scrolls'), value: null, score: 20, why: 'read on to the end' }
    }
  }
  // Escape closes many an overlay that has no button of its own.
  return scan.layer !== null && once('dismiss')
    ? { action: 'dismiss', target: bare(scan.layer, 'overlay'), value: null, score: 1, why: 'only an overlay is left' }
    : null
}

/** A target that is no control. */
export function bare(key: string, name: string): Candidate {
  return {
    key,
    kind: 'custom',
    name,
    enabled: true,
    blocked: false,
    checked: null,
    toggles: false,
    value: '',
    group: key,
    required: false,
    invalid: false,
    input_type: '',
    min: null,
    max: null,
    step: null,
    earliest: '',
    latest: '',
    max_length: null,
    min_length: null,
    pattern: '',
    options: [],
    hint: '',
    submit: false,
    wraps: true,
    point: null,
  }
}
