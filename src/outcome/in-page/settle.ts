/** A wait of the page, measured in the time in which it could run. */
export interface Rested {
  /** Milliseconds of the page's own time. */
  readonly ran_ms: number
  /** Milliseconds by which the page's own timers came late: it, or the whole machine, was held up. */
  readonly stalled_ms: number
}

export interface Settled extends Rested {
  /** False when the time was up before the page was quiet. */
  readonly quiet: boolean
  /** False when the browser produced no frame in that time. */
  readonly frames: boolean
}

export interface Settling {
  /** Lets the page run for so long, in ms of its own time. */
  rest(ms: number): Promise<Rested>
  /**
   * Waits for load, fonts, and a time in which nothing mutates and two frames pass.
   * @param quietMs how long no mutation must be seen
   * @param mostMs when to give up
   */
  settle(quietMs: number, mostMs: number): Promise<Settled>
}

/**
 * Waiting by the page's own timer, not by the clock: each short tick counts for its nominal length, however late it came. A page that is held up
 * between two changes has had no time to make the second, so that time is no rest. Runs in the observer's isolated world. Self-contained: sent to the page as source.
 */
export function createSettling(plain: <T extends object>(node: T) => T): Settling {
  const TICK_MS = 25
  /** The clock ends a wait after so many times its length, but not before it has been held up for so long. */
  const MOST_STRETCH = 4
  const LEAST_STALL_MS = 3000
  const FRAMES = 2

  /** Ticks until `isOver` says so, told how long the page has run, or until the clock ends it. */
  async function run(mostMs: number, isOver: (ranMs: number) => boolean): Promise<Rested & { readonly over: boolean }> {
    const began = performance.now()
    let ran = 0
    let stalled = 0
    for (let last = began; ;) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
      const now = performance.now()
      ran += TICK_MS
      if (now - last > 2 * TICK_MS) stalled += now - last - TICK_MS
      last = now
      if (isOver(ran)) return { over: true, ran_ms: ran, stalled_ms: stalled }
      if (ran >= mostMs || now - began >= Math.max(mostMs * MOST_STRETCH, mostMs + LEAST_STALL_MS))
        return { over: false, ran_ms: ran, stalled_ms: stalled }
    }
  }

  async function settle(quietMs: number, mostMs: number): Promise<Settled> {
    const page = plain(document)
    // Frames inside a page may be hidden or throttled and never paint; the top frame speaks for them.
    const paints = window === window.parent
    let painted = !paints
    let quietSince = 0
    let ranSoFar = 0
    let frames = 0
    let counting = false
    function countFrame(): void {
      painted ||= frames >= 1
      frames += 1
      counting = frames < FRAMES
      if (counting) requestAnimationFrame(countFrame)
    }
    function disturbed(): void {
      quietSince = ranSoFar
      if (!paints) return
      frames = 0
      if (counting) return
      counting = true
      requestAnimationFrame(countFrame)
    }
    const observer = new MutationObserver(disturbed)
    function watch(root: Document | ShadowRoot): void {
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
      let seen = 0
      for (const element of plain(root).querySelectorAll('*')) {
        seen += 1
        if (seen > 20_000) return
        const shadow = plain(element).shadowRoot
        if (shadow !== null) watch(shadow)
      }
    }

    try {
      watch(document)
      disturbed()
      const { over, ...rested } = await run(mostMs, (ran) => {
        ranSoFar = ran
        if (page.readyState !== 'complete' || page.fonts.status === 'loading') disturbed()
        return ran - quietSince >= quietMs && (frames >= FRAMES || !paints)
      })
      return { quiet: over, frames: painted || page.readyState !== 'complete', ...rested }
    } finally {
      observer.disconnect()
    }
  }

  return {
    settle,
    async rest(ms) {
      const { ran_ms, stalled_ms } = await run(ms, (ran) => ran >= ms)
      return { ran_ms, stalled_ms }
    },
  }
}
