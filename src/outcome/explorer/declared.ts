import type { PerformedStep } from '../../model/outcome.ts'
import { selectorAlternatives } from '../selector-equivalents.ts'
import type { PageSession } from '../session.ts'
import { fill, handOn, press, pressKey, selectOption, setChecked, type Deedless, type Hand } from './perform.ts'
import { setSlider } from './slider.ts'
import { JUDGED_MS, takeStep } from './step.ts'
import { worldOf, type PageWorld } from './world.ts'

export interface DeclaredStep {
  readonly action: string
  readonly selector: string
  readonly value?: string
}

/** How long a step waits for its control to appear. */
const APPEAR_MS = 400
const WAIT_FOR_MS = 5000

interface Match {
  readonly key: string
  readonly name: string
  readonly by: string
}

/**
 * Performs the steps of a task, each on the first match that is visible, enabled and suitable (a range whose limits admit the value).
 * Selectors also match ARIA equivalents and pierce open shadow roots and frames. A step that finds nothing is `no_match`; the rest still runs.
 * `target` of a step is the selector that matched, `detail` says when it was an equivalent.
 * @param performed where each step is noted as soon as it was taken: a page may end itself during the next
 */
export async function runDeclaredSteps(
  session: PageSession,
  steps: readonly DeclaredStep[],
  performed: PerformedStep[] = [],
): Promise<PerformedStep[]> {
  const world = worldOf(session)
  for (const step of steps) performed.push(await runOne(session, world, step))
  return performed
}

async function runOne(session: PageSession, world: PageWorld, step: DeclaredStep): Promise<PerformedStep> {
  const patience = step.action === 'wait_for' ? WAIT_FOR_MS : APPEAR_MS
  const limit = Math.min(patience, session.remainingMs() - 500)
  let found = await firstMatch(world, step)
  for (let waited = 0; 'problem' in found && waited < limit; waited += 100) {
    await session.rest(100)
    found = await firstMatch(world, step)
  }
  if ('problem' in found) {
    session.currentStep += 1
    await session.observe(`after ${step.action} ${step.selector}`.slice(0, 160))
    return {
      number: session.currentStep,
      by: 'declared',
      action: step.action,
      target: step.selector,
      name: '',
      value: step.value ?? null,
      status: 'no_match',
      changed: null,
      sent: false,
      detail: found.problem,
    }
  }
  return await perform(session, world, step, found)
}

/** Performs a step that found nothing when its turn came, if it finds something now; else null. Never waits. */
export async function tryDeclaredStep(session: PageSession, world: PageWorld, step: DeclaredStep): Promise<PerformedStep | null> {
  const found = await firstMatch(world, step)
  return 'problem' in found ? null : await perform(session, world, step, found)
}

async function perform(session: PageSession, world: PageWorld, step: DeclaredStep, match: Match): Promise<PerformedStep> {
  const plan = {
    by: 'declared' as const,
    action: step.action,
    target: match.key,
    name: match.name,
    value: step.value ?? null,
    own: match.key,
    patience: step.action === 'wait_for' ? 0 : JUDGED_MS,
  }
  const done = await takeStep(session, world, plan, async (remark) => await deed(world, match, step, remark))
  const equivalent = match.by === step.selector ? '' : `matched by ${match.by}`
  return { ...done, target: step.selector, detail: [`on ${match.key}`, equivalent, done.detail].filter(Boolean).join('; ') }
}

async function firstMatch(world: PageWorld, step: DeclaredStep): Promise<Match | { readonly problem: string }> {
  const selectors = selectorAlternatives(step.selector)
  const wanted = step.action === 'set_range' ? Number(step.value) : null
  if (wanted !== null && !Number.isFinite(wanted)) return { problem: `"${step.value ?? ''}" is not a number` }
  let problem = 'nothing matches'
  for (const frame of await world.frames()) {
    const found = await frame.ask('match', { selectors, admits: wanted })
    if ('problem' in found) {
      if (problem === 'nothing matches') problem = found.problem
    } else return { key: frame.prefix + found.key, name: found.name, by: found.by }
  }
  return { problem }
}

async function deed(world: PageWorld, match: Match, step: DeclaredStep, remark: () => Promise<void>): Promise<Deedless> {
  const hand = await handOn(world, match.key)
  if (!hand) return { ok: false, detail: 'its frame is gone' }
  const value = step.value ?? ''
  switch (step.action) {
    case 'click':
      return await press(hand)
    case 'check':
      return await setChecked(hand, true)
    case 'uncheck':
      return await setChecked(hand, false)
    case 'press':
      return await pressKey(hand, value === '' ? 'Enter' : value)
    case 'wait_for':
      return { ok: true, detail: '' }
    case 'fill':
    case 'select':
    case 'set_range':
      return await setValue(hand, step.action, value, remark)
    default:
      return { ok: false, detail: `there is no action "${step.action}"` }
  }
}

async function setValue(
  hand: Hand,
  action: 'fill' | 'select' | 'set_range',
  value: string,
  remark: () => Promise<void>,
): Promise<Deedless> {
  const control = await hand.frame.ask('field', hand.key)
  switch (action) {
    case 'fill':
      return await fill(hand, value, control?.input_type ?? 'text')
    case 'select':
      return await selectOption(hand, value, control?.options ?? [])
    case 'set_range':
      return await setSlider(hand, Number(value), control ?? { min: 0, max: 100, step: null }, remark)
    default:
      return action satisfies never
  }
}
