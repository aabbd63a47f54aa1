import { readdir, readFile } from 'node:fs/promises'

/**
 * Kills every process whose environment carries the marker: descendants that left the process group (setsid, double fork).
 * Linux only, where `/proc` shows environments; elsewhere the group kill has to do. A process that clears its environment escapes.
 */
export async function sweepMarkedProcesses(marker: string): Promise<number> {
  if (process.platform !== 'linux') return 0
  let killed = 0
  // A fork may happen between reading and killing: sweep until nothing is found, a few times at most.
  for (let round = 0; round < 5; round += 1) {
    const found = await markedProcesses(marker)
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL')
        killed += 1
      } catch {
        // Ended by itself.
      }
    }
    if (found.length === 0) break
  }
  return killed
}

async function markedProcesses(marker: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number)
  const marked = await Promise.all(
    pids.map(async (pid) => {
      if (pid === process.pid) return false
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      return environment.includes(marker)
    }),
  )
  return pids.filter((_, index) => marked[index])
}
