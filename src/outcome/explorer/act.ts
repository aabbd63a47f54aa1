import type { PageSession } from '../session.ts'
import type { PerformedStep } from '../../model/outcome.ts'
import type { Choice } from './situation.ts'
import { dragTo } from './dragging.ts'
import { fill, handOn, press, pressKey, scrollToEnd, selectOption, setChecked, type Deedless } from './perform.ts'
import { scanPage } from './scan.ts'
import { setSlider, sweepSlider } from './slider.ts'
import { DRIVE_MS, takeStep } from './step.ts'
import { readName } from './words.ts'
import type { PageWorld } from './world.ts'

/** Carries out what was chosen, with real input. */
export async function act(
  session: PageSession,
  world: PageWorld,
  choice: Choice,
  by: PerformedStep['by'],
  patience = DRIVE_MS,
): Promise<PerformedStep> {
  const { target } = choice
  const action = choice.action === 'sweep' ? 'set_range' : choice.action
  const aimed = target.point ? `${target.key} @${target.point.x},${target.point.y}` : target.key
  return await takeStep(
    session,
    world,
    {
      by,
      action,
      target: aimed,
      name: target.name,
      value: choice.value,
      own: target.key,
      patience: action === 'click' || action === 'hold' || action === 'drag' ? patience : 0,
    },
    async (remark) => await deed(session, world, choice, remark),
  )
}

async function deed(
  session: PageSession,
  world: PageWorld,
  { action, target, value }: Choice,
  remark: () => Promise<void>,
): Promise<Deedless & { readonly value?: string | null }> {
  const hand = await handOn(world, target.key)
  if (!hand) return { ok: false, detail: 'its frame is gone' }
  const scale = { min: target.min ?? 0, max: target.max ?? 100, step: target.step }
  const callsBefore = session.bridgeCalls.length
  const sent = (): boolean => session.bridgeCalls.length > callsBefore
  switch (action) {
    case 'click':
      return await press(hand, { point: target.point })
    case 'hold':
      return await press(hand, { holdUntil: sent })
    case 'check':
      return await setChecked(hand, true)
    case 'uncheck':
      return await setChecked(hand, false)
    case 'fill':
      return await fill(hand, value ?? '', target.input_type)
    case 'select':
      return await selectOption(hand, value ?? '', target.options)
    case 'set_range':
      return await setSlider(hand, Number(value), scale, remark)
    case 'press_enter':
      return await pressKey(hand, 'Enter')
    case 'sweep': {
      const disabledBefore = await sleepingKeys(world, hand.frame.prefix)
      return await sweepSlider(
        hand,
        scale,
        {
          sleeping: disabledBefore,
          sent,
          msLeft: () => session.remainingMs(),
          fromEnd: value !== null,
        },
        remark,
      )
    }
    case 'drag':
      return await dragTo(world, hand, value ?? '')
    case 'scroll':
      return await scrollToEnd(hand)
    case 'dismiss':
      await session.page.keyboard.press('Escape')
      return { ok: true, detail: '' }
    default:
      return action satisfies never
  }
}

/** Disabled buttons of the frame, final ones alone if there are any: a sweep has reached its goal when one of them wakes. */
async function sleepingKeys(world: PageWorld, prefix: string): Promise<readonly string[]> {
  const scan = await scanPage(world)
  const sleeping = scan.candidates.filter(
    (each) => !each.enabled && !each.blocked && each.key.startsWith(prefix) && (each.kind === 'button' || each.kind === 'custom'),
  )
  const finals = sleeping.filter((each) => readName(each.name, each.submit).intent === 'final')
  return (finals.length > 0 ? finals : sleeping).slice(0, 4).map((each) => each.key.slice(prefix.length))
}
