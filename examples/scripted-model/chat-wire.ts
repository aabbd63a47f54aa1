import { type Conversation, contentText, type Fields, fieldsIn, isFields, type Move, textOf, type Turn } from './conversation.ts'

export interface Usage {
  readonly input: number
  readonly output: number
}

/** Reads a Chat Completions request. */
export function readChatRequest(body: Fields): Conversation {
  const messages = fieldsIn(body['messages'])
  const isInstruction = (message: Fields): boolean => message['role'] === 'system' || message['role'] === 'developer'
  return {
    model: textOf(body['model']),
    seed: typeof body['seed'] === 'number' ? body['seed'] : null,
    instructions: messages.filter(isInstruction).map((message) => contentText(message['content'])),
    turns: messages.filter((message) => !isInstruction(message)).map(readTurn),
    tools: fieldsIn(body['tools'])
      .map((tool) => tool['function'])
      .filter(isFields)
      .map((tool) => ({
        name: textOf(tool['name']),
        description: textOf(tool['description']),
        parameters: isFields(tool['parameters']) ? tool['parameters'] : {},
      })),
  }
}

function readTurn(message: Fields): Turn {
  const text = contentText(message['content'])
  if (message['role'] === 'tool') return { by: 'tool', call_id: textOf(message['tool_call_id']), text }
  if (message['role'] !== 'assistant') return { by: 'user', text }
  const calls = fieldsIn(message['tool_calls']).map((call) => {
    const made = isFields(call['function']) ? call['function'] : {}
    return { id: textOf(call['id']), name: textOf(made['name']), arguments: textOf(made['arguments']) }
  })
  return { by: 'model', text, calls }
}

/** The whole answer as one JSON body. */
export function chatBody(move: Move, id: string, model: string, usage: Usage): Fields {
  const message =
    move.kind === 'text' ? { role: 'assistant', content: move.text } : { role: 'assistant', content: null, tool_calls: wireCalls(move, id) }
  const choice = { index: 0, message, finish_reason: move.kind === 'text' ? 'stop' : 'tool_calls', logprobs: null }
  return { id, object: 'chat.completion', created: CREATED, model, choices: [choice], usage: wireUsage(usage) }
}

/** The answer as stream chunks: text and arguments come in pieces, as services send them. */
export function chatChunks(move: Move, id: string, model: string, usage: Usage | null): readonly Fields[] {
  const chunk = (delta: Fields, finish: string | null = null): Fields => ({
    id,
    object: 'chat.completion.chunk',
    created: CREATED,
    model,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  })
  const pieces =
    move.kind === 'text'
      ? cut(move.text, 40).map((content) => chunk({ content }))
      : wireCalls(move, id).flatMap((call, index) => [
          chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } }] }),
          ...cut(call.function.arguments, 2000).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
        ])
  return [
    chunk({ role: 'assistant', content: move.kind === 'text' ? '' : null }),
    ...pieces,
    chunk({}, move.kind === 'text' ? 'stop' : 'tool_calls'),
    ...(usage === null ? [] : [{ id, object: 'chat.completion.chunk', created: CREATED, model, choices: [], usage: wireUsage(usage) }]),
  ]
}

/** A fixed time: answers to equal requests are equal. */
const CREATED = 1_700_000_000

function wireCalls(move: Extract<Move, { kind: 'calls' }>, id: string) {
  return move.calls.map((call, index) => ({
    id: `call_${id.slice(-8)}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  }))
}

function wireUsage({ input, output }: Usage): Fields {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details: { cached_tokens: 0 } }
}

export function cut(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}
