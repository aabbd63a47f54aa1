import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatBody } from '../scripted-model/chat-wire.ts'
import { contentText, fieldsIn, isFields, textOf, type Fields } from '../scripted-model/conversation.ts'
import { answerTo, type Character, type Manner } from './judge.ts'
import { readPrompt } from './material.ts'

export interface ScriptedJudgeOptions {
  /** 0 = any free port. */
  readonly port?: number
  readonly seed?: number
  /** Share of verdicts that are turned round, 0..1. Default 0. */
  readonly slipRate?: number
  readonly manner?: Manner
  /** When given, requests without `Authorization: Bearer <key>` get 401. */
  readonly requiredKey?: string | null
}

export interface ScriptedJudge {
  /** Loopback URL ending in `/v1`. */
  readonly url: string
  /** Bodies received so far, in order. */
  readonly requests: readonly Fields[]
  close(): Promise<void>
}

/**
 * Starts an OpenAI-compatible server on loopback that stands for the judge's model in tests and the demo. It is no model: plain rules decide each of
 * the benchmark's rubrics from the material in the prompt, and nothing else.
 */
export async function startScriptedJudge(options: ScriptedJudgeOptions = {}): Promise<ScriptedJudge> {
  const character: Character = { manner: options.manner ?? 'careful', slipRate: options.slipRate ?? 0, seed: options.seed ?? 0 }
  const requests: Fields[] = []
  const server = createServer((request, response) => {
    answer(request, response, character, requests, options.requiredKey ?? null).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, String(error))
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  character: Character,
  requests: Fields[],
  key: string | null,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0]
  if (key !== null && request.headers.authorization !== `Bearer ${key}`) return refuse(response, 401, 'Incorrect API key provided.')
  if (request.method === 'GET' && path === '/v1/models') {
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id: 'scripted-judge', object: 'model', created: 0, owned_by: 'genui-eval' }],
    })
  }
  if (request.method !== 'POST' || path !== '/v1/chat/completions') return refuse(response, 404, `No such address: ${path}`)
  const body = await readBody(request)
  if (body === null) return refuse(response, 400, 'The body is not a JSON object.')
  requests.push(body)
  const messages = fieldsIn(body['messages']).filter((message) => message['role'] === 'user')
  const prompt = readPrompt(messages.length === 0 ? '' : contentText(messages[0]?.['content']))
  if (prompt === null) return refuse(response, 400, 'The scripted judge answers nothing but the prompts of a rubric judge.')
  const vote = typeof body['seed'] === 'number' ? body['seed'] : 0
  const text = answerTo(prompt, character, vote)
  const usage = { input: Math.ceil(JSON.stringify(body['messages']).length / 4), output: Math.ceil(text.length / 4) }
  sendJson(response, 200, chatBody({ kind: 'text', text }, `chatcmpl-judge-${requests.length}`, textOf(body['model']), usage))
}

async function readBody(request: IncomingMessage): Promise<Fields | null> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  try {
    const value = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error' } })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
