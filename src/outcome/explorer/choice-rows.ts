import type { Candidate } from './probe/candidate.ts'
import type { PageScan } from './scan.ts'
import { readName } from './words.ts'

/** Strength from which a name says that it sends or carries out; "Archive" and "Select" are weaker. */
const CARRIES_OUT = 6
const FEWEST_OF_A_ROW = 3

export function isPressable(candidate: Candidate): boolean {
  return candidate.kind === 'button' || candidate.kind === 'tab' || candidate.kind === 'custom' || candidate.kind === 'link'
}

/**
 * Buttons that are answers although their names could be final actions: "Reply, Archive, Ignore" in a row, where a button elsewhere
 * ("Execute batch", be it asleep) says that it carries them out.
 */
export function choicesInRows(scan: PageScan): ReadonlySet<Candidate> {
  const sizes = new Map<string, number>()
  const carryingOut = new Set<string>()
  const weak: Candidate[] = []
  for (const each of scan.candidates) {
    if (!isPressable(each) || each.blocked) continue
    sizes.set(each.group, (sizes.get(each.group) ?? 0) + 1)
    const { intent, strength } = readName(each.name, each.submit)
    if (intent !== 'final') continue
    if (strength < CARRIES_OUT) weak.push(each)
    else if (each.kind !== 'tab') carryingOut.add(each.group)
  }
  const elsewhere = ({ group }: Candidate): boolean => carryingOut.size > (carryingOut.has(group) ? 1 : 0)
  return new Set(weak.filter((each) => !each.submit && (sizes.get(each.group) ?? 0) >= FEWEST_OF_A_ROW && elsewhere(each)))
}
