import type { Rested } from './in-page/settle.ts'
import { MachineLoad } from './machine-load.ts'

/** The time is stretched by so much at most. */
const MOST_STRETCH = 3

/**
 * The time that all pages of one observation share. On a busy machine it is stretched by as much as the pages were seen to be slowed down,
 * so that what is found of an app does not depend on who else is at work.
 */
export class PageBudget {
  private readonly began = performance.now()
  private readonly ms: number
  private readonly load = new MachineLoad()
  private ran = 0
  private stalled = 0

  /** @param seconds wall-clock seconds on a machine that is free */
  constructor(seconds: number) {
    this.ms = seconds * 1000
  }

  remainingMs(): number {
    const stretch = this.ran === 0 ? 1 : Math.min(MOST_STRETCH, (this.ran + this.stalled) / this.ran)
    return Math.max(0, this.ms * stretch - (performance.now() - this.began))
  }

  /** Notes how a wait went. A page that holds itself up, on a machine with time to spare, is not excused. */
  note({ ran_ms, stalled_ms }: Rested): void {
    this.ran += ran_ms
    if (stalled_ms > 0 && this.load.wasBusy()) this.stalled += stalled_ms
    this.load.forget()
  }
}
