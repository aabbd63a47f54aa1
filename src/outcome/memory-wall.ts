import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** What the process of one page may take, besides the script's heap, which has a limit of its own: arrays, pictures, canvases, WebAssembly. */
const LARGEST_PAGE_BYTES = 3 * 2 ** 30

/**
 * Limits the memory of every page that this browser will open, so that one page cannot use up the machine's. Linux only: pages are forked from the browser's
 * *zygotes*, and inherit their limits. Elsewhere, or without the `prlimit` program, the browser's own limits alone hold.
 */
export async function limitPageMemory(browserPid: number): Promise<void> {
  if (process.platform !== 'linux') return
  const zygotes = await zygotesOf(browserPid)
  const limit = async (pid: number): Promise<unknown> =>
    await promisify(execFile)('prlimit', ['--pid', String(pid), `--data=${LARGEST_PAGE_BYTES}`]).catch(() => null)
  await Promise.all(zygotes.map(limit))
}

/** Both the browser's own and their children, which do the forking. */
async function zygotesOf(browserPid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : ''
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const found: number[] = []
  for (const [pid, parent] of parents) {
    if (parent !== browserPid && parents.get(parent) !== browserPid) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=zygote')) found.push(pid)
  }
  return found
}
