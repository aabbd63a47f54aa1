import { createServer, type ServerResponse } from 'node:http'
import { RENDER_TOOL } from '../model/transcript.ts'
import { decodeJson, type Fields, fieldsOf } from './json-fields.ts'

/** A model service of four fixed lines, for the conformance check of an adapter: read a file, render, answer; or trouble only. */
export interface ConformanceModel extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string
  readonly requests: readonly Fields[]
}

export const CONFORMANCE_APP = '<!doctype html><p>ok</p><button onclick="window.hermes.sendAction({action: \'ok\'})">Send</button>'
export const CONFORMANCE_ANSWER = 'The app is on your screen.'

export async function startConformanceModel(mode: 'answers' | 'trouble'): Promise<ConformanceModel> {
  const requests: Fields[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const body = fieldsOf(decodeJson(text))
      requests.push(body)
      if (mode === 'trouble') return sendTrouble(response)
      const step = Array.isArray(body['messages']) ? body['messages'].filter((message) => fieldsOf(message)['role'] === 'tool').length : 0
      answer(response, STEPS[Math.min(step, STEPS.length - 1)] ?? {}, body['stream'] === true)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const call = (id: string, name: string, args: Fields): Fields => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})

const STEPS: readonly Fields[] = [
  call('call_1', 'read_file', { path: 'conformance.md' }),
  call('call_2', RENDER_TOOL, { title: 'Conformance', html: CONFORMANCE_APP }),
  { role: 'assistant', content: CONFORMANCE_ANSWER },
]

function answer(response: ServerResponse, message: Fields, streaming: boolean): void {
  const finish = message['tool_calls'] === undefined ? 'stop' : 'tool_calls'
  const choice = { index: 0, finish_reason: finish, [streaming ? 'delta' : 'message']: message }
  const body = {
    id: 'conformance',
    object: streaming ? 'chat.completion.chunk' : 'chat.completion',
    created: 0,
    model: 'conformance',
    choices: [choice],
  }
  response.writeHead(200, { 'content-type': streaming ? 'text/event-stream' : 'application/json' })
  response.end(streaming ? `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n` : JSON.stringify(body))
}

function sendTrouble(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify({ error: { message: 'The model service is down.', type: 'genui_eval_infra', code: 'model_unavailable' } }))
}
