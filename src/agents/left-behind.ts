import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sweepMarkedProcessesNow } from './process-sweep.ts'

/** Marks of children by the ids of their process groups. */
const groups = new Map<number, string>()
const folders = new Set<string>()
let watching = false

/** What is still open when this process ends in a hurry (a second signal, an error that nobody caught) ends and goes with it. */
function watchExit(): void {
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const group of groups.keys()) killGroup(group)
    sweepMarkedProcessesNow([...groups.values()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}

/** Keeps a child's process group in mind until it is forgotten. */
export function rememberGroup(pid: number, marker: string): void {
  watchExit()
  groups.set(pid, marker)
}

export function forgetGroup(pid: number): void {
  groups.delete(pid)
}

/** The group leader's pid is the group's id when it was started detached. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** A fresh temporary folder that goes when it is disposed of, or with this process. */
export async function openScratchFolder(prefix: string): Promise<AsyncDisposable & { readonly path: string }> {
  watchExit()
  const path = await mkdtemp(join(tmpdir(), prefix))
  folders.add(path)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 3 })
      folders.delete(path)
    },
  }
}
