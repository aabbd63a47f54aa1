import { aimAt, input, stateOf, type Deedless, type Hand } from './perform.ts'

export interface Scale {
  readonly min: number
  readonly max: number
  /** Null for a slider without steps. */
  readonly step: number | null
}

const THUMB_PX = 16
const MAX_ARROWS = 240
/** Positions looked at in one sweep. */
const MOST_GLANCES = 300
const MAX_POSITIONS = 80
/** Long enough for the page to paint the value in between. */
const AWAY_MS = 120

const close = (a: number, b: number, scale: Scale): boolean => Math.abs(a - b) < (scale.step ?? (scale.max - scale.min) / 1000) / 2 + 1e-9

/**
 * Brings a slider to exactly `wanted` with trusted input: a press on the track, then arrow keys.
 * A value between two steps lands on the nearest one. Sets by script only if neither moves it.
 */
export async function setSlider(hand: Hand, wanted: number, scale: Scale, remark?: () => Promise<void>): Promise<Deedless> {
  const goal = scale.step === null || scale.step <= 0 ? wanted : scale.min + Math.round((wanted - scale.min) / scale.step) * scale.step
  const bounded = Math.min(scale.max, Math.max(scale.min, goal))
  const read = async (): Promise<number> => Number((await stateOf(hand))?.value ?? Number.NaN)
  if (close(await read(), bounded, scale)) {
    // It stands there already: move it away first, so that the page sees a change.
    await arrow(hand, bounded >= scale.max ? 'ArrowLeft' : 'ArrowRight')
    await hand.rest(AWAY_MS)
    await remark?.()
  }
  const steps = scale.step ? Math.abs((await read()) - bounded) / scale.step : Number.POSITIVE_INFINITY
  if (steps > 24) await pressTrack(hand, (bounded - scale.min) / (scale.max - scale.min || 1))
  let crossed = 0
  let below: boolean | null = null
  for (let presses = 0, stuck = 0; presses < MAX_ARROWS && stuck < 3; presses += 1) {
    const now = await read()
    if (Number.isNaN(now)) return { ok: false, detail: 'the slider is gone' }
    if (close(now, bounded, scale))
      return {
        ok: true,
        detail: close(bounded, wanted, scale) && Math.abs(bounded - wanted) < 1e-9 ? '' : `the nearest value is ${bounded}`,
      }
    // A slider with coarser steps of its own jumps over the value.
    if (below !== null && below !== now < bounded) crossed += 1
    if (crossed > 1) return { ok: true, detail: `the nearest value is ${now}` }
    below = now < bounded
    const keys = now < bounded ? (['ArrowRight', 'ArrowUp', 'ArrowRight'] as const) : (['ArrowLeft', 'ArrowDown', 'ArrowLeft'] as const)
    await arrow(hand, keys[stuck] ?? keys[0])
    stuck = (await read()) === now ? stuck + 1 : 0
  }
  const off = await read()
  if (scale.step === null && Math.abs(off - bounded) < (scale.max - scale.min) / 50)
    return { ok: true, detail: `as near as input comes: ${off}` }
  if (await hand.frame.ask('assign', hand.key, String(bounded)))
    return { ok: true, detail: 'set by script: neither mouse nor keyboard moved it there' }
  await pressTrack(hand, (bounded - scale.min) / (scale.max - scale.min || 1))
  const last = await read()
  return close(last, bounded, scale)
    ? { ok: true, detail: '' }
    : { ok: false, detail: `it stands at ${last} and does not go to ${bounded}` }
}

async function arrow(hand: Hand, key: string): Promise<void> {
  if (!(await stateOf(hand))?.focused) await hand.frame.ask('focus', hand.key)
  await input(hand.page, hand.page.keyboard.press(key))
}

/** Presses the track at a share of its length. */
async function pressTrack(hand: Hand, share: number): Promise<void> {
  const aim = await aimAt(hand)
  if (!aim || aim.covered_by !== null) return
  const across = aim.width >= aim.height
  const length = across ? aim.width : aim.height
  const along = Math.min(length - 1, Math.max(1, THUMB_PX / 2 + (length - THUMB_PX) * (across ? share : 1 - share)))
  const x = across ? aim.left + along : aim.left + aim.width / 2
  const y = across ? aim.top + aim.height / 2 : aim.top + along
  await input(hand.page, hand.page.mouse.move(x, y))
  await input(hand.page, hand.page.mouse.down())
  await input(hand.page, hand.page.mouse.up())
}

