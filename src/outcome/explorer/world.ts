import type { CDPSession, Frame, Page } from 'playwright-core'
import { canvasProbe, type CanvasProbe } from './probe/canvas.ts'
import { changeProbe, type ChangeProbe } from './probe/change.ts'
import { controlProbe, type ControlProbe } from './probe/control.ts'
import { domProbe } from './probe/dom.ts'
import { dragProbe, type DragProbe } from './probe/drag.ts'
import { scanProbe, type ScanProbe } from './probe/scan.ts'
import { plain } from '../in-page/plain.ts'
import { OBSERVER_WORLD } from '../frame-worlds.ts'
import { ProbeBroken } from '../page-end.ts'
import type { PageSession } from '../session.ts'
import { within } from './deadline.ts'

/** What can be asked of a frame: runs in an isolated world, so broken built-ins of the page do not matter. */
export interface Probe extends ScanProbe, ChangeProbe, ControlProbe, CanvasProbe, DragProbe {
  /** Remembers elements that have listeners of their own. */
  listens(...elements: unknown[]): void
}
type Asked = Omit<Probe, 'listens'>

const FRAME_MARK = ' |> '
const IMPLICIT_LIMIT_MS = 5000

const install = `(() => {
  // An element with the id "probe" shows up under that name too.
  if (Object.hasOwn(globalThis, 'probe')) return true
  const __name = (fn) => fn
  const dom = (${domProbe.toString()})(${plain.toString()})
  const probe = {
    ...(${scanProbe.toString()})(dom),
    ...(${changeProbe.toString()})(dom),
    ...(${controlProbe.toString()})(dom),
    ...(${canvasProbe.toString()})(dom),
    ...(${dragProbe.toString()})(dom),
    listens: (...elements) => { for (const el of elements) dom.listening.add(el) },
  }
  Object.defineProperty(globalThis, 'probe', { value: probe })
  return true
})()`

/** One frame of the page with its isolated world. */
export class FrameWorld {
  readonly session: CDPSession
  private readonly page: Page
  readonly frameId: string
  /** Empty for the top frame, else what stands before keys of this frame. */
  readonly prefix: string
  private context: number | null = null
  private readonly owner: { readonly session: CDPSession; readonly base: () => Promise<{ x: number; y: number }> } | null
  private readonly knownListeners = new Set<number>()

  constructor(page: Page, session: CDPSession, frameId: string, prefix: string, owner: FrameWorld['owner']) {
    this.page = page
    this.session = session
    this.frameId = frameId
    this.prefix = prefix
    this.owner = owner
  }

  private async contextId(): Promise<number> {
    if (this.context !== null) return this.context
    const { executionContextId } = await this.session.send('Page.createIsolatedWorld', { frameId: this.frameId, worldName: OBSERVER_WORLD })
    const installed = await this.session.send('Runtime.evaluate', {
      expression: install,
      contextId: executionContextId,
      returnByValue: true,
    })
    if (installed.exceptionDetails)
      throw new ProbeBroken(
        `the probe does not run: ${installed.exceptionDetails.exception?.description ?? installed.exceptionDetails.text}`,
      )
    this.context = executionContextId
    return executionContextId
  }

  /** Calls one function of the probe in the frame. Throws when the frame is gone or does not answer within 5 s. */
  async ask<K extends keyof Asked>(name: K, ...args: Parameters<Asked[K]>): Promise<ReturnType<Asked[K]>> {
    return await within(this.page, IMPLICIT_LIMIT_MS, this.askNow(name, args))
  }

  private async askNow<K extends keyof Asked>(name: K, args: Parameters<Asked[K]>): Promise<ReturnType<Asked[K]>> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const reply = await this.session.send('Runtime.callFunctionOn', {
          functionDeclaration: '(name, args) => globalThis.probe[name](...JSON.parse(args))',
          executionContextId: await this.contextId(),
          arguments: [{ value: name }, { value: JSON.stringify(args) }],
          returnByValue: true,
        })
        if (reply.exceptionDetails)
          throw new ProbeBroken(
            `looking at the page failed: ${reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text}`,
          )
        const answer: ReturnType<Asked[K]> = reply.result.value
        return answer
      } catch (error) {
        // The document was replaced: its world is gone with it.
        if (error instanceof ProbeBroken || attempt > 0 || !/context|navigat|uniqueContextId/i.test(String(error))) throw error
        this.context = null
        this.knownListeners.clear()
      }
    }
  }

  /** Where the frame's viewport begins in the top page's viewport, CSS pixels. */
  async offset(): Promise<{ x: number; y: number }> {
    if (!this.owner) return { x: 0, y: 0 }
    return await this.owner.base()
  }

  /** Tells the probe which elements have pointer or key listeners; returns whether there are new ones. */
  async learnListeners(): Promise<boolean> {
    const contextId = await this.contextId()
    const main = await this.session.send('Runtime.evaluate', { expression: 'document' })
    const documentId = main.result.objectId
    if (!documentId || this.prefix !== '') return false
    const { listeners } = await this.session.send('DOMDebugger.getEventListeners', { objectId: documentId, depth: -1, pierce: true })
    const wanted = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|keydown|keyup)$/
    const fresh = new Set<number>()
    for (const listener of listeners)
      if (wanted.test(listener.type) && listener.backendNodeId !== undefined && !this.knownListeners.has(listener.backendNodeId))
        fresh.add(listener.backendNodeId)
    let learnt = false
    for (const backendNodeId of [...fresh].slice(0, 300)) {
      this.knownListeners.add(backendNodeId)
      try {
        const { object } = await this.session.send('DOM.resolveNode', { backendNodeId, executionContextId: contextId })
        if (object.subtype !== 'node' || object.objectId === undefined) continue
        await this.session.send('Runtime.callFunctionOn', {
          functionDeclaration: '(el) => globalThis.probe.listens(el)',
          executionContextId: contextId,
          arguments: [{ objectId: object.objectId }],
        })
        learnt = true
      } catch {
        // A node of another frame or one that is gone.
      }
    }
    return learnt
  }
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[]
}

