import type { Usage } from './chat-wire.ts'
import { type Conversation, contentText, type Fields, fieldsIn, isFields, type Move, textOf, type Turn } from './conversation.ts'

/** Reads a Responses request (stateless: the whole input is sent each time). */
export function readResponsesRequest(body: Fields): Conversation {
  const items: readonly Fields[] = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : fieldsIn(body['input'])
  const isInstruction = (item: Fields): boolean => item['role'] === 'system' || item['role'] === 'developer'
  const metadata = isFields(body['metadata']) ? body['metadata'] : {}
  const seed = Number(body['seed'] ?? metadata['seed'] ?? Number.NaN)
  return {
    model: textOf(body['model']),
    seed: Number.isFinite(seed) ? seed : null,
    instructions: [textOf(body['instructions']), ...items.filter(isInstruction).map((item) => contentText(item['content']))],
    turns: items.filter((item) => !isInstruction(item)).flatMap(readItem),
    tools: fieldsIn(body['tools'])
      .filter((tool) => tool['type'] === 'function')
      .map((tool) => ({
        name: textOf(tool['name']),
        description: textOf(tool['description']),
        parameters: isFields(tool['parameters']) ? tool['parameters'] : {},
      })),
  }
}

function readItem(item: Fields): Turn[] {
  if (item['type'] === 'function_call') {
    const call = { id: textOf(item['call_id']), name: textOf(item['name']), arguments: textOf(item['arguments']) }
    return [{ by: 'model', text: '', calls: [call] }]
  }
  if (item['type'] === 'function_call_output') return [{ by: 'tool', call_id: textOf(item['call_id']), text: contentText(item['output']) }]
  if (item['role'] === 'assistant') return [{ by: 'model', text: contentText(item['content']), calls: [] }]
  return item['role'] === 'user' ? [{ by: 'user', text: contentText(item['content']) }] : []
}

export function responsesBody(move: Move, id: string, model: string, usage: Usage): Fields {
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model,
    output: outputItems(move, id),
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
}

function outputItems(move: Move, id: string): readonly Fields[] {
  const tail = id.slice(-8)
  if (move.kind === 'text') {
    const content = [{ type: 'output_text', text: move.text, annotations: [] }]
    return [{ type: 'message', id: `msg_${tail}`, role: 'assistant', status: 'completed', content }]
  }
  return move.calls.map((call, index) => ({
    type: 'function_call',
    id: `fc_${tail}_${index}`,
    call_id: `call_${tail}_${index}`,
    name: call.name,
    arguments: JSON.stringify(call.args),
    status: 'completed',
  }))
}

/** The answer as stream events, each with its `type`. */
export function responsesEvents(move: Move, id: string, model: string, usage: Usage): readonly Fields[] {
  const body = responsesBody(move, id, model, usage)
  const items = fieldsIn(body['output'])
  const events: Fields[] = [{ type: 'response.created', response: { ...body, status: 'in_progress', output: [], usage: null } }]
  for (const [index, item] of items.entries()) {
    const place = { output_index: index, item_id: item['id'] }
    if (item['type'] === 'message') {
      const part = { type: 'output_text', text: '', annotations: [] }
      const text = move.kind === 'text' ? move.text : ''
      events.push(
        { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, content_index: 0, part },
        { type: 'response.output_text.delta', ...place, content_index: 0, delta: text, logprobs: [] },
        { type: 'response.output_text.done', ...place, content_index: 0, text, logprobs: [] },
        { type: 'response.content_part.done', ...place, content_index: 0, part: { ...part, text } },
      )
    } else {
      events.push(
        { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress', arguments: '' } },
        { type: 'response.function_call_arguments.delta', ...place, delta: item['arguments'] },
        { type: 'response.function_call_arguments.done', ...place, arguments: item['arguments'] },
      )
    }
    events.push({ type: 'response.output_item.done', output_index: index, item })
  }
  events.push({ type: 'response.completed', response: body })
  return events.map((event, number) => ({ ...event, sequence_number: number }))
}
