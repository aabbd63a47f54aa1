// What this process and all that it started have used so far. Linux only (/proc); zeros elsewhere.
import { readdir, readFile } from 'node:fs/promises'

/** Kinds of process by what they are in Chromium; `renderers` includes those that have ended. */
export const KINDS = ['node', 'browser', 'renderers', 'gpu', 'other'] as const
export type ProcessKind = (typeof KINDS)[number]
export type ByKind = Record<ProcessKind, number>

interface Process {
  readonly pid: number
  readonly parent: number
  readonly kind: ProcessKind
  /** Milliseconds of processor time of its own, and of children that have ended. */
  readonly own: number
  readonly ended: number
}

const MS_A_TICK = 10
const nothing = (): ByKind => ({ node: 0, browser: 0, renderers: 0, gpu: 0, other: 0 })

function kindOf(pid: number, command: string): ProcessKind {
  if (pid === process.pid) return 'node'
  const type = /--type=([a-z-]+)/.exec(command)?.[1]
  if (type === undefined) return 'browser'
  return type === 'renderer' || type === 'zygote' ? 'renderers' : type === 'gpu-process' ? 'gpu' : 'other'
}

async function ourProcesses(): Promise<Process[]> {
  const all = new Map<number, Process>()
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue
    const [stat, command] = await Promise.all([
      readFile(`/proc/${entry}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${entry}/cmdline`, 'latin1').catch(() => ''),
    ])
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const pid = Number(entry)
    const [parent = 0, own, ended] = [fields[1], (fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)]
    if (stat !== '') all.set(pid, { pid, parent, kind: kindOf(pid, command), own: own * MS_A_TICK, ended: ended * MS_A_TICK })
  }
  const isOurs = (start: Process): boolean => {
    for (let at: Process | undefined = start; at !== undefined; at = all.get(at.parent)) if (at.pid === process.pid) return true
    return false
  }
  return [...all.values()].filter(isOurs)
}

/** Milliseconds of processor time used so far. */
export async function processorTime(): Promise<ByKind> {
  const spent = nothing()
  for (const { kind, own, ended } of await ourProcesses()) spent[kind] += own + (kind === 'node' ? 0 : ended)
  return spent
}

/** Memory in MB; pages shared by several processes are divided among them (PSS), for this process the resident set (RSS). */
export async function memoryInUse(): Promise<{ readonly node: number; readonly browser: number }> {
  let kilobytes = 0
  for (const { pid, kind } of await ourProcesses()) {
    const rollup = kind === 'node' ? '' : await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return { node: process.memoryUsage().rss / 2 ** 20, browser: kilobytes / 1024 }
}

export function difference(before: ByKind, after: ByKind): ByKind {
  const spent = nothing()
  for (const kind of KINDS) spent[kind] = after[kind] - before[kind]
  return spent
}

export function sum(spent: ByKind): number {
  return KINDS.reduce((total, kind) => total + spent[kind], 0)
}
