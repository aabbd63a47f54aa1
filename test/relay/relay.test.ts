import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import OpenAI, { APIError, BadRequestError } from 'openai'
import { answerWithFault, FAULT_KINDS, type FaultKind } from '../../examples/scripted-model/faults.ts'
import { AdaptiveLimit } from '../../src/relay/adaptive-limit.ts'
import { type RelayOptions, startRelay } from '../../src/relay/relay.ts'
import { temporaryFolder } from '../agents/fixtures.ts'

const KEY = 'sk-canary-key-that-nobody-may-see-0123456789'
const HELLO = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] }

interface Seen {
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  readonly url: string
}
type Script = (call: number, response: ServerResponse, seen: Seen) => void | Promise<void>

/** A model service that answers by script, behind a relay. */
async function stage(script: Script, options: Partial<RelayOptions> = {}) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const entry: Seen = {
        headers: request.headers,
        url: request.url ?? '',
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      }
      seen.push(entry)
      void script(seen.length - 1, response, entry)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const relay = await startRelay({ upstream, apiKey: KEY, retries: 2, backoffMs: 5, timeoutSeconds: 30, ...options })
  return {
    relay,
    seen,
    client: (trial: string) => new OpenAI({ baseURL: relay.baseUrlFor(trial), apiKey: 'dummy', maxRetries: 0 }),
    [Symbol.asyncDispose]: async () => {
      await relay.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 5 },
}

function answer(response: ServerResponse, content = 'hi', status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      model: 'm-2026',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: USAGE,
    }),
  )
}

function stream(response: ServerResponse, chunks: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

test('the key is added on the way out, the child never has it, and the wire log holds neither it nor its forms', async () => {
  await using folder = await temporaryFolder()
  // A service that echoes the credential it got.
  await using on = await stage(
    (_call, response, seen) => answer(response, `you sent ${seen.headers.authorization} ${Buffer.from(KEY).toString('base64')}`),
    { wireLogFolder: folder.path },
  )
  const reply = await on.client('t1').chat.completions.create(HELLO)
  assert.equal(on.seen[0]?.headers.authorization, `Bearer ${KEY}`)
  assert.match(
    reply.choices[0]?.message.content ?? '',
    /^you sent Bearer \[redacted\] \[redacted\]=*$/,
    'nor does the agent get what the service quotes',
  )
  const log = await readFile(join(folder.path, 't1.jsonl'), 'utf8')
  assert.match(log, /"status":200/)
  assert.ok(!log.includes(KEY) && !log.includes(Buffer.from(KEY).toString('base64').replaceAll('=', '')))
})

test('tokens, cost, time and settings are counted per trial and per run', async () => {
  await using on = await stage((_call, response) => answer(response), { prices: { m: { input: 10, output: 100, cache_read: 1 } } })
  const client = on.client('t1')
  await client.chat.completions.create({ ...HELLO, temperature: 0.3, max_tokens: 9, reasoning_effort: 'low' })
  await client.chat.completions.create({ ...HELLO, temperature: 0.3, max_tokens: 9, reasoning_effort: 'low' })
  await on.client('t2').chat.completions.create({ ...HELLO, model: 'unpriced' })
  const usage = on.relay.usage('t1')
  assert.deepEqual(usage.tokens, { input: 200, output: 40, cache_read: 80, reasoning: 10 })
  assert.equal(usage.model_calls, 2)
  // 60 fresh × 10 + 40 cached × 1 + 20 out × 100 dollars per million, twice.
  assert.ok(Math.abs((usage.cost_usd ?? 0) - (2 * (600 + 40 + 2000)) / 1e6) < 1e-12)
  assert.equal(on.relay.usage('t2').cost_usd, null)
  assert.equal(on.relay.runUsage().model_calls, 3)
  assert.deepEqual(on.relay.sentSettings('t1'), [
    { model: 'm', temperature: 0.3, effort: 'low', max_tokens: 9, answered_by: 'm-2026', calls: 2 },
  ])
})

test('a stream is passed on whole; its usage is asked for, counted, and hidden from who did not ask', async () => {
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'he' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: { content: 'llo' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: USAGE },
  ]
  await using on = await stage((_call, response) => stream(response, chunks))
  const texts: string[] = []
  let sawUsage = false
  for await (const chunk of await on.client('t').chat.completions.create({ ...HELLO, stream: true })) {
    texts.push(chunk.choices[0]?.delta.content ?? '')
    sawUsage ||= chunk.choices.length === 0
  }
  assert.equal(texts.join(''), 'hello')
  assert.equal(sawUsage, false)
  assert.deepEqual(on.seen[0]?.body['stream_options'], { include_usage: true })
  assert.equal(on.relay.usage('t').tokens.input, 100)
})

