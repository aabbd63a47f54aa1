import type { CDPSession } from 'playwright-core'
import type { FrameObservation } from './in-page/observe-frame.ts'
import { ProbeBroken } from './page-end.ts'
import type { Rested, Settled } from './in-page/settle.ts'

export const OBSERVER_WORLD = 'genui-eval-observer'

/** The observer's isolated worlds in the frames of a page: one call of each covers all frames. The explorer puts its own functions there, too. */
export class FrameWorlds {
  private readonly contexts = new Set<number>()
  private readonly session: CDPSession

  constructor(session: CDPSession) {
    this.session = session
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === OBSERVER_WORLD) this.contexts.add(context.id)
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.contexts.delete(executionContextId)
    })
    session.on('Runtime.executionContextsCleared', () => this.contexts.clear())
  }

  /** Waits until the observer is in the document; says whether it came within `mostMs`. */
  async ready(mostMs: number): Promise<boolean> {
    const until = performance.now() + mostMs
    while (this.contexts.size === 0) {
      if (performance.now() > until) return false
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return true
  }

  /** Waits until all frames are quiet. */
  async settle(quietMs: number, mostMs: number): Promise<Settled> {
    const frames = await this.inEveryFrame<Settled>('settleFrame', quietMs, mostMs)
    return { quiet: frames.every(({ quiet }) => quiet), frames: frames.every(({ frames }) => frames), ...slowest(frames) }
  }

  /** Lets all frames run for so long, in ms of their own time. */
  async rest(ms: number): Promise<Rested> {
    const frames = await this.inEveryFrame<Rested>('restFrame', ms)
    // A document that is just being replaced has no frame to wait in.
    if (frames.length === 0) await new Promise((resolve) => setTimeout(resolve, ms))
    return slowest(frames)
  }

  /** Observes all frames, the top frame first. */
  async observe(selectors: Readonly<Record<string, readonly string[]>>): Promise<FrameObservation[]> {
    const frames = await this.inEveryFrame<FrameObservation>('observeFrame', selectors)
    return frames.sort((a, b) => comparePaths(a.path, b.path))
  }

  /**
   * Calls a function that the observer left in each frame. A frame that goes away while it is asked is left out.
   * @throws ProbeBroken when the observer itself fails: that must not look like an empty page.
   */
  private async inEveryFrame<T>(name: string, ...values: readonly unknown[]): Promise<T[]> {
    const given = values.map((value) => JSON.stringify(value)).join(', ')
    // A frame in which nothing was ever loaded has no observer.
    const expression = `Object.hasOwn(globalThis, '${name}') ? ${name}(${given}) : null`
    const answers = await Promise.all(
      [...this.contexts].map(async (contextId) => {
        const asked = this.session.send('Runtime.evaluate', {
          expression,
          contextId,
          awaitPromise: true,
          returnByValue: true,
        })
        const answer = await asked.catch(() => null)
        if (answer === null) return null
        if (answer.exceptionDetails !== undefined) {
          if (!this.contexts.has(contextId)) return null
          throw new ProbeBroken(
            `observing the page failed: ${answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text}`,
          )
        }
        const value: T | null = answer.result.value
        return value === null ? null : { value }
      }),
    )
    return answers.flatMap((answer) => (answer === null ? [] : [answer.value]))
  }
}

function slowest(frames: readonly Rested[]): Rested {
  return {
    ran_ms: Math.max(0, ...frames.map(({ ran_ms }) => ran_ms)),
    stalled_ms: Math.max(0, ...frames.map(({ stalled_ms }) => stalled_ms)),
  }
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
