import { EXIT } from '../model/errors.ts'
import { say } from './conclude.ts'
import { Stopped } from './stopped.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How long work may take to close what it opened, ms. */
const CLOSING_LIMIT_MS = 15_000

interface Stoppable {
  readonly sentence: string
  readonly stop: AbortController
}

let current: Stoppable | null = null

/**
 * For the door: a signal ends a command with one sentence and exit code 3. Work inside `stoppable` closes what it opened first; anything else,
 * or a second signal, ends the process at once, and browser, children and temporary folders with it.
 */
export function listenForSignals(): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      const work = current
      if (work !== null && !work.stop.signal.aborted) {
        tell(work.sentence)
        work.stop.abort()
        // Something that cannot be closed must not keep the user.
        setTimeout(() => process.exit(EXIT.inconclusive), CLOSING_LIMIT_MS).unref()
        return
      }
      if (work === null) tell('Stopped: nothing was decided.')
      process.exit(EXIT.inconclusive)
    })
}

/** On a terminal the cursor stands behind `^C` or in a progress bar. */
function tell(sentence: string): void {
  say(process.stderr.isTTY ? `\n${sentence}` : sentence)
}

/**
 * Work that ends early and in order when a signal comes. `sentence` tells the user what becomes of it.
 * @throws Stopped when a signal came before the work was done
 */
export async function stoppable<T>(sentence: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  current = { sentence, stop }
  try {
    return await work(stop.signal)
  } catch (error) {
    // What fails on the way out is not the user's concern.
    throw stop.signal.aborted ? new Stopped() : error
  } finally {
    current = null
  }
}
