import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** A process that was killed is seen until the system has taken it apart; on a busy machine that takes a while, ms. */
const PAUSE_MS = 20
const MOST_ROUNDS = 250
/** Rounds in which a process may be without an environment, as it is while it starts its program. */
const MOST_UNCLEAR_ROUNDS = 25

/**
 * Kills every process whose environment carries the marker, and waits until they are gone: descendants that left the process group (setsid,
 * double fork). Linux only, where `/proc` shows environments; elsewhere the group kill has to do. A process that clears its environment escapes.
 */
export async function sweepMarkedProcesses(marker: string): Promise<void> {
  if (process.platform !== 'linux') return
  let unclearRounds = 0
  // A fork may happen between reading and killing: sweep until nothing is found.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { marked, unclear } = await lookAround(marker)
    if (marked.length === 0 && (!unclear || unclearRounds >= MOST_UNCLEAR_ROUNDS)) return
    if (marked.length === 0) unclearRounds += 1
    for (const pid of marked) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Ended by itself.
      }
    }
    await delay(PAUSE_MS)
  }
}

interface Surroundings {
  readonly marked: readonly number[]
  /** Some process could not be told. */
  readonly unclear: boolean
}

async function lookAround(marker: string): Promise<Surroundings> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const kinds = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => null)
      if (environment === '') return (await isStarting(pid)) ? 'unclear' : 'other'
      return environment?.includes(marker) === true ? 'marked' : 'other'
    }),
  )
  return { marked: pids.filter((_, index) => kinds[index] === 'marked'), unclear: kinds.includes('unclear') }
}

/** Neither a thread of the kernel nor dead: a program without an environment is one that is just being started, or was started with none. */
async function isStarting(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat !== '' && !'ZX'.includes(state) && parent !== '2' && pid !== 2
}

/** The same in one go, for a process that is about to end. */
export function sweepMarkedProcessesNow(markers: readonly string[]): void {
  if (process.platform !== 'linux' || markers.length === 0) return
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const environment = readFileSync(`/proc/${entry}/environ`, 'utf8')
      if (markers.some((marker) => environment.includes(marker))) process.kill(Number(entry), 'SIGKILL')
    } catch {
      // Ended by itself, or another user's.
    }
  }
}
