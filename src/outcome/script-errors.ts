import type { CDPSession, Page } from 'playwright-core'
import type { ScriptError } from '../model/outcome.ts'

const MOST_LISTED = 50
const MOST_COMPARED = 500
const LONGEST_MESSAGE = 500

/** What Chromium and common libraries say when a request was refused. */
const REFUSED_REQUEST =
  /net::ERR_|ERR_(?:ABORTED|BLOCKED|FAILED|NAME_NOT_RESOLVED|INTERNET_DISCONNECTED|CONNECTION)|Failed to fetch|Load failed|NetworkError|Network Error|network error|Failed to load|error loading dynamically imported module|Importing a module script failed|WebSocket connection to/

/** Collects uncaught exceptions, unhandled rejections and `console.error` of all frames and workers of a page. */
export class ScriptErrorLog {
  consoleWarnings = 0
  private readonly listed: ScriptError[] = []
  /** Texts of exceptions of the page itself: Playwright reports those and the workers', and does not say which is which. */
  private readonly ownTexts: string[] = []
  private readonly reported: { readonly text: string; readonly step: number; readonly blocked: boolean }[] = []
  private readonly ownWorlds = new Set<number>()
  private readonly step: () => number
  private readonly blocked: () => number

  /**
   * @param step number of the step being performed
   * @param blocked how many requests were refused so far
   */
  constructor(session: CDPSession, page: Page, step: () => number, blocked: () => number) {
    this.step = step
    this.blocked = blocked
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const data = context.auxData as { isDefault?: boolean } | undefined
      if (data?.isDefault === false) this.ownWorlds.add(context.id)
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      if (exceptionDetails.executionContextId !== undefined && this.ownWorlds.has(exceptionDetails.executionContextId)) return
      const inPromise = exceptionDetails.text.startsWith('Uncaught (in promise)')
      const text = remoteText(exceptionDetails.exception) || exceptionDetails.text
      if (this.ownTexts.length < MOST_COMPARED) this.ownTexts.push(withoutStack(text))
      this.add(inPromise ? 'rejection' : 'exception', withoutStack(text))
    })
    session.on('Runtime.consoleAPICalled', ({ type, args, executionContextId }) => {
      if (this.ownWorlds.has(executionContextId)) return
      if (type === 'warning') this.consoleWarnings += 1
      if (type === 'error' || type === 'assert') this.add('console_error', args.map(remoteText).join(' '))
    })
    page.on('console', (message) => {
      if (message.type() === 'error' && message.worker() !== null) this.add('console_error', message.text())
    })
    page.on('pageerror', (error) => {
      if (this.reported.length < MOST_COMPARED)
        this.reported.push({ text: error.message, step: this.step(), blocked: this.isFromBlocking(error.message) })
    })
  }

  /** At most 50, those of workers last. */
  list(): ScriptError[] {
    const own = [...this.ownTexts]
    const ofWorkers: ScriptError[] = []
    for (const { text, step, blocked } of this.reported) {
      const at = own.findIndex((ownText) => ownText === text || ownText.endsWith(text))
      if (at === -1) ofWorkers.push({ kind: 'exception', message: text.slice(0, LONGEST_MESSAGE), step, from_blocking: blocked })
      else own.splice(at, 1)
    }
    return [...this.listed, ...ofWorkers].slice(0, MOST_LISTED)
  }

  private add(kind: ScriptError['kind'], message: string): void {
    if (this.listed.length >= MOST_LISTED) return
    this.listed.push({ kind, message: message.slice(0, LONGEST_MESSAGE), step: this.step(), from_blocking: this.isFromBlocking(message) })
  }

  /** Only where something was in fact refused; a script that was missed (`X is not defined`) breaks the app, so it stays an error. */
  private isFromBlocking(message: string): boolean {
    return this.blocked() > 0 && REFUSED_REQUEST.test(message)
  }
}

interface RemoteValue {
  readonly type: string
  readonly value?: unknown
  readonly description?: string | undefined
  readonly preview?: { readonly properties: readonly { readonly name: string; readonly value?: string | undefined }[] } | undefined
}

function remoteText(remote: RemoteValue | undefined): string {
  if (remote === undefined) return ''
  if (remote.type === 'string') return String(remote.value)
  const preview = remote.preview?.properties.map(({ name, value }) => `${name}: ${value ?? ''}`).join(', ')
  if (remote.description !== undefined) return remote.description === 'Object' && preview ? `{${preview}}` : remote.description
  return remote.value === undefined ? remote.type : JSON.stringify(remote.value)
}

function withoutStack(text: string): string {
  return text.split('\n    at ')[0] ?? text
}
