import type { BrowserContext, Request, Route } from 'playwright-core'
import type { NetworkPolicy, Webview } from '../model/config.ts'
import type { PageRequest } from '../model/outcome.ts'
import { mirrored } from './mirror.ts'

/** Where the micro-app lives: a secure origin, so that storage, modules and crypto work as in a webview. */
export const APP_URL = 'https://app.hermes.test/'
const HOST_URL = 'https://host.hermes.test/'

const MOST_REQUESTS_LISTED = 200
/** A page that reloads itself without end is left as it is after this many documents. */
const MOST_DOCUMENTS = 20
const FETCH_LIMIT_MS = 5000
const LARGEST_FETCH = 20_000_000

/**
 * A top document may do all but open windows and download: refused here, no window has to be closed. An origin of its own, so nothing else changes.
 * In a frame the plugin's own sandbox flags rule instead.
 */
const TOP_POLICY =
  'sandbox allow-scripts allow-same-origin allow-forms allow-modals allow-pointer-lock allow-orientation-lock allow-presentation'

/** What a page asked for, and how often it was refused. */
export interface RequestLog {
  readonly requests: readonly PageRequest[]
  readonly blocked: number
  /** Requests that wait for their answer just now, those for documents apart. */
  readonly pending: number
  /** Requests answered or refused so far, those for documents apart. */
  readonly answered: number
}

export interface Served {
  /** Address to open in the top frame. */
  readonly url: string
  readonly log: RequestLog
}

/**
 * Answers every request of a context: the document, the mirror, nothing else. What is refused is refused as `aborted`: a refused top navigation then leaves the app in place.
 */
export async function serveDocument(context: BrowserContext, html: string, policy: NetworkPolicy, webview: Webview): Promise<Served> {
  const requests: PageRequest[] = []
  const log = { requests, blocked: 0, pending: 0, answered: 0 }
  let documents = 0

  function note(request: Request, answer: PageRequest['answer']): void {
    if (answer === 'blocked') log.blocked += 1
    if (requests.length < MOST_REQUESTS_LISTED) requests.push({ url: request.url().slice(0, 500), answer })
  }

  function documentFor(request: Request): { body: string; headers: Record<string, string> } | null {
    if (!request.isNavigationRequest() || request.method() !== 'GET' || documents >= MOST_DOCUMENTS) return null
    if (webview.kind === 'iframe' && request.url() === HOST_URL) return { body: hostDocument(webview.sandbox), headers: {} }
    if (request.url() !== APP_URL) return null
    const header = webview.kind === 'top' ? TOP_POLICY : webview.csp
    return { body: html, headers: header === null ? {} : { 'content-security-policy': header } }
  }

  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const served = documentFor(request)
    if (served !== null) {
      documents += 1
      note(request, 'document')
      return await route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', ...served })
    }
    const script = policy.kind === 'none' ? null : await mirrored(request.url())
    if (script !== null) {
      note(request, 'mirrored')
      return await route.fulfill({
        status: 200,
        contentType: 'text/javascript; charset=utf-8',
        headers: { 'access-control-allow-origin': '*' },
        body: script,
      })
    }
    const fetched = policy.kind === 'allow' && isAllowed(request, policy.hosts) ? await fetchAllowed(request.url(), policy.hosts) : null
    if (fetched !== null) {
      note(request, 'mirrored')
      return await route.fulfill(fetched)
    }
    note(request, 'blocked')
    await route.abort('aborted')
  }

  await context.route('**', async (route) => {
    // The page may be gone before its request is answered; what could not be answered is refused.
    const ofDocument = route.request().isNavigationRequest()
    if (!ofDocument) log.pending += 1
    await answer(route).catch(async () => await route.abort('aborted').catch(() => undefined))
    if (ofDocument) return
    log.pending -= 1
    log.answered += 1
  })
  return { url: webview.kind === 'top' ? APP_URL : HOST_URL, log }
}

function hostDocument(sandbox: readonly string[]): string {
  const flags = sandbox.filter((flag) => /^allow-[a-z-]+$/.test(flag)).join(' ')
  return (
    '<!doctype html><title>host</title><style>html,body{margin:0;height:100%;overflow:hidden}iframe{display:block;border:0;width:100%;height:100%}</style>' +
    `<iframe title="app" sandbox="${flags}" src="${APP_URL}"></iframe>`
  )
}

function isAllowed(request: Request, hosts: readonly string[]): boolean {
  return (
    (request.method() === 'GET' || request.method() === 'HEAD') && !request.isNavigationRequest() && isAllowedAddress(request.url(), hosts)
  )
}

function isAllowedAddress(address: string, hosts: readonly string[]): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return url !== null && url.protocol === 'https:' && url.port === '' && hosts.some((host) => host.toLowerCase() === url.hostname)
}

/** The browser stays behind its walls: an allowed address is fetched by the engine, without cookies, and redirected only among allowed hosts. */
async function fetchAllowed(
  address: string,
  hosts: readonly string[],
): Promise<{ status: number; headers: Record<string, string>; body: Buffer } | null> {
  try {
    let at = address
    for (let hops = 0; hops < 5; hops += 1) {
      const response = await fetch(at, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_LIMIT_MS), headers: { accept: '*/*' } })
      const next = response.headers.get('location')
      if (response.status >= 300 && response.status < 400 && next !== null) {
        at = new URL(next, at).href
        if (!isAllowedAddress(at, hosts)) return null
        continue
      }
      const body = Buffer.from(await response.arrayBuffer())
      if (body.length > LARGEST_FETCH) return null
      const type = response.headers.get('content-type')
      return {
        status: response.status,
        headers: { 'access-control-allow-origin': '*', ...(type === null ? {} : { 'content-type': type }) },
        body,
      }
    }
  } catch {
    // refused like anything else
  }
  return null
}
