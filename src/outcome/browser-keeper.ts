import type { Browser } from 'playwright-core'
import { InfraError } from '../model/errors.ts'
import { launchBrowser, type LaunchedBrowser } from './launch.ts'
import { openListeners, testWalls } from './walls-self-test.ts'

/** A browser on loan for one page. */
export interface Lease {
  readonly browser: Browser
  /** Whether another page was in this browser at any time of the loan, or it was found unfit meanwhile. */
  wasDisturbed(): boolean
  /** @param fit false when the browser must not get further pages */
  release(fit: boolean): void
}

interface Kept {
  readonly launched: LaunchedBrowser
  loans: number
  /** Count of loans ever given, to see whether another one overlapped. */
  given: number
  fit: boolean
}

/** Keeps one browser running for many pages, and replaces it when a page spoilt it. Safe for pages at the same time. */
export class BrowserKeeper {
  private readonly executablePath: string
  private readonly log: (line: string) => void
  private current: Promise<Kept> | null = null
  private readonly closing = new Set<Promise<void>>()
  private closed = false
  private knownVersion = ''
  private wallsProven = false

  constructor(executablePath: string, log: (line: string) => void) {
    this.executablePath = executablePath
    this.log = log
  }

  get version(): string {
    return this.knownVersion
  }

  /** Starts the browser and proves its walls, so that trouble shows before the first page. */
  async start(): Promise<void> {
    await this.fitBrowser()
  }

  async lease(): Promise<Lease> {
    return this.lend(await this.fitBrowser())
  }

  /** A browser for one page alone, closed after it: for a page that may have suffered from its neighbours. */
  async leaseAlone(): Promise<Lease> {
    const kept = await this.launch()
    kept.fit = false
    return this.lend(kept)
  }

  private lend(kept: Kept): Lease {
    kept.loans += 1
    kept.given += 1
    const given = kept.given
    const crowded = kept.loans > 1
    let released = false
    return {
      browser: kept.launched.browser,
      wasDisturbed: () => crowded || kept.given !== given || !kept.fit,
      release: (fit) => {
        if (released) return
        released = true
        kept.loans -= 1
        if (!fit) this.retire(kept)
        if (!kept.fit && kept.loans === 0) this.dispose(kept)
      },
    }
  }

  /** Closes all browsers, by force where needed. */
  async close(): Promise<void> {
    this.closed = true
    const kept = await this.current?.catch(() => null)
    if (kept) {
      this.retire(kept)
      this.dispose(kept)
    }
    await Promise.all(this.closing)
  }

  private async fitBrowser(): Promise<Kept> {
    this.refuseWhenClosed()
    this.current ??= this.launch()
    const launching = this.current
    try {
      const kept = await launching
      if (kept.fit && kept.launched.browser.isConnected()) return kept
      this.retire(kept)
      if (kept.loans === 0) this.dispose(kept)
    } catch (error) {
      if (this.current === launching) this.current = null
      throw error
    }
    if (this.current === launching) this.current = null
    return await this.fitBrowser()
  }

  private async launch(): Promise<Kept> {
    this.refuseWhenClosed()
    const listeners = this.wallsProven ? null : await openListeners()
    try {
      const launched = await launchBrowser(this.executablePath, listeners === null ? [] : [listeners.browserArgument])
      try {
        if (listeners !== null) await testWalls(launched.browser, listeners)
        // Closed while it started: nobody else would close this one.
        this.refuseWhenClosed()
      } catch (error) {
        await launched.close()
        throw error instanceof InfraError
          ? error
          : new InfraError('browser_error', `the self-test of the network walls failed: ${String(error)}`, { cause: error })
      }
      // The walls are arguments of the same program: what was proven once holds for its next start.
      this.wallsProven = true
      this.knownVersion = launched.version
      return { launched, loans: 0, given: 0, fit: true }
    } finally {
      listeners?.close()
    }
  }

  private refuseWhenClosed(): void {
    if (this.closed) throw new InfraError('browser_error', 'the browser engine is closed')
  }

  private retire(kept: Kept): void {
    if (!kept.fit) return
    kept.fit = false
    this.current = null
    if (!this.closed) this.log('a page left the browser unfit; the next page gets a new one')
  }

  private dispose(kept: Kept): void {
    const closing = kept.launched.close().finally(() => this.closing.delete(closing))
    this.closing.add(closing)
  }
}