/** All frames of a page, found anew whenever their number changes. */
export class PageWorld {
  readonly page: Page
  private readonly session: PageSession
  private worlds: FrameWorld[] = []
  private known = ''

  constructor(session: PageSession) {
    this.page = session.page
    this.session = session
  }

  /** Lets the page run for so long, in ms of its own time. */
  async rest(ms: number): Promise<void> {
    await this.session.rest(ms)
  }

  async frames(): Promise<readonly FrameWorld[]> {
    const frames = this.page.frames()
    const signature = frames.map((frame) => frame.url()).join(' ')
    if (this.worlds.length > 0 && this.known !== '' && this.known === signature) return this.worlds
    const old = new Map(this.worlds.map((world) => [world.prefix + world.frameId, world]))
    const worlds = await this.tree(this.session.devtools, '', null)
    for (const frame of frames.slice(1)) {
      const apart = await this.separate(frame)
      if (apart) worlds.push(...(await this.tree(apart, `frame(${frames.indexOf(frame)})`, frame)))
    }
    this.worlds = worlds.map((world) => old.get(world.prefix + world.frameId) ?? world)
    this.known = signature
    return this.worlds
  }

  /** Has the frames found anew at the next look: one has gone or was replaced. */
  forgetFrames(): void {
    this.known = ''
  }

  /** A frame that Chromium runs in a process of its own (a sandboxed one) has a session of its own. */
  private async separate(frame: Frame): Promise<CDPSession | null> {
    try {
      return await this.page.context().newCDPSession(frame)
    } catch {
      return null
    }
  }

  private async tree(session: CDPSession, label: string, apart: Frame | null): Promise<FrameWorld[]> {
    const worlds: FrameWorld[] = []
    const base = async (): Promise<{ x: number; y: number }> => (apart ? await frameCorner(apart) : { x: 0, y: 0 })
    const visit = (node: FrameTree, name: string, owned: boolean): void => {
      const corner = async (): Promise<{ x: number; y: number }> => {
        const start = await base()
        if (!owned) return start
        const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: node.frame.id })
        const { model } = await session.send('DOM.getBoxModel', { backendNodeId })
        return { x: start.x + (model.content[0] ?? 0), y: start.y + (model.content[1] ?? 0) }
      }
      worlds.push(
        new FrameWorld(
          this.page,
          session,
          node.frame.id,
          name === '' ? '' : name + FRAME_MARK,
          name === '' ? null : { session, base: corner },
        ),
      )
      ;(node.childFrames ?? []).forEach((child, index) => visit(child, `${name === '' ? '' : `${name}.`}frame(${index + 1})`, true))
    }
    const { frameTree } = await session.send('Page.getFrameTree')
    visit(frameTree, label, false)
    return worlds
  }

  /** The frame of a key, and the key within the frame. */
  async locate(key: string): Promise<{ readonly world: FrameWorld; readonly inner: string } | null> {
    const cut = key.indexOf(FRAME_MARK)
    const prefix = cut < 0 ? '' : key.slice(0, cut + FRAME_MARK.length)
    const world = (await this.frames()).find((each) => each.prefix === prefix)
    return world ? { world, inner: key.slice(prefix.length) } : null
  }
}

async function frameCorner(frame: Frame): Promise<{ x: number; y: number }> {
  const element = await frame.frameElement()
  const box = await element.boundingBox()
  const border = await element.evaluate((node) =>
    node instanceof HTMLElement ? { x: node.clientLeft, y: node.clientTop } : { x: 0, y: 0 },
  )
  await element.dispose()
  return { x: (box?.x ?? 0) + border.x, y: (box?.y ?? 0) + border.y }
}

const worlds = new WeakMap<Page, PageWorld>()

/** The worlds of a page, made once per page. */
export function worldOf(session: PageSession): PageWorld {
  const known = worlds.get(session.page) ?? new PageWorld(session)
  worlds.set(session.page, known)
  return known
}
