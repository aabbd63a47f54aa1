import { newDeed, type Memory } from './memory.ts'
import { bare } from './last-resort.ts'
import { aimAt, handOn, input, type Deedless, type Hand } from './perform.ts'
import type { PageScan } from './scan.ts'
import type { Choice, Taste } from './situation.ts'
import type { PageWorld } from './world.ts'

/** Drawn to it more than to what leads on, less than to what sends. */
const SCORE = 73
const AT = ' @ '
const MOVES = 8

/** Whether the page says that something is to be dragged. */
export function saysDrag(scan: PageScan): boolean {
  return /\b(drag|drop)\b/i.test(scan.text)
}

/** The next thing that was not dragged yet, to one of the places for it; each thing is dragged once. Which place depends on the thing and on the taste. */
export async function nextDrag(world: PageWorld, memory: Memory, taste: Taste): Promise<Choice | null> {
  for (const frame of await world.frames()) {
    const { items } = await frame.ask('draggables')
    for (const [place, item] of items.entries()) {
      // Where it lies changes its key, so that its name tells whether it was dragged.
      const deed = `drag ${frame.prefix}${item.name || item.key}`
      const zone = item.zones[(place + taste.turn) % Math.max(1, item.zones.length)]
      if (memory.deeds.has(deed) || zone === undefined) continue
      memory.deeds.set(deed, newDeed())
      const value = `${zone.name.slice(0, 30)}${AT}${frame.prefix}${zone.key}`
      return { action: 'drag', target: bare(frame.prefix + item.key, item.name), value, score: SCORE, why: 'drag it to its place' }
    }
  }
  return null
}

/** Drags with the mouse. `to` is a value that `nextDrag` made: the name and key of the place. */
export async function dragTo(world: PageWorld, hand: Hand, to: string): Promise<Deedless> {
  const zone = await handOn(world, to.slice(to.lastIndexOf(AT) + AT.length))
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
