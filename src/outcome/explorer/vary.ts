import type { PerformedStep, Variation } from '../../model/outcome.ts'
import type { PageSession } from '../session.ts'
import type { Taste } from './situation.ts'
import { explore } from './explore.ts'
import { payloadsDiffer } from './payload.ts'
import { isRefusal, readName } from './words.ts'

export interface VaryGoal {
  readonly acceptsPayload: (payload: unknown) => boolean
  readonly basePayload: unknown
  /** Steps at most in each drive. */
  readonly maxSteps: number
}

export type FreshSession = PageSession & { close(): Promise<void> }

/** The first changes little (so that the app stays valid), the second all it can, plain buttons too, the third only the choices themselves. */
const TASTES: readonly Taste[] = [
  { turn: 1, perturb: 2 },
  { turn: 1, perturb: 8 },
  { turn: 2, perturb: 0 },
]
const LEAST_MS = 3000

/**
 * Drives the app again with other choices until one drive ends in a payload that differs from the base, three drives at most.
 * Null when no drive found anything that could be chosen otherwise.
 */
export async function vary(
  openFreshSession: () => Promise<FreshSession>,
  basePath: readonly PerformedStep[],
  goal: VaryGoal,
): Promise<Variation[] | null> {
  const variations: Variation[] = []
  let sameAgain = false
  for (const taste of TASTES) {
    const session = await openFreshSession()
    try {
      if (session.remainingMs() < LEAST_MS) break
      const steps = await explore(session, { acceptsPayload: goal.acceptsPayload, maxSteps: goal.maxSteps, by: 'variation', taste })
      const payloads = session.bridgeCalls.flatMap((call) => (call.ok && call.step > 0 ? [call.payload] : []))
      const accepted = payloads.filter((payload) => goal.acceptsPayload(payload))
      const differs = accepted.some((payload) => payloadsDiffer(payload, goal.basePayload))
      const leftOut = accepted.length > 0 ? describeLeftOut(basePath, steps) : ''
      const otherwise = chosenAnew(basePath, steps)
      const difference = [describe(otherwise), leftOut].filter((part) => part !== '').join(', ')
      // Where the drive that changes little was the same again, another button alone proves nothing: it may be there to read only.
      if (!differs && (difference === '' || (sameAgain && !otherwise.some(isSetting)))) {
        sameAgain = true
        continue
      }
      variations.push({ steps, difference: difference === '' ? 'the same steps in another order' : difference, payloads })
      if (differs) break
    } finally {
      await session.close()
    }
  }
  return variations.length > 0 ? variations : null
}

const CHOOSING = new Set(['check', 'uncheck', 'select', 'fill', 'set_range', 'drag'])

const isSetting = ({ action }: PerformedStep): boolean => CHOOSING.has(action)

/** What the second drive chose that the first did not: settings first, then presses. */
function chosenAnew(base: readonly PerformedStep[], varied: readonly PerformedStep[]): PerformedStep[] {
  const said = (step: PerformedStep): string => `${step.action}|${step.target}|${step.name.replace(/\d+/g, '#')}|${step.value ?? ''}`
  const before = new Set(base.map(said))
  const fresh = varied.filter((step) => step.status === 'done' && !before.has(said(step)))
  const pressed = fresh.filter(
    (step) => (step.action === 'click' && /^(neutral|final)$/.test(readName(step.name, false).intent)) || isRefusal(step.name),
  )
  return [...fresh.filter(isSetting), ...pressed]
}

/** In words; empty when the same choices were made. */
function describe(otherwise: readonly PerformedStep[]): string {
  return otherwise
    .slice(0, 6)
    .map((step) => `${step.action} "${step.name || step.target}"${step.value === null ? '' : ` = ${step.value.slice(0, 40)}`}`)
    .join(', ')
}

/** Choices of the base drive that the second drive reached its payload without, in words. Declared steps name a selector, so names are compared. */
function describeLeftOut(base: readonly PerformedStep[], varied: readonly PerformedStep[]): string {
  const said = (step: PerformedStep): string => `${step.action}|${step.name}|${step.value ?? ''}`
  const made = new Set(varied.filter((step) => step.status === 'done').map(said))
  const chose = (step: PerformedStep): boolean =>
    isSetting(step) || (step.action === 'click' && readName(step.name, false).intent === 'neutral')
  return base
    .filter((step) => step.status === 'done' && !step.sent && chose(step) && !made.has(said(step)))
    .slice(0, 3)
    .map((step) => `without ${step.action} "${step.name}"`)
    .join(', ')
}
