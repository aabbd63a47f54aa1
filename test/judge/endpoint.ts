import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelUsage } from '../../src/model/agent.ts'

/** A judge's endpoint on loopback that answers by script. */

export interface Reply {
  readonly status?: number
  readonly type?: string
  readonly body: string
}

/** A request as the endpoint saw it. */
export interface AskedBody {
  readonly seed?: number
  readonly temperature?: number
  readonly response_format?: { readonly json_schema: { readonly strict: boolean; readonly schema: Record<string, unknown> } }
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export interface Endpoint extends AsyncDisposable {
  readonly baseUrl: string
  readonly asked: readonly AskedBody[]
}

export async function startEndpoint(script: (body: AskedBody, call: number) => Reply | Promise<Reply>): Promise<Endpoint> {
  const asked: AskedBody[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as AskedBody
      asked.push(body)
      void (async () => {
        const reply = await script(body, asked.length)
        response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json' })
        response.end(reply.body)
      })()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A completion with this choice. */
export function choice(fields: Readonly<Record<string, unknown>>): Reply {
  return { body: completion([{ index: 0, finish_reason: 'stop', ...fields }]) }
}

export function completion(choices: readonly unknown[]): string {
  return JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices,
    usage: { prompt_tokens: 50, completion_tokens: 9 },
  })
}

/** A completion that says this text. */
export const says = (content: string): Reply => choice({ message: { role: 'assistant', content } })

export const verdict = (verdict: string, evidence: string, reason = 'Because of what is quoted.'): string =>
  JSON.stringify({ evidence, reason, verdict })

/** A refusal of a request in a service's words. */
export const refuses = (message: string, status = 400): Reply => ({ status, body: JSON.stringify({ error: { message } }) })

/** For judges that no relay counts for. */
export const NO_USAGE: ModelUsage = {
  model_calls: 0,
  tokens: { input: 0, output: 0, cache_read: 0, reasoning: 0 },
  cost_usd: 0,
  model_ms: 0,
  trouble: null,
}
