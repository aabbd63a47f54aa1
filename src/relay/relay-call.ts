import type { ServerResponse } from 'node:http'
import type { PriceTable } from '../model/config.ts'
import { type ApiKind, NO_TOKENS } from './answer.ts'
import { type AnswerMeaning, isRecord, type Trouble } from './classify.ts'
import { type Caps, costOf, type Ledger } from './ledger.ts'
import { sendTrouble, startKeepalive } from './respond.ts'
import { askUpstream, type UpstreamOptions, type UpstreamResult } from './upstream.ts'
import type { WireEntry, WireLog } from './wire-log.ts'

/** Settings that were really sent for a trial, for an audit against those asked for. */
export interface SentSettings {
  readonly model: string | null
  readonly temperature: number | null
  readonly effort: string | null
  readonly max_tokens: number | null
  /** Model that the service named in its answer. */
  readonly answered_by: string | null
  /** Calls that were sent like this. */
  readonly calls: number
}

/** One trial's account with the relay. */
export interface Account {
  readonly trialId: string
  readonly token: string
  readonly ledger: Ledger
  /** When the account was opened, ms. */
  readonly opened: number
  readonly sent: Map<string, SentSettings>
  /** When the calls now with the service began, ms. */
  readonly pending: Set<number>
}

/** What all calls share. */
export interface Station {
  /** US dollars per million tokens; null = costs unknown. */
  readonly prices: PriceTable | null
  readonly caps: { readonly trial: Caps; readonly run: Caps }
  readonly upstream: UpstreamOptions
  readonly run: Ledger
  readonly wireLog: WireLog
  /** Takes the key out of a text that holds it. */
  readonly withoutKey: (text: string) => string
  /** A child that gives up on a call this old was let down by the service, ms. */
  readonly patienceMs: number
}

/** Shortest wait that counts as a service that hangs, ms. */
const LEAST_PATIENCE_MS = 2000

/**
 * How long a call may be unanswered, when its agent gives up, before the service is to blame and not the agent, ms: the station's patience, or,
 * where the whole trial was shorter, half of it.
 */
export function patienceWith(account: Account, station: Pick<Station, 'patienceMs'>): number {
  return Math.min(station.patienceMs, Math.max(LEAST_PATIENCE_MS, (performance.now() - account.opened) / 2))
}

/** What an agent that gave up after so many milliseconds was let down by. */
export const noAnswer = (ms: number): Trouble => ({
  infra_class: 'model_unavailable',
  detail: `The model service had not answered after ${Math.round(ms / 100) / 10} s when the agent gave up.`,
})

/** Sends one call on, counts it, and answers the agent. */
export async function relayCall(
  account: Account,
  api: ApiKind,
  body: Readonly<Record<string, unknown>>,
  response: ServerResponse,
  station: Station,
): Promise<void> {
  const started = performance.now()
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  account.ledger.beginCall()
  station.run.beginCall()
  account.pending.add(started)
  const keepalive = body['stream'] === true ? startKeepalive(response) : null
  try {
    const result = cleaned(await askUpstream({ api, body, signal: gone.signal }, station.upstream), station.withoutKey)
    count(account, body, result, station)
    await station.wireLog.write(wireEntry(account, api, body, result))
    deliver(response, result)
  } catch (error) {
    if (!gone.signal.aborted) throw error
    const waited = performance.now() - started
    if (waited >= patienceWith(account, station)) account.ledger.report(noAnswer(waited))
    for (const ledger of [account.ledger, station.run]) ledger.endCall(NO_TOKENS, 0, waited)
  } finally {
    if (keepalive !== null) clearInterval(keepalive)
    account.pending.delete(started)
  }
}

/** A service, or a proxy before it, may quote the credential that it was sent; the agent and the records get neither. */
function cleaned(result: UpstreamResult, withoutKey: Station['withoutKey']): UpstreamResult {
  const { answer } = result
  return { ...result, answer: { ...answer, forAgent: withoutKey(answer.forAgent), meaning: cleanedMeaning(answer.meaning, withoutKey) } }
}

function cleanedMeaning(meaning: AnswerMeaning, withoutKey: Station['withoutKey']): AnswerMeaning {
  if (meaning.kind !== 'trouble') return meaning
  return { ...meaning, trouble: { ...meaning.trouble, detail: withoutKey(meaning.trouble.detail) } }
}

function count(account: Account, body: Readonly<Record<string, unknown>>, result: UpstreamResult, station: Station): void {
  const { answer } = result
  const sent = { ...settingsIn(body), answered_by: answer.model }
  const alike = JSON.stringify(sent)
  account.sent.set(alike, { ...sent, calls: (account.sent.get(alike)?.calls ?? 0) + 1 })
  const cost = answer.meaning.kind === 'answer' ? costOf(answer.tokens, sent.model ?? '', station.prices) : 0
  for (const ledger of [account.ledger, station.run]) ledger.endCall(answer.tokens, cost, result.ms)
  if (answer.meaning.kind === 'trouble') {
    account.ledger.report(answer.meaning.trouble)
    station.run.report(answer.meaning.trouble)
  }
}

function settingsIn(body: Readonly<Record<string, unknown>>): Omit<SentSettings, 'answered_by' | 'calls'> {
  const reasoning = isRecord(body['reasoning']) ? body['reasoning']['effort'] : undefined
  const effort = body['reasoning_effort'] ?? reasoning
  const limit = body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens']
  return {
    model: typeof body['model'] === 'string' ? body['model'] : null,
    temperature: typeof body['temperature'] === 'number' ? body['temperature'] : null,
    effort: typeof effort === 'string' ? effort : null,
    max_tokens: typeof limit === 'number' ? limit : null,
  }
}

function wireEntry(account: Account, api: ApiKind, body: Readonly<Record<string, unknown>>, result: UpstreamResult): WireEntry {
  const { meaning, forAgent } = result.answer
  return {
    at: new Date().toISOString(),
    trial_id: account.trialId,
    path: api === 'chat' ? '/chat/completions' : '/responses',
    attempts: result.attempts,
    status: result.status,
    ms: Math.round(result.ms),
    request: JSON.stringify(body),
    response: forAgent,
    trouble: meaning.kind === 'trouble' ? `${meaning.trouble.infra_class}: ${meaning.trouble.detail}` : null,
  }
}

function deliver(response: ServerResponse, result: UpstreamResult): void {
  const { meaning, forAgent } = result.answer
  if (meaning.kind === 'trouble') return sendTrouble(response, meaning.trouble)
  if (!response.headersSent) response.writeHead(result.status ?? 502, { 'content-type': result.contentType, 'x-should-retry': 'false' })
  response.end(forAgent)
}
