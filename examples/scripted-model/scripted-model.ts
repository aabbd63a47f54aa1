import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Character, nextMove } from './behaviour.ts'
import { chatBody, chatChunks, readChatRequest, type Usage } from './chat-wire.ts'
import { type Conversation, type Fields, isFields, type Move } from './conversation.ts'
import { answerWithFault, type Fault, faultAt } from './faults.ts'
import { readKnownTasks } from './known-tasks.ts'
import { readResponsesRequest, responsesBody, responsesEvents } from './responses-wire.ts'
import { chance } from './seeded.ts'

export interface ScriptedModelOptions {
  /** Folder of task folders: the prompts that the model knows and the apps that it is able to write. */
  readonly tasksFolder: string
  /** 0 = any free port. */
  readonly port?: number
  readonly seed?: number
  /** Share of trials with a slip although the context told everything, 0..1. Default 0.02. */
  readonly slipRate?: number
  /** Pause before each answer: `ms ± spread`, seeded. Default none. */
  readonly latency?: { readonly ms: number; readonly spread: number }
  readonly faults?: readonly Fault[]
  /** When given, requests without `Authorization: Bearer <key>` get 401. */
  readonly requiredKey?: string | null
}

export interface ScriptedModel {
  /** Loopback URL ending in `/v1`. */
  readonly url: string
  /** Bodies received so far, in order. */
  readonly requests: readonly Fields[]
  close(): Promise<void>
}

interface State {
  readonly options: ScriptedModelOptions
  readonly character: Character
  readonly requests: Fields[]
  calls: number
}

/**
 * Starts an OpenAI-compatible server on loopback for tests and the demo (Chat Completions and Responses, plain and streamed).
 * It reacts only to what it is sent; equal requests get equal answers.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const character = { tasks: await readKnownTasks(options.tasksFolder), slipRate: options.slipRate ?? 0.02, seed: options.seed ?? 0 }
  const state: State = { options, character, requests: [], calls: 0 }
  const server = createServer((request, response) => {
    answer(request, response, state).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(error), type: 'server_error' } })
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
    requests: state.requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const path = (request.url ?? '').split('?')[0]
  const { requiredKey = null, faults = [] } = state.options
  if (requiredKey !== null && request.headers.authorization !== `Bearer ${requiredKey}`) return answerWithFault('unauthorized', response)
  if (request.method === 'GET' && path === '/v1/models') {
    return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model', created: 0, owned_by: 'genui-eval' }] })
  }
  if (request.method !== 'POST' || (path !== '/v1/chat/completions' && path !== '/v1/responses')) {
    return sendJson(response, 404, { error: { message: `No such address: ${path}`, type: 'invalid_request_error', code: 'not_found' } })
  }
  const body = await readBody(request)
  if (body === null) return sendJson(response, 400, { error: { message: 'The body is not a JSON object.', type: 'invalid_request_error' } })
  state.requests.push(body)
  const fault = faultAt(faults, state.calls)
  state.calls += 1
  if (fault !== null) return answerWithFault(fault, response)
  await think(body, state)
  if (path === '/v1/responses') sendResponses(body, response, state)
  else sendChat(body, response, state)
}

async function think(body: Fields, { options }: State): Promise<void> {
  const { latency } = options
  if (latency === undefined) return
  await delay(pauseBeforeAnswer(body, latency))
}

/** The simulated latency of this request, ms. */
export function pauseBeforeAnswer(body: Fields, latency: NonNullable<ScriptedModelOptions['latency']>): number {
  return latency.ms + (chance(idOf(body), 'latency') * 2 - 1) * latency.spread
}

function sendChat(body: Fields, response: ServerResponse, { character }: State): void {
  const conversation = readChatRequest(body)
  const move = nextMove(conversation, character)
  const id = `chatcmpl-${idOf(body)}`
  const usage = usageOf(body, move)
  if (body['stream'] !== true) return sendJson(response, 200, chatBody(move, id, conversation.model, usage))
  const asked = isFields(body['stream_options']) && body['stream_options']['include_usage'] === true
  const chunks = chatChunks(move, id, conversation.model, asked ? usage : null)
  sendEvents(response, [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`), 'data: [DONE]'])
}

function sendResponses(body: Fields, response: ServerResponse, { character }: State): void {
  const conversation: Conversation = readResponsesRequest(body)
  const move = nextMove(conversation, character)
  const id = `resp_${idOf(body)}`
  const usage = usageOf(body, move)
  if (body['stream'] !== true) return sendJson(response, 200, responsesBody(move, id, conversation.model, usage))
  const events = responsesEvents(move, id, conversation.model, usage)
  sendEvents(
    response,
    events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}`),
  )
}

/** About four characters a token. */
function usageOf(body: Fields, move: Move): Usage {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / 4)
  return { input: tokens(body['messages'] ?? body['input']) + tokens(body['tools']), output: tokens(move) }
}

const idOf = (body: Fields): string => createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 24)

function sendEvents(response: ServerResponse, blocks: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  for (const block of blocks) response.write(`${block}\n\n`)
  response.end()
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
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
