import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../src/model/errors.ts'
import { type AskedBody, refuses, type Reply, says, startEndpoint, verdict } from './endpoint.ts'
import { ask, judgeAt, MATERIAL, QUOTE, SETTINGS, textOf } from './question.ts'
import { judgeBehindRelay } from './relayed-judge.ts'

/** A service that declines a parameter in its own words. */
const declining =
  (parameter: 'response_format' | 'seed' | 'temperature', message: string, status = 400) =>
  (body: AskedBody): Reply =>
    parameter in body ? refuses(message, status) : says(verdict('PASS', QUOTE))

test('the service is asked for exactly the form, strictly', async () => {
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  await ask(judgeAt(endpoint.baseUrl))
  const [body] = endpoint.asked
  assert.equal(body?.temperature, 0)
  assert.equal(body.response_format?.json_schema.strict, true)
  assert.deepEqual(body.response_format.json_schema.schema['required'], ['evidence', 'reason', 'verdict'])
  assert.equal(body.response_format.json_schema.schema['additionalProperties'], false)
})

test('a service without structured output is asked in words, which is remembered', async () => {
  const refusals: [string, number][] = [
    ["Unsupported parameter: 'response_format' is not supported with this model.", 400],
    ['This response_format type is unavailable now', 400],
    ['Extra inputs are not permitted: body.response_format', 422],
    ['Structured outputs are not supported by this model', 400],
    ["'json_schema' is not one of ['text', 'json_object']", 400],
  ]
  for (const [message, status] of refusals) {
    await using endpoint = await startEndpoint(declining('response_format', message, status))
    const judge = judgeAt(endpoint.baseUrl)
    assert.equal((await ask(judge)).answers[0]?.verdict, 'PASS', message)
    assert.equal((await ask(judge)).answers[0]?.verdict, 'PASS')
    assert.deepEqual(
      endpoint.asked.map((body) => 'response_format' in body),
      [true, false, false],
    )
    assert.match(textOf(endpoint.asked[1] ?? { messages: [] }), /exactly one JSON object/)
  }
})

test('the fallback is as strict as the form', async () => {
  for (const content of ['PASS', `Sure: ${verdict('PASS', QUOTE)}`, verdict('pass', QUOTE)]) {
    await using endpoint = await startEndpoint((body) => ('response_format' in body ? refuses('response_format') : says(content)))
    const result = await ask(judgeAt(endpoint.baseUrl))
    assert.equal(result.status === 'infra' && result.infra_class, 'judge_error')
  }
})

test('behind the relay, a parameter that the service declines costs no trial and no count', async () => {
  for (const [parameter, message] of [
    ['response_format', "Unsupported parameter: 'response_format'"],
    ['response_format', 'Unknown parameter: response_format; the model json_schema is not available'],
    ['seed', 'Unsupported parameter: seed'],
    ['temperature', "Unsupported value: 'temperature' does not support 0 with this model."],
  ] as const) {
    await using endpoint = await startEndpoint(declining(parameter, message))
    await using relayed = await judgeBehindRelay(endpoint.baseUrl)
    const { judge } = relayed
    const first = await ask(judge, { account: 'first' })
    assert.equal(first.answers[0]?.verdict, 'PASS', message)
    assert.equal(first.usage.model_calls, 2)
    assert.deepEqual([first.usage.tokens.input, first.usage.tokens.output], [50, 9])
    const second = await ask(judge, { account: 'second' })
    assert.equal(second.usage.model_calls, 1)
  }
})

test("a setting that the service does not take is the judge's error and names it", async () => {
  await using endpoint = await startEndpoint(() => refuses("Unknown parameter: 'reasoning_effort'"))
  await using relayed = await judgeBehindRelay(endpoint.baseUrl)
  const { judge } = relayed
  const result = await ask(judge)
  assert.equal(result.status === 'infra' && result.infra_class, 'judge_error')
  assert.match(result.status === 'infra' ? result.detail : '', /reasoning_effort/)
  assert.equal(endpoint.asked.length, 1)
})

test("the relay's classes of trouble stay: no money, no calls left, nobody there", async () => {
  await using paid = await startEndpoint(() => refuses('insufficient_quota', 429))
  await using fine = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const classOf = async (upstream: string, calls: number | null): Promise<unknown> => {
    await using relayed = await judgeBehindRelay(upstream, { votes: 3 }, calls)
    const result = await ask(relayed.judge)
    assert.deepEqual(result.answers, [])
    return result.status === 'infra' && result.infra_class
  }
  assert.equal(await classOf(paid.baseUrl, null), 'quota')
  assert.equal(await classOf(fine.baseUrl, 1), 'budget')
  assert.equal(await classOf('http://127.0.0.1:9/v1', null), 'model_unavailable')
})

test('screenshots are sent as pictures, a stated number at most, and only where allowed', async () => {
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const screenshots = Array.from({ length: 20 }, (_, index) => ({ name: `state-${index}.png`, png: Uint8Array.of(137, 80, 78, 71, index) }))
  const material = { ...MATERIAL, screenshots }
  await ask(judgeAt(endpoint.baseUrl), { material })
  await ask(judgeAt(endpoint.baseUrl, { screenshots: false }), { material })
  await ask(judgeAt(endpoint.baseUrl, { token_budget: 4000 }), { material })
  const urls = endpoint.asked.map((body) =>
    [...JSON.stringify(body).matchAll(/"url":"data:image\/png;base64,([^"]+)"/g)].map(([, data = '']) => data),
  )
  assert.deepEqual(
    urls.map((each) => each.length),
    [6, 0, 1],
  )
  const shown = urls[0]?.map((data) => Buffer.from(data, 'base64').at(-1))
  assert.deepEqual(shown, [0, 4, 8, 11, 15, 19])
  assert.equal(typeof endpoint.asked[1]?.messages[1]?.content, 'string', 'plain text where no picture is shown')
})

test('the fingerprint names all that a verdict depends on', () => {
  const fingerprint = judgeAt('http://127.0.0.1:9/v1', { model: { ...SETTINGS.model, name: 'a;b=c' } }).fingerprint
  assert.equal(
    fingerprint,
    'model=a%3Bb%3Dc;temperature=0;effort=default;max_tokens=800;votes=1;screenshots=true;budget=16000;together=false;prompt=1',
  )
})

test('a budget without room is refused at once', () => {
  for (const token_budget of [0, 3999, Number.NaN]) assert.throws(() => judgeAt('http://127.0.0.1:9/v1', { token_budget }), UserError)
})

test('rubrics that leave no room for material are no verdict', async () => {
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const result = await ask(judgeAt(endpoint.baseUrl, { token_budget: 4000 }), { rubrics: [{ id: 'long', criteria: 'x'.repeat(20_000) }] })
  assert.equal(result.status === 'infra' && result.infra_class, 'judge_error')
  assert.equal(endpoint.asked.length, 0)
})
