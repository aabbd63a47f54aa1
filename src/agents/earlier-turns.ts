import type { AgentRequest } from '../model/agent.ts'
import type { Message } from '../model/transcript.ts'

/**
 * The turns before the prompt under `context_delivery: history`: the mocked calls, already made and answered
 * ("you just fetched these papers" is then true). Empty under `tools`.
 */
export function earlierTurns(request: AgentRequest): readonly Message[] {
  if (request.context_delivery === 'tools' || request.mock_tool_context.length === 0) return []
  const calls = request.mock_tool_context.map((mock, index) => ({
    id: `call_earlier_${index + 1}`,
    name: mock.tool,
    arguments: JSON.stringify(mock.args),
    output: mock.output,
  }))
  return [
    { role: 'user', content: 'Please look this up for me first; I will tell you then what I need.' },
    { role: 'assistant', content: '', tool_calls: calls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text })) },
    ...calls.map(({ id, name, output }) => ({ role: 'tool' as const, tool_call_id: id, name, content: output })),
    { role: 'assistant', content: 'Done, I have the results. What do you need?' },
  ]
}
