import type { Dialog } from 'playwright-core'
import type { PerformedStep } from '../../model/outcome.ts'
import type { PageSession } from '../session.ts'
import { ProbeBroken } from '../page-end.ts'
import { act } from './act.ts'
import { rank } from './choose.ts'
import { isOurs } from './deadline.ts'
import { nextDrag, saysDrag } from './dragging.ts'
import { tryDeclaredStep, type DeclaredStep } from './declared.ts'
import { isHopeless } from './giving-up.ts'
import { lastResort } from './last-resort.ts'
import { formOf, newMemory } from './memory.ts'
import { isFinal, leave, remember } from './remember.ts'
import { scanPage } from './scan.ts'
import { PLAIN_TASTE, type Choice, type Taste } from './situation.ts'
import { grace, RESERVE_MS, somethingComes } from './waiting.ts'
import { worldOf, type PageWorld } from './world.ts'

export interface ExploreOptions {
  readonly acceptsPayload: (payload: unknown) => boolean
  /** Steps at most. */
  readonly maxSteps: number
  /** Says that the caller wants no more; asked before each step. */
  readonly done?: () => boolean
  /** Who is named in the steps; `explorer` when absent. */
  readonly by?: PerformedStep['by']
  /** Declared steps that found nothing when their turn came: performed as soon as something matches. */
  readonly pending?: readonly DeclaredStep[]
  /** Where each step is noted as soon as it was taken: a page may end itself during the next. */
  readonly performed?: PerformedStep[]
  /** How choices are made otherwise than in the plain drive. */
  readonly taste?: Taste
}

/** Below this a deed is not worth doing while something may still come by itself. */
const IDLE_SCORE = 24

/** What sends and what must be answered goes before what is to be dragged. */
const DRAG_FIRST = 74

/** So many last resorts in a row without anything new end the drive. */
const MOST_FRUITLESS = 6

/**
 * Operates the app as a person would until a payload comes that is accepted, nothing sensible is left, or the budget ends.
 * Deterministic: the same page gives the same path. A page that falls silent or goes away ends the drive without an error.
 * @throws ProbeBroken when the page is so made that it cannot be looked at
 */
export async function explore(session: PageSession, options: ExploreOptions): Promise<PerformedStep[]> {
  const world = worldOf(session)
  const memory = newMemory()
  const steps = options.performed ?? []
  const by = options.by ?? 'explorer'
  const pending = [...(options.pending ?? [])].filter((step) => SETS_VALUE.has(step.action))
  const waited = new Set<string>()
  const taste = options.taste ?? PLAIN_TASTE
  let fruitless = 0
  let doing: Choice | null = null
  let said = ''
  const hear = (dialog: Dialog): void => {
    said = `${said} ${dialog.message()}`.slice(0, 1000)
  }
  session.page.on('dialog', hear)
  const arrived = (): boolean =>
    (options.done?.() ?? false) || session.bridgeCalls.some((call) => call.ok && call.step > 0 && options.acceptsPayload(call.payload))
  try {
    while (!arrived() && steps.length < options.maxSteps && session.remainingMs() > RESERVE_MS) {
      const caughtUp = await catchUp(session, world, pending)
      if (caughtUp) {
        steps.push(caughtUp)
        continue
      }
      let scan = await scanPage(world)
      let best = rank(scan, memory, taste)[0]
      if ((best?.score ?? 0) < 45 && (await learnListeners(world))) {
        scan = await scanPage(world)
        best = rank(scan, memory, taste)[0]
      }
      const reading = formOf(scan)
      if ((best?.score ?? 0) < IDLE_SCORE && (steps.length > 0 || !best) && !waited.has(reading)) {
        waited.add(reading)
        if (await somethingComes(session, world, scan, memory, arrived)) continue
      }
      if ((best?.score ?? 0) < DRAG_FIRST && saysDrag(scan)) best = (await nextDrag(world, memory, taste)) ?? best
      if (!best || best.score < 10) best = (await lastResort(world, scan, memory)) ?? best
      if (!best || isHopeless(scan, memory, best)) break
      leave(memory, best, scan, taste)
      doing = best
      said = ''
      const step = await act(session, world, best, by)
      doing = null
      steps.push(step)
      const { score } = best
      if (arrived()) break
      const after = await scanPage(world)
      remember(memory, best, scan, after, step, said)
      fruitless = score < 10 && memory.last?.opened !== true ? fruitless + 1 : 0
      if (fruitless > MOST_FRUITLESS) break
      if (isFinal(best, scan)) await grace(session, world, arrived, scan, after)
    }
  } catch (error) {
    if (isOurs(error)) throw error
    // The engine tells a hang or crash by its own means; what was done so far is kept.
    if (doing) steps.push(brokenOff(session.currentStep, by, doing, error))
    if (error instanceof ProbeBroken) throw error
  } finally {
    session.page.off('dialog', hear)
  }
  return steps
}

const SETS_VALUE: ReadonlySet<string> = new Set(['set_range', 'fill', 'select', 'check', 'uncheck'])

/** A person told to move the slider passes the start screen first, then moves it. */
async function catchUp(session: PageSession, world: PageWorld, pending: DeclaredStep[]): Promise<PerformedStep | null> {
  const [next] = pending
  const step = next ? await tryDeclaredStep(session, world, next) : null
  if (step) pending.shift()
  return step
}

async function learnListeners(world: PageWorld): Promise<boolean> {
  let learnt = false
  for (const frame of await world.frames()) {
    try {
      if (await frame.learnListeners()) learnt = true
    } catch {
      // Best effort: pages are explored without this knowledge too.
    }
  }
  return learnt
}

/** The step during which the page fell silent or went away. */
function brokenOff(number: number, by: PerformedStep['by'], { action, target, value }: Choice, error: unknown): PerformedStep {
  const detail = `broken off: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'the page fell silent'}`
  return { number, by, action, target: target.key, name: target.name, value, status: 'failed', changed: null, sent: false, detail }
}
