import { InfraError } from '../model/errors.ts'

/** The run was stopped from outside; what was under way is nobody's grade. */
const cancelled = (): InfraError => new InfraError('harness_error', 'The run was cancelled.')

/** Between two stages of a run. Throws InfraError once it is cancelled. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled()
}

/** The work's result, or InfraError as soon as the run is cancelled; the work itself goes on until what it works with is closed. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  stopIfAborted(signal)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(cancelled())
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    // Whatever becomes of it after that, nobody waits for it.
    work.catch(() => undefined)
  }
}
