import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { LABEL_SCHEMA_VERSION, labelKey } from '../model/label.ts'
import { RUBRIC_VERDICTS, type RubricVerdict } from '../model/judge.ts'
import { APP_HEADERS, appDocument } from './app-document.ts'
import type { LabelLog } from './label-file.ts'
import type { LabelItem } from './label-item.ts'

export interface LabelServerOptions {
  readonly items: readonly LabelItem[]
  readonly log: LabelLog
  /** 0 = any free port. */
  readonly port: number
  /** The page; its inline script and style must carry the nonce. */
  readonly page: (nonce: string) => string
  readonly readPicture: (file: string) => Promise<Uint8Array | null>
  /** Document of the item's micro-app; null when it is not there. */
  readonly readApp: (item: LabelItem) => Promise<string | null>
}

export interface LabelServer {
  /** Loopback address with the token that opens it; whoever has it may label. */
  readonly url: string
  /** Resolves when the person ends the session from the page. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

interface Station extends LabelServerOptions {
  /** Opens page, data and writing. */
  readonly token: string
  /** Opens the micro-apps alone: they can read the address that they stand at. */
  readonly appToken: string
  readonly end: () => void
  authority: string
}

/**
 * Serves the labelling page on loopback. Every address but the micro-apps' starts with a random token; requests under another host name
 * (DNS rebinding) or from another origin are refused, so that neither a web page nor a micro-app can read or write a label.
 */
export async function startLabelServer(options: LabelServerOptions): Promise<LabelServer> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const secret = (): string => randomBytes(24).toString('base64url')
  const station: Station = { ...options, token: secret(), appToken: secret(), end, authority: '' }
  const server = createServer((request, response) => {
    serve(request, response, station).catch(() => refuse(response, 500, 'The labelling server failed.'))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the labelling server has no port')
  station.authority = `127.0.0.1:${address.port}`
  return {
    url: `http://${station.authority}/${station.token}/`,
    ended,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, station: Station): Promise<void> {
  if (request.headers.host !== station.authority) return refuse(response, 421, 'This address is not served here.')
  const [, given = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  const path = rest.join('/')
  if (sameSecret(given, station.appToken)) return request.method === 'GET' ? sendApp(response, path, station) : refuse(response, 405, 'No.')
  if (!sameSecret(given, station.token))
    return refuse(response, 403, 'The address lacks its token: open the one that "genui-eval label" printed.')
  if (request.method === 'GET') return sendToPage(response, path, station)
  if (request.method !== 'POST') return refuse(response, 405, 'Only GET and POST.')
  if (!isFromPage(request, station)) return refuse(response, 403, 'Labels are taken from the labelling page alone.')
  if (path === 'label') return takeLabel(request, response, station)
  if (path !== 'end') return refuse(response, 404, 'There is nothing here.')
  send(response, 200, 'application/json', '{}')
  station.end()
}

async function sendToPage(response: ServerResponse, path: string, station: Station): Promise<void> {
  if (path === '') return sendPage(response, station)
  if (path === 'items') return send(response, 200, 'application/json', JSON.stringify(describeItems(station)))
  const [, item, number] = /^picture\/(\d+)\/(\d+)$/.exec(path) ?? []
  const file = station.items[Number(item)]?.pictures[Number(number)]?.file
  const picture = file === undefined ? null : await station.readPicture(file)
  if (picture === null) return refuse(response, 404, 'There is nothing here.')
  send(response, 200, 'image/png', Buffer.from(picture))
}

function sendPage(response: ServerResponse, station: Station): void {
  const nonce = randomBytes(18).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    // Holds for where a micro-app may take its frame, too.
    `frame-src http://${station.authority}/${station.appToken}/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]
  response.setHeader('content-security-policy', policy.join('; '))
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  send(response, 200, 'text/html; charset=utf-8', station.page(nonce))
}

function describeItems({ items, log, appToken }: Station) {
  return {
    app_base: `/${appToken}/`,
    items: items.map((item) => {
      const label = log.standing.get(labelKey(item))
      const standing = label !== undefined && label.app_sha256 === item.app_sha256 ? label : null
      const pictures = item.pictures.map(({ caption }) => caption)
      return { ...item, pictures, verdict: standing?.verdict ?? null, note: standing?.note ?? '' }
    }),
  }
}

async function sendApp(response: ServerResponse, path: string, station: Station): Promise<void> {
  const item = /^\d+$/.test(path) ? station.items[Number(path)] : undefined
  const html = item?.has_app === true ? await station.readApp(item) : null
  if (html === null) return refuse(response, 404, 'There is no micro-app here.')
  response.writeHead(200, APP_HEADERS)
  response.end(appDocument(html))
}

async function takeLabel(request: IncomingMessage, response: ServerResponse, { items, log }: Station): Promise<void> {
  const asked = readLabelRequest(await readBody(request))
  const item = asked === null ? undefined : items[asked.item]
  if (asked === null || item === undefined) return refuse(response, 400, 'That is no label.')
  const { run_id, trial_id, task_id, rubric_id, app_sha256 } = item
  await log.append({
    schema: LABEL_SCHEMA_VERSION,
    run_id,
    trial_id,
    task_id,
    rubric_id,
    app_sha256,
    verdict: asked.verdict,
    labelled_at: new Date().toISOString(),
    ...(asked.note === '' ? {} : { note: asked.note }),
  })
  send(response, 200, 'application/json', '{}')
}

function readLabelRequest(value: unknown): { item: number; verdict: RubricVerdict | null; note: string } | null {
  if (typeof value !== 'object' || value === null || !('item' in value) || !('verdict' in value)) return null
  const verdict = RUBRIC_VERDICTS.find((each) => each === value.verdict) ?? null
  if (verdict === null && value.verdict !== null) return null
  const note = 'note' in value && typeof value.note === 'string' ? value.note.trim().slice(0, 2000) : ''
  return typeof value.item === 'number' && Number.isInteger(value.item) ? { item: value.item, verdict, note } : null
}

/** A browser tells the origin of every POST: that of a sandboxed micro-app is `null`. */
function isFromPage({ headers }: IncomingMessage, { authority }: Station): boolean {
  return headers.origin === `http://${authority}` && headers['content-type'] === 'application/json'
}

const MOST_BODY_BYTES = 16_384

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) return null
    bytes += chunk.length
    if (bytes > MOST_BODY_BYTES) return null
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return value
  } catch {
    return null
  }
}

function sameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.end()
  else send(response, status, 'text/plain; charset=utf-8', message)
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  response.end(body)
}
