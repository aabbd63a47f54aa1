import type { PerformedStep } from '../../model/outcome.ts'
import type { PageSession } from '../session.ts'
import { ProbeBroken } from '../page-end.ts'
import { act } from './act.ts'
import { isOurs } from './deadline.ts'
import type { Candidate } from './probe/candidate.ts'
import { scanPage } from './scan.ts'
import { JUDGED_MS } from './step.ts'
import { readName } from './words.ts'
import { worldOf } from './world.ts'

export interface ProbeOptions {
  /** Buttons pressed at most. */
  readonly maxControls: number
  /** Steps already performed: their controls are not pressed again. */
  readonly skip: readonly Pick<PerformedStep, 'target' | 'name'>[]
  /** Where each step is noted as soon as it was taken: a page may end itself during the next. */
  readonly performed?: PerformedStep[]
}

const RESERVE_MS = 1000

/**
 * Presses buttons that nobody has pressed yet, one after another, and records whether anything came of each.
 * A button that leads nowhere here may still live in another state; the grader weighs that.
 */
export async function probeControls(session: PageSession, options: ProbeOptions): Promise<PerformedStep[]> {
  const world = worldOf(session)
  const steps = options.performed ?? []
  const pressed = new Set(options.skip.map((step) => step.target))
  const names = new Set(options.skip.map((step) => step.name))
  try {
    while (steps.length < options.maxControls && session.remainingMs() > RESERVE_MS) {
      const { candidates } = await scanPage(world)
      const next = candidates
        .filter(
          (each) =>
            (each.kind === 'button' || each.kind === 'tab') &&
            each.enabled &&
            !each.blocked &&
            !pressed.has(each.key) &&
            !names.has(each.name),
        )
        .sort((a, b) => order(a) - order(b))[0]
      if (!next) break
      pressed.add(next.key)
      steps.push(
        await act(session, world, { action: 'click', target: next, value: null, score: 0, why: 'not pressed yet' }, 'explorer', JUDGED_MS),
      )
    }
  } catch (error) {
    // What was pressed so far still counts; the engine tells how the page ended.
    if (isOurs(error) || error instanceof ProbeBroken) throw error
  }
  return steps
}

/** Buttons that may take others away come last. */
function order(candidate: Candidate): number {
  const { intent } = readName(candidate.name, candidate.submit)
  // What is on already shows nothing when pressed again.
  if (candidate.checked === true) return 1.5
  return intent === 'final' ? 2 : intent === 'back' ? 1 : 0
}
