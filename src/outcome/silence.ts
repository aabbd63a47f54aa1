import type { Browser, CDPSession } from 'playwright-core'
import { MachineLoad } from './machine-load.ts'

/** On a machine without an idle moment, a silence counts after so many times its limit at the latest. */
const MOST_STRETCH = 3
/** One of the browser's processes was at work for this share of the silence: whoever is silent had its turn. */
const SHARE_AT_WORK = 0.4
const LOOK_LIMIT_MS = 500

/** Seconds of processor time by process id. */
type Spent = ReadonlyMap<number, number>

/**
 * One wait for an answer of a page. A page that is merely starved of processor time by others is silent, too; so what counts
 * is not the clock alone, but whether the browser was at work meanwhile, or could have been.
 */
export class Silence {
  private readonly browser: Browser | null
  private readonly limitMs: number
  private readonly began = performance.now()
  private readonly load = new MachineLoad()
  private excused = 0
  private first: { readonly at: number; readonly spent: Spent | null } | null = null

  constructor(browser: Browser | null, limitMs: number) {
    this.browser = browser
    this.limitMs = limitMs
  }

  /** Time in which this process itself was held up. */
  excuse(ms: number): void {
    this.excused += ms
  }

  /** Whether it has lasted too long. To be asked every now and then, first well before the limit. */
  async isOver(): Promise<boolean> {
    this.first ??= { at: performance.now(), spent: await processorTime(this.browser) }
    const lasted = performance.now() - this.began - this.excused
    if (lasted < this.limitMs) return false
    if (lasted >= this.limitMs * MOST_STRETCH) return true
    if (!this.load.wasBusy()) return true
    const seconds = (performance.now() - this.first.at) / 1000
    const spent = await processorTime(this.browser)
    if (spent === null || this.first.spent === null) return false
    const before = this.first.spent
    return [...spent].some(([pid, now]) => now - (before.get(pid) ?? 0) >= seconds * SHARE_AT_WORK)
  }
}

/** How often a silence is looked at, as a share of its limit. */
const LOOKS = 10

/** Resolves to what `work` gave, or to null when it stayed silent for too long. Rejects as `work` does. */
export async function answerOf<T>(browser: Browser | null, limitMs: number, work: Promise<T>): Promise<{ readonly value: T } | null> {
  const silence = new Silence(browser, limitMs)
  const answer = work.then((value) => ({ value }))
  answer.catch(() => undefined)
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const due = performance.now() + limitMs / LOOKS
    const timeToLook = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), limitMs / LOOKS)
    })
    try {
      const answered = await Promise.race([answer, timeToLook])
      if (answered !== null) return answered
    } finally {
      clearTimeout(timer)
    }
    silence.excuse(Math.max(0, performance.now() - due - 100))
    const answered = await Promise.race([answer, silence.isOver()])
    if (answered === true) return null
    if (answered !== false) return answered
  }
}

const sessions = new WeakMap<Browser, Promise<CDPSession>>()

/** Null when the browser does not say. */
async function processorTime(browser: Browser | null): Promise<Spent | null> {
  if (browser === null) return null
  const session = sessions.get(browser) ?? browser.newBrowserCDPSession()
  sessions.set(browser, session)
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LOOK_LIMIT_MS)
  })
  try {
    const told = await Promise.race([session.then(async (open) => await open.send('SystemInfo.getProcessInfo')), silent])
    return told === null ? null : new Map(told.processInfo.map(({ id, cpuTime }) => [id, cpuTime]))
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
