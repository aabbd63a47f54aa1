// An adapter for `agent: command`: a small tool loop with nothing but Node's own modules (Node 18 or newer).
//   agent-command: node examples/adapters/node/adapter.mjs
// Protocol: docs/agent-protocol.md. Write the loop of your own agent in place of `converse`.
import { createInterface } from 'node:readline'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const receive = async () => JSON.parse((await lines.next()).value)
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

send({ type: 'hello', protocol: 'genui-eval/agent@1', name: 'example-node', version: '1' })
const start = await receive()
try {
  send({ type: 'done', final_text: await converse(start) })
} catch (error) {
  send({ type: 'error', cause: error.cause === 'model' ? 'model' : 'agent', detail: error.message })
}
process.exit(0)

async function converse({ user_prompt, history, tools, skills, model, base_url, seed, limits }) {
  const system = ['You are a helpful assistant.', ...skills.map((skill) => skill.text)].join('\n\n')
  const messages = [{ role: 'system', content: system }, ...history, { role: 'user', content: user_prompt }]
  for (const { role, content } of [messages[0], messages.at(-1)]) send({ type: 'message', role, content })
  for (let call = 0; call < limits.model_calls; call += 1) {
    const reply = await ask({ model, base_url, seed, tools, messages })
    messages.push(reply)
    const calls = (reply.tool_calls ?? []).map((made) => ({ id: made.id, name: made.function.name, arguments: made.function.arguments }))
    send({ type: 'message', role: 'assistant', content: reply.content ?? '', ...(calls.length > 0 ? { tool_calls: calls } : {}) })
    if (calls.length === 0) return reply.content ?? ''
    for (const made of calls) {
      send({ type: 'tool_call', ...made })
      const { result } = await receive()
      messages.push({ role: 'tool', tool_call_id: made.id, content: result })
    }
  }
  throw new Error(`no answer within ${limits.model_calls} model calls`)
}

async function ask({ model, base_url, seed, tools, messages }) {
  const response = await fetch(`${base_url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify({
      model: model.name,
      messages,
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      seed,
      ...(model.temperature === null ? {} : { temperature: model.temperature }),
      ...(model.max_tokens === null ? {} : { max_tokens: model.max_tokens }),
      ...(model.effort === null ? {} : { reasoning_effort: model.effort }),
    }),
  })
  if (!response.ok) throw new Error(`model call failed: ${response.status} ${await response.text()}`, { cause: 'model' })
  return (await response.json()).choices[0].message
}
