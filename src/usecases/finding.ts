import { InfraError, UserError } from '../model/errors.ts'

/** One thing that `doctor` looked at. */
export interface Finding {
  readonly name: string
  /** `warning`: works for now, or is not needed for every run; `skipped`: not asked for. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped'
  /** What was seen. */
  readonly detail: string
  /** What to do; null when nothing is. */
  readonly advice: string | null
}

/** Looks, and turns whatever is thrown into a failed finding. The advice stands in only where looking ended in an error. */
export async function attempted(name: string, advice: string, look: () => Promise<Omit<Finding, 'name'>>): Promise<Finding> {
  try {
    return { name, ...(await look()) }
  } catch (error) {
    const known = error instanceof UserError || error instanceof InfraError
    const detail = error instanceof Error ? (known ? error.message : `${error.name}: ${error.message}`) : String(error)
    return { name, status: 'failed', detail: detail.replaceAll('\n', '; '), advice }
  }
}
