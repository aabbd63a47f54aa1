// A loopback GitHub: state behind real HTTP, every request and answer checked against GitHub's OpenAPI description.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { asText, at, parseJson, type Json } from './json.ts'
import { handlers, type Answer, type Call } from './github-handlers.ts'
import { newState, type GitHubState } from './github-state.ts'
import { loadOpenApi } from './openapi-check.ts'

/** A planned misbehaviour of the next matching requests. */
export interface Fault {
  /** Operation id, e.g. `issues/create-comment`. */
  readonly operation: string
  /** How many times; Infinity for ever. */
  times: number
  readonly answer:
    | { readonly kind: 'status'; readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> }
    /** The connection breaks: before the request had an effect, or after it. */
    | { readonly kind: 'drop'; readonly after_effect: boolean }
    | { readonly kind: 'slow'; readonly ms: number }
}

export interface SeenRequest {
  readonly operation: string
  /** Tells tokens apart without holding them. */
  readonly caller: string
  readonly method: string
  readonly path: string
  readonly body: Json | undefined
  readonly status: number
}

export interface FakeGitHub extends AsyncDisposable {
  readonly url: string
  readonly state: GitHubState
  readonly faults: Fault[]
  readonly requests: readonly SeenRequest[]
  /** What broke GitHub's description, in requests or in this fake's own answers. Must be empty at the end of a test. */
  readonly problems: readonly string[]
  /** Runs before a request is handled, which waits for it; lets a test change the world in between. */
  onRequest: (operation: string, caller: string) => void | Promise<void>
}

const OPENAPI = loadOpenApi(new URL('openapi-subset.json', import.meta.url))

export async function startFakeGitHub(): Promise<FakeGitHub> {
  const state = newState()
  const faults: Fault[] = []
  const requests: SeenRequest[] = []
  const problems: string[] = []
  let url = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? '/', url)
    const raw = await readAll(request)
    const blob = /^\/_blob\/(\d+)$/.exec(asked.pathname)?.[1]
    if (blob !== undefined) return sendBlob(response, state, Number(blob), request.headers.authorization)
    const body = raw === '' ? undefined : parseJson(raw)
    const operation = asked.pathname === '/graphql' ? null : OPENAPI.match(request.method ?? '', asked.pathname)
    const name = operation?.id ?? (asked.pathname === '/graphql' ? 'graphql' : 'unknown')
    const caller = callerOf(request.headers.authorization)
    await fake.onRequest(name, caller)
    const fault = faults.find((one) => one.operation === name && one.times > 0)
    if (fault !== undefined) fault.times -= 1
    const log = (status: number) =>
      requests.push({ operation: name, caller, method: request.method ?? '', path: asked.pathname + asked.search, body, status })
    if (fault?.answer.kind === 'drop' && !fault.answer.after_effect) {
      log(0)
      request.socket.destroy()
      return
    }
    if (fault?.answer.kind === 'slow')
      await new Promise((resolve) => setTimeout(resolve, fault.answer.kind === 'slow' ? fault.answer.ms : 0))
    const given: Answer =
      fault?.answer.kind === 'status'
        ? {
            status: fault.answer.status,
            body: { message: fault.answer.message, documentation_url: 'https://docs.github.com/rest', status: String(fault.answer.status) },
            headers: fault.answer.headers ?? {},
          }
        : handle(name, operation, asked, body, request)
    log(given.status)
    if (fault?.answer.kind === 'drop') {
      request.socket.destroy()
      return
    }
    response.writeHead(given.status, {
      'content-type': 'application/json; charset=utf-8',
      date: new Date().toUTCString(),
      ...given.headers,
    })
    response.end(given.body === undefined ? undefined : JSON.stringify(given.body))
  }

  function handle(
    name: string,
    operation: ReturnType<typeof OPENAPI.match>,
    asked: URL,
    body: Json | undefined,
    request: IncomingMessage,
  ): Answer {
    if (name === 'graphql') return graphql(body)
    if (operation === null) {
      problems.push(`${request.method} ${asked.pathname} is not an operation of the subset`)
      return refusal(404, 'Not Found')
    }
    if (request.headers.authorization === undefined) return refusal(401, 'Requires authentication')
    const bad = OPENAPI.requestProblems(operation, asked.searchParams, body)
    if (bad.length > 0) {
      problems.push(...bad.map((problem) => `request ${name}: ${problem}`))
      return refusal(422, `Validation Failed: ${bad.join('; ')}`)
    }
    const handler = handlers[name]
    if (handler === undefined) {
      problems.push(`${name} has no handler`)
      return refusal(501, 'no handler')
    }
    const lacking = handler.permission
    if (lacking !== null && !state.permissions.has(lacking)) return refusal(403, 'Resource not accessible by integration')
    const call: Call = {
      state,
      params: operation.params,
      query: asked.searchParams,
      body,
      url,
      sample: (name, fields) => OPENAPI.sample(name, fields),
    }
    const given = handler.run(call)
    problems.push(
      ...OPENAPI.responseProblems(operation, given.status, given.body).map((problem) => `answer ${name} ${given.status}: ${problem}`),
    )
    return given
  }

  function graphql(body: Json | undefined): Answer {
    if (!/viewer\s*\{\s*login\s*\}/.test(asText(at(body, 'query'))))
      return { status: 200, body: { errors: [{ message: 'unknown query' }] } }
    return { status: 200, body: { data: { viewer: { login: state.viewer } } } }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(`the fake broke: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const fake: FakeGitHub = {
    url,
    state,
    faults,
    requests,
    problems,
    onRequest: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return fake
}

/** Name of a token in `SeenRequest`. */
export function callerOf(authorization: string | undefined): string {
  const token = (authorization ?? '').replace(/^(?:token|bearer) /i, '')
  return createHash('sha256').update(token).digest('hex').slice(0, 8)
}

function refusal(status: number, message: string): Answer {
  return { status, body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) } }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function sendBlob(response: ServerResponse, state: GitHubState, id: number, authorization: string | undefined): void {
  const artifact = state.artifacts.find((one) => one.id === id)
  // a signed address must never be sent our token
  if (artifact === undefined || authorization !== undefined) {
    response.writeHead(authorization === undefined ? 404 : 400).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': artifact.blob.length })
  response.end(artifact.blob)
}
