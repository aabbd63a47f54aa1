import type { Candidate } from './probe/candidate.ts'
import type { PageWorld } from './world.ts'

/** All that could be operated in the page just now, every frame included. */
export interface PageScan {
  readonly candidates: readonly Candidate[]
  /** Key of the dialog or overlay on top; null when there is none. */
  readonly layer: string | null
  readonly text: string
}

export async function scanPage(world: PageWorld): Promise<PageScan> {
  const candidates: Candidate[] = []
  const texts: string[] = []
  let layer: string | null = null
  for (const frame of await world.frames()) {
    let found
    try {
      found = await frame.ask('scan')
    } catch (error) {
      // A child frame may go at any moment; the top frame must answer.
      if (frame.prefix === '') throw error
      world.forgetFrames()
      continue
    }
    layer ??= found.layer === null ? null : frame.prefix + found.layer
    texts.push(found.text)
    for (const candidate of found.candidates) {
      if (candidate.kind !== 'canvas') {
        candidates.push(
          frame.prefix === '' ? candidate : { ...candidate, key: frame.prefix + candidate.key, group: frame.prefix + candidate.group },
        )
        continue
      }
      // One candidate for each area of a canvas that looks like something to press.
      const points = await frame.ask('regions', candidate.key)
      for (const point of points)
        candidates.push({
          ...candidate,
          key: frame.prefix + candidate.key,
          name: `${candidate.name || 'canvas'} at ${point.x},${point.y}`,
          point,
        })
    }
  }
  return { candidates, layer, text: texts.join('\n') }
}
