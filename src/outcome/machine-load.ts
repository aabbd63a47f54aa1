import { cpus } from 'node:os'

/** Where so much of the machine's time was idle, nobody had to wait for a processor. */
const SHARE_IDLE = 0.2

/** Watches whether the machine has processors to spare. */
export class MachineLoad {
  private last = times()

  /** Whether it was busy since the beginning, or since the last `forget`. */
  wasBusy(): boolean {
    const now = times()
    return now.total > this.last.total && (now.idle - this.last.idle) / (now.total - this.last.total) < SHARE_IDLE
  }

  forget(): void {
    this.last = times()
  }
}

/** Of all processors together, ms since the start of the machine. */
function times(): { readonly idle: number; readonly total: number } {
  let idle = 0
  let total = 0
  for (const { times: spent } of cpus()) {
    idle += spent.idle
    total += spent.user + spent.nice + spent.sys + spent.irq + spent.idle
  }
  return { idle, total }
}