test('a service that does not know stream_options is asked again without', async () => {
  await using on = await stage((call, response) => {
    if (call > 0) return stream(response, [{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }])
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'Unknown parameter: stream_options' } }))
  })
  const parts: string[] = []
  for await (const chunk of await on.client('t').chat.completions.create({ ...HELLO, stream: true }))
    parts.push(chunk.choices[0]?.delta.content ?? '')
  assert.deepEqual(parts, ['ok'])
  assert.equal(on.relay.usage('t').trouble, null)
})

test('Responses are relayed and counted too', async () => {
  await using on = await stage((_call, response, seen) => {
    const body = {
      id: 'r',
      object: 'response',
      model: 'm',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }],
      usage: {
        input_tokens: 7,
        output_tokens: 3,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens_details: { reasoning_tokens: 1 },
      },
    }
    if (seen.body['stream'] === true)
      return stream(response, [
        { type: 'response.created', response: {} },
        { type: 'response.completed', response: body },
      ])
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  const client = on.client('t')
  assert.equal((await client.responses.create({ model: 'm', input: 'hello', reasoning: { effort: 'high' } })).output_text, 'hi')
  for await (const event of await client.responses.create({ model: 'm', input: 'hello', stream: true }))
    assert.ok(event.type.startsWith('response.'))
  assert.equal(on.seen[0]?.url, '/v1/responses')
  assert.deepEqual(on.relay.usage('t').tokens, { input: 14, output: 6, cache_read: 4, reasoning: 2 })
  assert.equal(on.relay.sentSettings('t')[0]?.effort, 'high')
})

const CLASS_OF_FAULT: Record<FaultKind, string> = {
  rate_limit: 'model_unavailable',
  server_error: 'model_unavailable',
  quota: 'quota',
  unauthorized: 'model_unavailable',
  unknown_model: 'model_unavailable',
  hang: 'model_unavailable',
  reset: 'model_unavailable',
  error_in_200: 'model_unavailable',
  error_prose: 'model_unavailable',
  half_stream: 'model_unavailable',
  garbage_stream: 'model_unavailable',
  not_json: 'model_unavailable',
}
const PASSING = new Set<FaultKind>([
  'rate_limit',
  'server_error',
  'hang',
  'reset',
  'error_in_200',
  'error_prose',
  'half_stream',
  'garbage_stream',
  'not_json',
])

/** Only a service that hangs is told by the clock. */
const patienceFor = (kind: FaultKind): Partial<RelayOptions> => (kind === 'hang' ? { timeoutSeconds: 1 } : {})

