import { newDeed, type Memory } from './memory.ts'
import { bare } from './last-resort.ts'
import { aimAt, handOn, input, type Deedless, type Hand } from './perform.ts'
import type { PageScan } from './scan.ts'
import type { Choice, Taste } from './situation.ts'
import type { PageWorld } from './world.ts'

/** Drawn to it more than to what leads on, less than to what sends. */
const SCORE = 73
const DRAGGED = 'drag '
const MOVES = 8

/** Whether the page says that something is to be dragged. */
export function saysDrag(scan: PageScan): boolean {
  return /\b(drag|drop)\b/i.test(scan.text)
}

/** The next thing that was not dragged yet; each is dragged once, to one place after the other, beginning with the one that the taste says. */
export async function nextDrag(world: PageWorld, memory: Memory, taste: Taste): Promise<Choice | null> {
  const dragged = [...memory.deeds.keys()].filter((key) => key.startsWith(DRAGGED)).length
  for (const frame of await world.frames()) {
    const { items, places } = await frame.ask('draggables')
    for (const { key, name, lies_in: liesIn } of items) {
      // Where it lies changes its key, so that its name tells whether it was dragged.
      const deed = `${DRAGGED}${frame.prefix}${name}`
      const free = places.filter((place) => place.key !== liesIn)
      const place = free[(dragged + taste.turn) % Math.max(1, free.length)]
      if (memory.deeds.has(deed) || place === undefined) continue
      memory.deeds.set(deed, newDeed())
      return { action: 'drag', target: bare(frame.prefix + key, name), value: place.name, score: SCORE, why: 'drag it to its place' }
    }
  }
  return null
}

/** Drags with the mouse. `to` is the name of a place, as `nextDrag` gives it. */
export async function dragTo(world: PageWorld, hand: Hand, to: string): Promise<Deedless> {
  const place = (await hand.frame.ask('draggables')).places.find(({ name }) => name === to)
  const zone = place ? await handOn(world, hand.frame.prefix + place.key) : null
  const there = zone ? await aimAt(zone) : null
  const from = await aimAt(hand)
  // Bringing the one into view may have moved the other.
  const goal = zone && there ? await aimAt(zone) : null
  if (!from || !goal) return { ok: false, detail: 'the thing or its place is gone' }
  const { mouse } = hand.page
  const start = { x: from.left + from.width / 2, y: from.top + from.height / 2 }
  await input(hand.page, mouse.move(start.x, start.y))
  await input(hand.page, mouse.down())
  for (let move = 1; move <= MOVES; move += 1) {
    const share = move / MOVES
    await input(hand.page, mouse.move(start.x + (goal.x - start.x) * share, start.y + (goal.y - start.y) * share))
  }
  await input(hand.page, mouse.up())
  return { ok: true, detail: '' }
}