export interface SweepWatch {
  /** Keys of disabled buttons in the same frame. */
  readonly sleeping: readonly string[]
  readonly sent: () => boolean
  readonly msLeft: () => number
  /** Begin at the upper end. */
  readonly fromEnd: boolean
}

/**
 * Moves a slider through its whole length with trusted input; stops where one of the sleeping buttons wakes or something is sent. Otherwise it is left where it was.
 */
export async function sweepSlider(
  hand: Hand,
  scale: Scale,
  watch: SweepWatch,
  remark: () => Promise<void>,
): Promise<Deedless & { readonly value: string | null }> {
  const began = (await stateOf(hand))?.value
  if (began === undefined) return { ok: false, detail: 'the slider is gone', value: null }
  let glances = 0
  const glance = async (): Promise<Glance> => {
    glances += 1
    const now = await hand.frame.ask('glance', hand.key, watch.sleeping)
    if (!now.focused) await hand.frame.ask('focus', hand.key)
    return { value: now.value, met: now.awake || watch.sent(), over: glances > MOST_GLANCES || watch.msLeft() < 1500 }
  }
  const met = (await sweepByKeys(hand, scale, glance, watch.fromEnd)) ?? (await sweepByPresses(hand, scale, glance, watch.fromEnd))
  if (met !== null) return { ok: true, detail: 'something came of it here', value: met }
  const back = Number(began)
  if (Number.isFinite(back)) {
    // What the page shows far away is compared with what it shows after the way back: a live slider must not look dead for having been put back.
    if (Number((await stateOf(hand))?.value) !== back) {
      await hand.rest(AWAY_MS)
      await remark()
    }
    await setSlider(hand, back, scale, remark)
  }
  return { ok: true, detail: 'moved through its length', value: (await stateOf(hand))?.value ?? null }
}

interface Glance {
  readonly value: string
  /** The goal is met at this value. */
  readonly met: boolean
  readonly over: boolean
}

/** Arrow keys from one end to the other, if the steps are few or unknown. Returns the value that met the goal. */
async function sweepByKeys(hand: Hand, scale: Scale, glance: () => Promise<Glance>, fromEnd: boolean): Promise<string | null> {
  if (scale.step !== null && scale.step > 0 && (scale.max - scale.min) / scale.step > MAX_POSITIONS) return null
  await arrow(hand, fromEnd ? 'End' : 'Home')
  if (fromEnd) await climb(hand, scale, glance)
  const up = ['ArrowRight', 'ArrowUp'] as const
  const down = ['ArrowLeft', 'ArrowDown'] as const
  for (const keys of fromEnd ? [down, up] : [up, down]) {
    let stuck = 0
    let last = await glance()
    if (last.met) return last.value
    for (let presses = 0; presses < 2 * MAX_POSITIONS && stuck < 2 && !last.over; presses += 1) {
      const key = keys[stuck] ?? keys[0]
      await input(hand.page, hand.page.keyboard.down(key))
      const now = await glance()
      if (now.met) {
        await input(hand.page, hand.page.keyboard.up(key))
        return now.value
      }
      stuck = now.value === last.value ? stuck + 1 : 0
      last = now
    }
    await input(hand.page, hand.page.keyboard.up(keys[0]))
    // Began at the lower end: then all of it has been seen.
    if (scale.step !== null) break
  }
  return null
}

/** Not every slider knows the End key. */
async function climb(hand: Hand, scale: Scale, glance: () => Promise<Glance>): Promise<void> {
  for (let presses = 0, last = await glance(); presses < 2 * MAX_POSITIONS && Number(last.value) < scale.max && !last.over; presses += 1) {
    await arrow(hand, 'ArrowRight')
    const now = await glance()
    if (now.value === last.value) return
    last = now
  }
}

/** Presses along the track, for long scales and for sliders that do not listen to keys. */
async function sweepByPresses(hand: Hand, scale: Scale, glance: () => Promise<Glance>, fromEnd: boolean): Promise<string | null> {
  const fine = scale.step !== null && scale.step > 0 && (scale.max - scale.min) / scale.step <= MAX_POSITIONS
  if (fine) return null
  let values = new Set<string>()
  for (let index = 0; index <= MAX_POSITIONS; index += 1) {
    await pressTrack(hand, (fromEnd ? MAX_POSITIONS - index : index) / MAX_POSITIONS)
    const now = await glance()
    if (now.met) return now.value
    if (now.over || (index === 6 && values.size < 2)) break
    values = values.add(now.value)
  }
  return null
}
