/** The page did not answer in time: it loops or its process is gone. */
export class PageSilent extends Error {
  override readonly name = 'PageSilent'
}

/** A mistake of ours, as against trouble that the page or the browser makes. */
export function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}

/** Resolves as `work` does, or throws `PageSilent` after `ms` milliseconds. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PageSilent(`the page did not answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
