import { readdir, readFile } from 'node:fs/promises'

/** What this process has started, its browsers in the first place. */
export interface BrowserMemory {
  /** Memory of all of them, MB, shared pages divided (PSS). */
  readonly megabytes: number
  /** Processes that run pages. */
  readonly renderers: number
}

/** Null where the system does not tell (`/proc` of Linux does). */
export async function browserMemory(): Promise<BrowserMemory | null> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : ''
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  if (parents.size === 0) return null
  let kilobytes = 0
  let renderers = 0
  for (const pid of parents.keys()) {
    if (!isBelowUs(pid, parents)) continue
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=renderer')) renderers += 1
  }
  return { megabytes: kilobytes / 1024, renderers }
}

function isBelowUs(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === process.pid) return true
  return false
}
