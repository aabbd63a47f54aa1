import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord, type Trouble } from './classify.ts'

/** Largest request that is taken, bytes. */
const MAX_REQUEST = 32 * 1024 * 1024
/** A stream's client gets a comment when the answer takes longer, so that it does not give up, ms. */
const KEEPALIVE_MS = 15_000

/** Comments keep a streaming client patient; the headers go out with the first one. */
export function startKeepalive(response: ServerResponse): NodeJS.Timeout {
  return setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(': waiting for the model service\n\n')
  }, KEEPALIVE_MS)
}

/** Type by which agents know that the error is nobody's grade; the code is the infrastructure class. */
const INFRA_ERROR_TYPE = 'genui_eval_infra'

export function sendTrouble(response: ServerResponse, trouble: Trouble): void {
  const error = { message: trouble.detail, type: INFRA_ERROR_TYPE, code: trouble.infra_class }
  if (response.headersSent) response.end(`data: ${JSON.stringify({ error })}\n\n`)
  else sendJson(response, 503, { error })
}

export function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { message, type: 'genui_eval_relay', code } })
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // Retrying is the relay's business alone: OpenAI's clients obey this header.
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify(body))
}

export async function readRequest(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_REQUEST) return null
    chunks.push(chunk)
  }
  try {
    const value = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
