import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ModelUsage } from '../model/agent.ts'
import type { PriceTable } from '../model/config.ts'
import { createRedactor } from '../model/redaction.ts'
import { AdaptiveLimit } from './adaptive-limit.ts'
import type { ApiKind } from './answer.ts'
import type { Trouble } from './classify.ts'
import { type Caps, Ledger, NO_CAPS } from './ledger.ts'
import { type Account, noAnswer, patienceWith, relayCall, type SentSettings, type Station } from './relay-call.ts'
import { readRequest, sendError, sendJson, sendTrouble } from './respond.ts'
import { openWireLog } from './wire-log.ts'

export interface RelayOptions {
  /** Base URL of the model service, ending in `/v1` or the like. */
  readonly upstream: string
  /** The real key; it leaves this process only towards `upstream`. */
  readonly apiKey: string | null
  readonly retries?: number
  readonly caps?: { readonly trial?: Partial<Caps>; readonly run?: Partial<Caps> }
  readonly prices?: PriceTable | null
  readonly wireLogFolder?: string | null
  /** Most requests at once; fewer while the service limits the rate. */
  readonly maxConcurrency?: number
  /** How long one try of a model call may take, seconds. */
  readonly timeoutSeconds?: number
  /** First pause before a retry, ms. */
  readonly backoffMs?: number
}

export interface Relay {
  /** Opens an account and returns its loopback URL, ending in `/v1`. A second call with the same id starts a fresh account. */
  baseUrlFor(trialId: string): string
  usage(trialId: string): ModelUsage
  runUsage(): ModelUsage
  /** One entry per distinct combination that went over the wire. */
  sentSettings(trialId: string): readonly SentSettings[]
  close(): Promise<void>
}

/**
 * Starts the loopback proxy that stands between agents and the model service. It holds the key, enforces caps, retries,
 * counts, records the redacted wire, and tells infrastructure trouble from an answer.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const timeoutMs = (options.timeoutSeconds ?? 120) * 1000
  const station: Station = {
    prices: options.prices ?? null,
    caps: { trial: { ...NO_CAPS, ...options.caps?.trial }, run: { ...NO_CAPS, ...options.caps?.run } },
    upstream: {
      upstream: options.upstream,
      apiKey: options.apiKey,
      retries: options.retries ?? 3,
      backoffMs: options.backoffMs ?? 500,
      maxRetryAfterMs: 60_000,
      timeoutMs,
      limit: new AdaptiveLimit(options.maxConcurrency ?? 8),
    },
    run: new Ledger(),
    wireLog: openWireLog(options.wireLogFolder ?? null, createRedactor([options.apiKey])),
    withoutKey: keyRemover(options.apiKey),
    patienceMs: Math.min(30_000, timeoutMs / 3),
  }
  const byToken = new Map<string, Account>()
  const byTrial = new Map<string, Account>()
  const server = createServer((request, response) => {
    const [, token = '', rest = ''] = /^\/t\/([\w-]+)(\/.*)$/.exec((request.url ?? '').split('?')[0] ?? '') ?? []
    const account = byToken.get(token)
    if (account === undefined) return sendError(response, 404, 'not_found', 'No such address.')
    serve(account, rest, request, response, station).catch((error: unknown) => {
      const trouble: Trouble = { infra_class: 'harness_error', detail: `The relay failed: ${String(error)}` }
      account.ledger.report(trouble)
      sendTrouble(response, trouble)
    })
  })
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    baseUrlFor: (trialId) => {
      const account: Account = {
        trialId,
        token: randomBytes(18).toString('base64url'),
        ledger: new Ledger(),
        opened: performance.now(),
        sent: new Map(),
        pending: new Set(),
      }
      const earlier = byTrial.get(trialId)
      if (earlier !== undefined) byToken.delete(earlier.token)
      byToken.set(account.token, account)
      byTrial.set(trialId, account)
      return `http://127.0.0.1:${port}/t/${account.token}/v1`
    },
    usage: (trialId) => usageOf(byTrial.get(trialId), station),
    runUsage: () => station.run.usage(),
    sentSettings: (trialId) => [...(byTrial.get(trialId)?.sent.values() ?? [])],
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Texts without the key in them stay exactly as they are, whatever else in them looks like a credential: they are the model's words. */
function keyRemover(key: string | null): (text: string) => string {
  if (key === null || key === '') return (text) => text
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replaceAll('=', '')]
  const redact = createRedactor([key])
  return (text) => (forms.some((form) => text.includes(form)) ? redact(text) : text)
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return address.port
}

/** A call that is still open after the agent has ended, and old, is trouble too: the service hung. */
function usageOf(account: Account | undefined, station: Station): ModelUsage {
  if (account === undefined) return new Ledger().usage()
  const oldest = Math.min(...account.pending)
  const waited = performance.now() - oldest
  if (Number.isFinite(oldest) && waited >= patienceWith(account, station)) account.ledger.report(noAnswer(waited))
  return account.ledger.usage()
}

async function serve(account: Account, path: string, request: IncomingMessage, response: ServerResponse, station: Station): Promise<void> {
  const api: ApiKind | null = path === '/v1/chat/completions' ? 'chat' : path === '/v1/responses' ? 'responses' : null
  if (path === '/v1/models' && request.method === 'GET') return sendJson(response, 200, { object: 'list', data: [] })
  if (api === null || request.method !== 'POST')
    return sendError(response, 404, 'not_found', 'The relay serves chat completions and responses only.')
  const body = await readRequest(request)
  if (body === null) return sendError(response, 400, 'invalid_request', 'The request body is not a JSON object or is too large.')
  if (account.ledger.trouble !== null) return sendTrouble(response, account.ledger.trouble)
  const spent = account.ledger.reached(station.caps.trial, 'The trial') ?? station.run.reached(station.caps.run, 'The run')
  if (spent !== null) {
    account.ledger.report({ infra_class: 'budget', detail: spent })
    return sendTrouble(response, { infra_class: 'budget', detail: spent })
  }
  await relayCall(account, api, body, response, station)
}
