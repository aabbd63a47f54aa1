import type { PerformedStep } from '../../model/outcome.ts'
import type { PageSession } from '../session.ts'
import { restPointer, type Deedless } from './perform.ts'
import type { PageWorld } from './world.ts'

/** Patience for steps that are judged by what they changed; a drive that only has to go on needs less. */
export const JUDGED_MS = 500
export const DRIVE_MS = 300

export interface StepPlan {
  readonly by: PerformedStep['by']
  readonly action: string
  readonly target: string
  readonly name: string
  readonly value: string | null
  /** Key of the control whose own value does not count as a change; empty for none. */
  readonly own: string
  /** How long to wait for an effect that does not show at once, in ms; 0 where none beyond the control itself is to be expected. */
  readonly patience: number
}

/**
 * Does one thing to the page and says what came of it: settled, observed, `changed` and `sent` filled in.
 * The deed may call `remark` to have changes counted from that moment on (a slider moved away before it is set to where it stood).
 */
export async function takeStep(
  session: PageSession,
  world: PageWorld,
  plan: StepPlan,
  deed: (remark: () => Promise<void>) => Promise<Deedless & { readonly value?: string | null }>,
): Promise<PerformedStep> {
  const number = session.currentStep + 1
  session.currentStep = number
  const callsBefore = session.bridgeCalls.length
  await markAll(world, false)
  const framesBefore = (await world.frames()).length
  const came = await deed(async () => await markAll(world, true))
  await session.settle()
  if (came.ok) await restPointer(session.page)
  const sent = (): boolean => session.bridgeCalls.length > callsBefore
  let changed = await anyChanged(world, plan.own, framesBefore)
  // Effects that need a moment (a timer, a fetch) are still effects.
  for (let waited = 0; came.ok && !changed && !sent() && waited < plan.patience; waited += 100) {
    await session.rest(100)
    changed = await anyChanged(world, plan.own, framesBefore)
  }
  await session.observe(`after ${plan.action} ${plan.name || plan.target}`.slice(0, 160))
  await markAll(world, true)
  return {
    number,
    by: plan.by,
    action: plan.action,
    target: plan.target,
    name: plan.name.slice(0, 120),
    value: came.value === undefined ? plan.value : came.value,
    status: came.ok ? 'done' : 'failed',
    changed: came.ok ? changed : null,
    sent: sent(),
    detail: came.detail,
  }
}

/** What moves between the mark after one step and the mark before the next moves by itself. */
async function markAll(world: PageWorld, fresh: boolean): Promise<void> {
  for (const frame of await world.frames()) {
    try {
      await frame.ask('mark', fresh)
    } catch (error) {
      if (frame.prefix === '') throw error
    }
  }
}

async function anyChanged(world: PageWorld, own: string, framesBefore: number): Promise<boolean> {
  const frames = await world.frames()
  if (frames.length !== framesBefore) return true
  const place = own === '' ? null : await world.locate(own)
  for (const frame of frames) {
    try {
      if (await frame.ask('changed', place?.world === frame ? place.inner : '')) return true
    } catch (error) {
      if (frame.prefix === '') throw error
    }
  }
  return false
}
