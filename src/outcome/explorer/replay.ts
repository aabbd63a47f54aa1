import type { PerformedStep } from '../../model/outcome.ts'
import type { PageSession } from '../session.ts'
import { act } from './act.ts'
import type { ActionKind } from './situation.ts'
import { runDeclaredSteps } from './declared.ts'
import { bare } from './last-resort.ts'
import type { Candidate } from './probe/candidate.ts'
import { scanPage } from './scan.ts'
import { worldOf, type PageWorld } from './world.ts'

const APPEAR_MS = 2500
const KINDS: readonly ActionKind[] = [
  'click',
  'check',
  'uncheck',
  'fill',
  'select',
  'set_range',
  'hold',
  'press_enter',
  'scroll',
  'dismiss',
  'drag',
]

/** Deeds whose target need not be a control. */
const WITHOUT_CONTROL: ReadonlySet<string> = new Set(['scroll', 'dismiss', 'drag'])

/** Performs a recorded path again. A step whose control does not come within 2.5 s is `no_match`; the rest still runs. */
export async function replay(session: PageSession, steps: readonly PerformedStep[]): Promise<PerformedStep[]> {
  const world = worldOf(session)
  const performed: PerformedStep[] = []
  for (const step of steps) {
    if (step.status !== 'done') continue
    if (step.by === 'declared') {
      performed.push(
        ...(await runDeclaredSteps(session, [
          { action: step.action, selector: step.target, ...(step.value === null ? {} : { value: step.value }) },
        ])),
      )
      continue
    }
    performed.push(await again(session, world, step))
  }
  return performed
}

async function again(session: PageSession, world: PageWorld, step: PerformedStep): Promise<PerformedStep> {
  const target = WITHOUT_CONTROL.has(step.action) ? bare(step.target, step.name) : await awaited(session, world, step)
  const action = KINDS.find((kind) => kind === step.action)
  if (!target || !action) {
    session.currentStep += 1
    return {
      ...step,
      number: session.currentStep,
      status: 'no_match',
      changed: null,
      sent: false,
      detail: 'the control of the recorded step is not there',
    }
  }
  return await act(session, world, { action, target, value: step.value, score: 0, why: 'recorded' }, step.by)
}

async function awaited(session: PageSession, world: PageWorld, step: PerformedStep): Promise<Candidate | null> {
  const [key = '', at] = step.target.split(' @')
  const limit = Math.min(APPEAR_MS, session.remainingMs() - 500)
  for (let waited = 0; ; waited += 100) {
    const { candidates } = await scanPage(world)
    const usable = candidates.filter((candidate) => candidate.enabled && !candidate.blocked)
    const exact = usable.find(
      (candidate) => candidate.key === key && (at === undefined || `${candidate.point?.x},${candidate.point?.y}` === at),
    )
    const alike = usable.find((candidate) => step.name !== '' && candidate.name === step.name)
    const found = exact ?? alike
    if (found) return found
    if (waited >= limit) return null
    await session.rest(100)
  }
}