for (const kind of FAULT_KINDS) {
  test(`${kind}: lasting trouble has its class and reaches the agent as an error`, async () => {
    await using on = await stage((_call, response) => answerWithFault(kind, response), patienceFor(kind))
    const client = on.client('t')
    await assert.rejects(client.chat.completions.create(HELLO), (error) => error instanceof APIError && error.type === 'genui_eval_infra')
    const { trouble } = on.relay.usage('t')
    assert.equal(trouble?.infra_class, CLASS_OF_FAULT[kind])
    assert.ok((trouble?.detail.length ?? 0) > 20)
    assert.equal(on.seen.length, PASSING.has(kind) ? 3 : 1)
    // The trial is lost: later calls are answered at once, and cost nothing.
    await assert.rejects(client.chat.completions.create(HELLO))
    assert.equal(on.seen.length, PASSING.has(kind) ? 3 : 1)
  })

  if (PASSING.has(kind)) {
    test(`${kind}: passing trouble is healed and leaves no trace`, async () => {
      await using on = await stage((call, response) => (call < 2 ? answerWithFault(kind, response) : answer(response)), patienceFor(kind))
      const reply = await on.client('t').chat.completions.create(HELLO)
      assert.equal(reply.choices[0]?.message.content, 'hi')
      const usage = on.relay.usage('t')
      assert.equal(usage.trouble, null)
      assert.equal(usage.model_calls, 1)
    })
  }
}

test('an answer that speaks about errors is an answer', async () => {
  for (const text of [
    'An error 429 means that too many requests were made; wait and try again.',
    'The formula is p^k.',
    `Error handling in Python: ${'use try and except. '.repeat(60)} 503`,
  ]) {
    await using on = await stage((_call, response) => answer(response, text))
    assert.equal((await on.client('t').chat.completions.create(HELLO)).choices[0]?.message.content, text)
    assert.equal(on.relay.usage('t').trouble, null)
  }
})

test('a refused request is the agent’s business, a refused setting is ours', async () => {
  const refuse =
    (message: string): Script =>
    (_call, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
    }
  await using schema = await stage(refuse("Invalid schema for function 'render_micro_app': unsupported value"))
  await assert.rejects(
    schema.client('t').chat.completions.create(HELLO),
    (error) => error instanceof BadRequestError && /Invalid schema/.test(error.message),
  )
  assert.equal(schema.relay.usage('t').trouble, null)
  await using setting = await stage(refuse("Unsupported parameter: 'temperature' is not supported with this model."))
  await assert.rejects(setting.client('t').chat.completions.create(HELLO))
  assert.equal(setting.relay.usage('t').trouble?.infra_class, 'harness_error')
})

test('retry-after is honoured, and one that asks for too long ends the call', async () => {
  const limited =
    (seconds: string): Script =>
    (call, response) => {
      if (call > 0) return answer(response)
      response.writeHead(429, { 'retry-after': seconds })
      response.end('{}')
    }
  await using soon = await stage(limited('0.3'))
  const started = performance.now()
  await soon.client('t').chat.completions.create(HELLO)
  assert.ok(performance.now() - started >= 290)
  await using late = await stage(limited('3600'))
  await assert.rejects(late.client('t').chat.completions.create(HELLO))
  assert.equal(late.seen.length, 1)
})

test('caps on calls, tokens and money end the trial or the run with class budget', async () => {
  const prices = { m: { input: 1000, output: 1000 } }
  for (const cap of [{ calls: 2 }, { tokens: 200 }, { cost_usd: 0.2 }]) {
    await using on = await stage((_call, response) => answer(response), { prices, caps: { trial: cap } })
    const client = on.client('t')
    await client.chat.completions.create(HELLO)
    await client.chat.completions.create(HELLO)
    await assert.rejects(client.chat.completions.create(HELLO), (error) => error instanceof APIError && error.code === 'budget')
    assert.equal(on.relay.usage('t').trouble?.infra_class, 'budget')
    assert.equal(on.seen.length, 2)
    await on.client('other').chat.completions.create(HELLO)
  }
  await using run = await stage((_call, response) => answer(response), { caps: { run: { calls: 1 } } })
  await run.client('a').chat.completions.create(HELLO)
  await assert.rejects(run.client('b').chat.completions.create(HELLO), /The run used its 1 model calls/)
})

