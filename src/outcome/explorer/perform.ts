import type { Page } from 'playwright-core'
import { within } from './deadline.ts'
import type { Aim, ControlState } from './probe/control.ts'
import type { FrameWorld, PageWorld } from './world.ts'

/** What came of a deed: null detail means it went as meant. */
export interface Deedless {
  readonly ok: boolean
  readonly detail: string
}

const INPUT_LIMIT_MS = 5000
const MOST_LOOKS = 30
const DONE: Deedless = { ok: true, detail: '' }
const refused = (detail: string): Deedless => ({ ok: false, detail })

/** A control in its frame; found anew for each deed, since re-rendering replaces elements. */
export interface Hand {
  readonly page: Page
  readonly frame: FrameWorld
  readonly key: string
  /** Lets the page run for so long, in ms of its own time. */
  readonly rest: (ms: number) => Promise<void>
}

/** Null when the frame of the key is gone. */
export async function handOn(world: PageWorld, key: string): Promise<Hand | null> {
  const place = await world.locate(key)
  return place ? { page: world.page, frame: place.world, key: place.inner, rest: async (ms) => await world.rest(ms) } : null
}

export async function stateOf(hand: Hand): Promise<ControlState | null> {
  return await hand.frame.ask('state', hand.key)
}

/** The control scrolled into view and at rest, in coordinates of the top page; null when it is not there. */
export async function aimAt(hand: Hand): Promise<Aim | null> {
  let aim = await hand.frame.ask('aim', hand.key)
  // Smooth scrolling and sliding dialogs: a person presses when the thing stands still.
  for (let looks = 0; aim.found && aim.moving && looks < MOST_LOOKS; looks += 1) {
    await hand.rest(40)
    const again = await hand.frame.ask('aim', hand.key)
    const rests = again.x === aim.x && again.y === aim.y
    aim = again
    if (rests) break
  }
  if (!aim.found) return null
  const offset = await hand.frame.offset()
  return { ...aim, x: aim.x + offset.x, y: aim.y + offset.y, left: aim.left + offset.x, top: aim.top + offset.y }
}

export async function input<T>(page: Page, work: Promise<T>): Promise<T> {
  return await within(page, INPUT_LIMIT_MS, work)
}

/** Presses the control with the mouse (real, trusted input). `point` counts from its top left corner. */
export async function press(
  hand: Hand,
  options: { readonly point?: { readonly x: number; readonly y: number } | null; readonly holdUntil?: () => boolean } = {},
): Promise<Deedless> {
  const aim = await aimAt(hand)
  if (!aim) return refused('the control is gone')
  if (aim.covered_by !== null) return refused(`something else lies on it: ${aim.covered_by || 'nothing receives the press'}`)
  const x = options.point ? aim.left + options.point.x : aim.x
  const y = options.point ? aim.top + options.point.y : aim.y
  const { mouse } = hand.page
  await input(hand.page, mouse.move(x, y))
  await input(hand.page, mouse.down())
  if (options.holdUntil) {
    // Held for as long as such buttons ask for, or until the callback has come.
    for (let waited = 0; waited < 4000 && !options.holdUntil(); waited += 50) await hand.rest(50)
  }
  await input(hand.page, mouse.up())
  return DONE
}

/** Takes the pointer off the page, so that hovering is not taken for an effect. */
export async function restPointer(page: Page): Promise<void> {
  await input(page, page.mouse.move(0, 0))
}

/** Brings a checkbox, switch or radio (ARIA ones too) to the wanted state by pressing it. */
export async function setChecked(hand: Hand, wanted: boolean): Promise<Deedless> {
  const before = await stateOf(hand)
  if (!before) return refused('the control is gone')
  if (before.checked === wanted) return { ok: true, detail: wanted ? 'it was ticked already' : 'it was not ticked' }
  const pressed = await press(hand)
  if (pressed.ok) return pressed
  // Some style the box away altogether; the keyboard still reaches it.
  if (!(await hand.frame.ask('focus', hand.key))) return pressed
  await input(hand.page, hand.page.keyboard.press('Space'))
  return (await stateOf(hand))?.checked === wanted ? DONE : pressed
}

const TYPED_BY_SEGMENTS = /^(date|time|datetime-local|month|week|color)$/

/** Replaces the text of a field as a person would: press, select all, type, leave. */
export async function fill(hand: Hand, value: string, inputType: string): Promise<Deedless> {
  if (TYPED_BY_SEGMENTS.test(inputType)) {
    // How such fields are typed depends on the locale; the value is what counts.
    return (await hand.frame.ask('assign', hand.key, value)) ? DONE : refused(`the field does not take "${value}"`)
  }
  const pressed = await press(hand)
  if (!pressed.ok && !(await hand.frame.ask('focus', hand.key))) return pressed
  if (!(await stateOf(hand))?.focused) await hand.frame.ask('focus', hand.key)
  const { keyboard } = hand.page
  await input(hand.page, keyboard.press('ControlOrMeta+A'))
  if (value === '') await input(hand.page, keyboard.press('Backspace'))
  else if (value.length <= 30) await input(hand.page, keyboard.type(value))
  else await input(hand.page, keyboard.insertText(value))
  const after = await stateOf(hand)
  await hand.frame.ask('blur', hand.key)
  if (!after || after.value === value) return DONE
  return inputType === 'number' && Number(after.value) === Number(value)
    ? DONE
    : { ok: true, detail: `the field shows "${after.value.slice(0, 60)}"` }
}

/** Chooses an option by value, else by label, with the keyboard; the page sees trusted change events. */
export async function selectOption(
  hand: Hand,
  wanted: string,
  options: readonly { readonly value: string; readonly label: string; readonly disabled: boolean }[],
): Promise<Deedless> {
  const target = options.find((option) => option.value === wanted) ?? options.find((option) => option.label.trim() === wanted.trim())
  if (!target) return refused(`there is no option "${wanted}"`)
  const usable = options.filter((option) => !option.disabled)
  const goal = usable.indexOf(target)
  if (goal < 0) return refused(`the option "${wanted}" is disabled`)
  await aimAt(hand)
  await hand.frame.ask('focus', hand.key)
  for (let presses = 0; presses < usable.length + 2; presses += 1) {
    const state = await stateOf(hand)
    if (!state) return refused('the control is gone')
    if (state.value === target.value) return DONE
    if (!state.focused) await hand.frame.ask('focus', hand.key)
    const at = usable.findIndex((option) => option.value === state.value)
    await input(hand.page, hand.page.keyboard.press(at < goal ? 'ArrowDown' : 'ArrowUp'))
    if ((await stateOf(hand))?.value === state.value) break
  }
  if ((await stateOf(hand))?.value === target.value) return DONE
  return (await hand.frame.ask('assign', hand.key, target.value))
    ? { ok: true, detail: 'set by script: the keyboard did not move it' }
    : refused('the select does not move')
}

/** Turns the wheel over the element until its end is reached. */
export async function scrollToEnd(hand: Hand): Promise<Deedless> {
  const aim = await aimAt(hand)
  if (!aim) return refused('it is gone')
  await input(hand.page, hand.page.mouse.move(aim.left + aim.width / 2, aim.top + Math.min(aim.height / 2, 300)))
  for (let turns = 0; turns < 12; turns += 1) await input(hand.page, hand.page.mouse.wheel(0, 1500))
  return DONE
}

/** Presses a key on the control. */
export async function pressKey(hand: Hand, key: string): Promise<Deedless> {
  if (!(await hand.frame.ask('focus', hand.key))) return refused('the control is gone')
  await input(hand.page, hand.page.keyboard.press(key))
  return DONE
}
