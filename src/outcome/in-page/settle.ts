export interface Settled {
  /** False when the time was up before the page was quiet. */
  readonly quiet: boolean
  /** False when the browser produced no frame in that time. */
  readonly frames: boolean
}

/**
 * Waits for load, fonts, two frames and a time without DOM mutation. Runs in the observer's isolated world. Self-contained: sent to the page as source.
 * @param quietMs how long no mutation must be seen
 * @param mostMs when to give up
 */
export async function settleFrame(plain: <T extends object>(node: T) => T, quietMs: number, mostMs: number): Promise<Settled> {
  const until = performance.now() + mostMs
  // Frames inside a page may be hidden or throttled and never paint; the top frame speaks for them.
  let frames = window !== window.parent
  let last = performance.now()
  const observer = new MutationObserver(() => {
    last = performance.now()
  })
  const pause = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms))
  const timeUp = pause(mostMs).then(() => true)
  const before = async (work: Promise<unknown>): Promise<boolean> => !(await Promise.race([work.then(() => false), timeUp]))

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
    const page = plain(document)
    while (page.readyState !== 'complete' && performance.now() < until) await pause(10)
    if (page.readyState !== 'complete') return { quiet: false, frames: true }
    if (!(await before(page.fonts.ready))) return { quiet: false, frames: true }
    if (!frames) frames = await before(new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))
    if (!frames) return { quiet: false, frames }
    for (;;) {
      const left = last + quietMs - performance.now()
      if (left <= 0) return { quiet: true, frames }
      if (performance.now() + left > until) return { quiet: false, frames }
      await pause(left)
    }
  } finally {
    observer.disconnect()
  }
}