test('an agent that gave up on a hanging service was let down by it; one that gave up at once was not', async () => {
  await using on = await stage(() => undefined)
  const url = on.relay.baseUrlFor('t')
  const stop = new AbortController()
  const call = fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(HELLO), signal: stop.signal }).catch(() => null)
  while (on.seen.length === 0) await delay(5)
  await delay(5)
  stop.abort()
  await call
  // The relay has noticed once the call's time is counted.
  while (on.relay.usage('t').model_ms === 0) await delay(5)
  assert.equal(on.relay.usage('t').trouble, null, 'that was no hang')

  const again = fetch(`${on.relay.baseUrlFor('w')}/chat/completions`, { method: 'POST', body: JSON.stringify(HELLO) }).catch(() => null)
  while (on.relay.usage('w').trouble === null) await delay(50)
  assert.match(on.relay.usage('w').trouble?.detail ?? '', /had not answered after \d+(?:\.\d)? s when the agent gave up/)
  await on.relay.close()
  await again
})

test('only the right address works, and only for what an agent needs', async () => {
  await using on = await stage((_call, response) => answer(response))
  const url = on.relay.baseUrlFor('t')
  const post = async (address: string): Promise<number> => (await fetch(address, { method: 'POST', body: JSON.stringify(HELLO) })).status
  assert.equal(await post(`${url}/chat/completions`), 200)
  assert.equal(await post(url.replace(/\/t\/[^/]+/, '/t/guess') + '/chat/completions'), 404)
  assert.equal(await post(`${url}/files`), 404)
  assert.equal(await post(`${new URL(url).origin}/v1/chat/completions`), 404)
  assert.equal((await fetch(`${url}/chat/completions`, { method: 'POST', body: 'no json' })).status, 400)
  assert.equal((await fetch(`${url}/models`)).status, 200)
  assert.equal(on.seen.length, 1)
  on.relay.baseUrlFor('t')
  assert.equal(await post(`${url}/chat/completions`), 404, 'a new account closes the old address')
})

test('no more requests at once than allowed', async () => {
  const open: ServerResponse[] = []
  let most = 0
  // Answers only when the relay has brought as many as it may.
  await using on = await stage(
    (_call, response) => {
      open.push(response)
      most = Math.max(most, open.length)
      if (open.length === 4) for (const held of open.splice(0)) answer(held)
    },
    { maxConcurrency: 4 },
  )
  const client = on.client('t')
  await Promise.all(Array.from({ length: 12 }, async () => client.chat.completions.create(HELLO)))
  assert.equal(most, 4)
})

test('half as many at once after a 429, and one more after as many answers as there are places', async () => {
  const limit = new AdaptiveLimit(4)
  let now = 0
  const finish: (() => void)[] = []
  const jobs = Array.from({ length: 9 }, () =>
    limit.run(async () => {
      now += 1
      await new Promise<void>((resolve) => finish.push(resolve))
      now -= 1
    }),
  )
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  const end = async (count: number): Promise<void> => {
    for (const one of finish.splice(0, count)) one()
    await settle()
  }
  await settle()
  assert.deepEqual([now, limit.places], [4, 4])
  limit.rateLimited()
  await end(2)
  assert.deepEqual([now, limit.places], [2, 2], 'places that ended are not filled again')
  await end(1)
  assert.equal(now, 2)
  limit.answered()
  limit.answered()
  await settle()
  assert.deepEqual([now, limit.places], [3, 3])
  while (finish.length > 0) await end(1)
  await Promise.all(jobs)
  assert.equal(now, 0)
})

test('a service that quotes the key in its error does not bring it into the cause of the trouble', async () => {
  await using on = await stage((_call, response, seen) => {
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${seen.headers.authorization}` } }))
  })
  await assert.rejects(on.client('t').chat.completions.create(HELLO), (error) => error instanceof Error && !error.message.includes(KEY))
  assert.match(on.relay.usage('t').trouble?.detail ?? '', /refused the API key.*\[redacted\]/)
})

test('what merely looks like a credential in the model’s words is left as it is', async () => {
  const text = 'Put sk-example-0123456789abcdef into the form.'
  await using on = await stage((_call, response) => answer(response, text))
  assert.equal((await on.client('t').chat.completions.create(HELLO)).choices[0]?.message.content, text)
})
