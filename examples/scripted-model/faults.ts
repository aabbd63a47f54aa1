import type { ServerResponse } from 'node:http'

export const FAULT_KINDS = [
  'rate_limit',
  'server_error',
  'quota',
  'unauthorized',
  'unknown_model',
  'hang',
  'reset',
  'error_in_200',
  'error_prose',
  'half_stream',
  'garbage_stream',
  'not_json',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Trouble in place of the answers to calls number `from` (counted from 0) up to, but without, `to`. */
export interface Fault {
  readonly kind: FaultKind
  readonly from: number
  readonly to: number
}

/** `kind`, `kind:FROM-TO` or `kind:FROM-`; null when it is none of these. */
export function parseFault(text: string): Fault | null {
  const match = /^([a-z_0-9]+)(?::(\d+)-(\d*))?$/.exec(text)
  const kind = FAULT_KINDS.find((candidate) => candidate === match?.[1])
  if (kind === undefined) return null
  const end = match?.[3] ?? ''
  return { kind, from: Number(match?.[2] ?? 0), to: end === '' ? Number.POSITIVE_INFINITY : Number(end) }
}

export function faultAt(faults: readonly Fault[], call: number): FaultKind | null {
  return faults.find((fault) => call >= fault.from && call < fault.to)?.kind ?? null
}

/** Answers with the trouble, in the words of real services. */
export function answerWithFault(kind: FaultKind, response: ServerResponse): void {
  const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  const error = (message: string, type: string, code: string | null): unknown => ({ error: { message, type, param: null, code } })
  const stream = (text: string): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
  }
  switch (kind) {
    case 'rate_limit':
      return json(429, error('Rate limit reached for requests per minute.', 'requests', 'rate_limit_exceeded'), { 'retry-after-ms': '20' })
    case 'server_error':
      return json(500, error('The server had an error while processing your request.', 'server_error', null))
    case 'quota':
      return json(
        429,
        error('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota', 'insufficient_quota'),
      )
    case 'unauthorized':
      return json(401, error('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'))
    case 'unknown_model':
      return json(404, error('The model does not exist or you do not have access to it.', 'invalid_request_error', 'model_not_found'))
    case 'hang':
      return
    case 'reset':
      response.destroy()
      return
    case 'error_in_200':
      return json(200, error('Provider returned error: upstream overloaded', 'provider_error', '502'))
    case 'error_prose': {
      const message = { role: 'assistant', content: 'Error: 503 upstream service unavailable, please try again later.' }
      return json(200, { id: 'x', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] })
    }
    case 'half_stream':
      stream(
        'data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"Half"},"finish_reason":null}]}\n\n',
      )
      response.end()
      return
    case 'garbage_stream':
      stream('data: {"id":"x","choi\n\n<html>502</html>\n\n')
      response.end()
      return
    case 'not_json':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html><body>502 Bad Gateway</body></html>')
  }
}
