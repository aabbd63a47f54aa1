/** Fitting a text into GitHub's limits by leaving out whole blocks, never by cutting inside one. */
import { byteLength } from './visible-text.ts'

export interface Limits {
  /** UTF-8 bytes. */
  readonly maxBytes: number
  /** UTF-16 code units. */
  readonly maxUnits: number
}

/** What is left of the limits. Blocks are counted with the blank line that joins them. */
export class Room {
  private bytes: number
  private units: number

  constructor(limits: Limits) {
    this.bytes = limits.maxBytes
    this.units = limits.maxUnits
  }

  fits(text: string): boolean {
    return text.length + 2 <= this.units && byteLength(text) + 2 <= this.bytes
  }

  /** Takes the room if it is there. */
  take(text: string): boolean {
    if (!this.fits(text)) return false
    this.bytes -= byteLength(text) + 2
    this.units -= text.length + 2
    return true
  }
}

/** An item that can be told at length or briefly; longest first. */
export type Tellings = readonly [string, ...string[]]

export interface Fitted {
  readonly blocks: readonly string[]
  readonly left: number
}

/** The longest telling at which all items fit; else, at the shortest, as many as fit in their order. */
export function fitAll(items: readonly Tellings[], room: Room): Fitted {
  const levels = Math.max(0, ...items.map((item) => item.length))
  for (let level = 0; level < levels; level++) {
    const blocks = items.map((item) => item[Math.min(level, item.length - 1)] ?? '')
    if (room.take(blocks.join('\n\n'))) return { blocks, left: 0 }
  }
  const blocks: string[] = []
  for (const item of items) {
    const shortest = item.at(-1) ?? ''
    if (!room.take(shortest)) break
    blocks.push(shortest)
  }
  return { blocks, left: items.length - blocks.length }
}
