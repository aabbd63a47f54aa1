// A loopback stand-in for GitHub's artifact service (Twirp over JSON) and its blob store (Put Block, Put Block List).
// It checks token, run ids, size and SHA-256 of what it is given, and can be told to misbehave.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { asText, at, parseJson, type Json } from './json.ts'

export interface EmulatedArtifact {
  readonly id: number
  readonly name: string
  readonly mime_type: string
  readonly expires_at: string | null
  readonly bytes: Uint8Array
}

interface Upload {
  readonly id: number
  readonly name: string
  readonly mime_type: string
  readonly expires_at: string | null
  readonly blocks: Map<string, Uint8Array>
  bytes: Uint8Array | null
  finalized: boolean
}

export interface ArtifactEmulator extends AsyncDisposable {
  /** What the runner gives an Action to reach the service. */
  readonly env: Readonly<Record<string, string>>
  /** Finished uploads. */
  readonly artifacts: readonly EmulatedArtifact[]
  /** Answers to CreateArtifact before it works again: status and message. */
  readonly refusals: { readonly status: number; readonly message: string }[]
  /** Wrong tokens, sizes, hashes and unknown calls; must be empty at the end of a test. */
  readonly problems: readonly string[]
  /** A name that another job of this run has used. */
  occupy(name: string): void
}

const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function startArtifactEmulator(): Promise<ArtifactEmulator> {
  const [run, job] = [randomUUID(), randomUUID()]
  const segment = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${segment({ alg: 'none' })}.${segment({ scp: `Actions.Results:${run}:${job}`, exp: 4_000_000_000 })}.signature`
  const uploads: Upload[] = []
  const refusals: { status: number; message: string }[] = []
  const problems: string[] = []
  let url = ''

  function twirp(method: string, authorization: string | undefined, body: Json): { readonly status: number; readonly body: Json } {
    const broken = (status: number, code: string, msg: string) => {
      problems.push(`${method}: ${msg}`)
      return { status, body: { code, msg } }
    }
    if (authorization !== `Bearer ${token}`) return broken(401, 'unauthenticated', 'wrong token')
    const backend = [at(body, 'workflow_run_backend_id'), at(body, 'workflow_job_run_backend_id')]
    if (backend[0] !== run || backend[1] !== job) return broken(403, 'permission_denied', 'wrong run or job')
    const name = asText(at(body, 'name'))
    switch (method) {
      case 'CreateArtifact': {
        const refusal = refusals.shift()
        if (refusal !== undefined) return { status: refusal.status, body: { code: 'refused', msg: refusal.message } }
        if (uploads.some((one) => one.name === name)) {
          return { status: 409, body: { code: 'already_exists', msg: 'an artifact with this name already exists on the workflow run' } }
        }
        const id = 5000 + uploads.length
        const [mime_type, expires] = [asText(at(body, 'mime_type')), at(body, 'expires_at')]
        uploads.push({
          id,
          name,
          mime_type,
          expires_at: expires === undefined ? null : asText(expires),
          blocks: new Map(),
          bytes: null,
          finalized: false,
        })
        return { status: 200, body: { ok: true, signed_upload_url: `${url}/blob/${id}?sig=signature` } }
      }
      case 'FinalizeArtifact': {
        const upload = uploads.find((one) => one.name === name)
        if (upload?.bytes === undefined || upload.bytes === null) return broken(404, 'not_found', 'finalized without a blob')
        const digest = `sha256:${createHash('sha256').update(upload.bytes).digest('hex')}`
        if (asText(at(body, 'size')) !== String(upload.bytes.length)) return broken(400, 'invalid_argument', 'wrong size')
        if (at(body, 'hash') !== digest) return broken(400, 'invalid_argument', 'wrong SHA-256')
        upload.finalized = true
        return { status: 200, body: { ok: true, artifact_id: String(upload.id) } }
      }
      default:
        return broken(404, 'bad_route', 'no such method')
    }
  }

  function store(asked: URL, body: Uint8Array): number {
    const upload = uploads.find((one) => asked.pathname === `/blob/${one.id}`)
    if (upload === undefined || asked.searchParams.get('sig') !== 'signature') {
      problems.push(`blob ${asked.pathname}: unknown or unsigned`)
      return 403
    }
    const kind = asked.searchParams.get('comp')
    if (kind === 'block') upload.blocks.set(asked.searchParams.get('blockid') ?? '', body)
    else if (kind === 'blocklist') {
      const ids = [
        ...Buffer.from(body)
          .toString('utf8')
          .matchAll(/<Latest>([^<]+)<\/Latest>/g),
      ].map((match) => match[1] ?? '')
      upload.bytes = Buffer.concat(ids.map((id) => upload.blocks.get(id) ?? Buffer.from('')))
    } else upload.bytes = body
    return 201
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const asked = new URL(request.url ?? '/', url)
    if (asked.pathname.startsWith(SERVICE)) {
      const given = twirp(asked.pathname.slice(SERVICE.length), request.headers.authorization, parseJson(body.toString('utf8')))
      response.writeHead(given.status, { 'content-type': 'application/json' }).end(JSON.stringify(given.body))
      return
    }
    const status = store(asked, body)
    const date = new Date().toUTCString()
    response
      .writeHead(status, { etag: '"0x1"', 'last-modified': date, date, 'x-ms-request-id': randomUUID(), 'x-ms-version': '2026-10-06' })
      .end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(`the emulator broke: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    env: { ACTIONS_RESULTS_URL: `${url}/`, ACTIONS_RUNTIME_TOKEN: token },
    get artifacts() {
      return uploads.flatMap(({ id, name, mime_type, expires_at, bytes, finalized }) =>
        finalized && bytes !== null ? [{ id, name, mime_type, expires_at, bytes }] : [],
      )
    },
    refusals,
    problems,
    occupy: (name) =>
      void uploads.push({
        id: 4000 + uploads.length,
        name,
        mime_type: '',
        expires_at: null,
        blocks: new Map(),
        bytes: null,
        finalized: false,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
