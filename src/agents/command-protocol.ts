import type { TypeOf } from '../model/schema.ts'

/** Version that both sides name; raised when a message changes its meaning. */
export const COMMAND_PROTOCOL = 'genui-eval/agent@1'

const text = { type: 'string' } as const
const toolCalls = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'name', 'arguments'],
    additionalProperties: false,
    properties: { id: text, name: text, arguments: { type: 'string', description: 'JSON text, exactly as the model wrote it' } },
  },
} as const

/** One message from the adapter to the harness: one JSON object a line on the adapter's stdout. */
export const adapterMessageSchema = {
  $id: 'https://genui-eval.dev/schemas/agent-adapter-1.json',
  title: 'genui-eval agent protocol: adapter to harness',
  type: 'object',
  oneOf: [
    {
      title: 'First message: who the adapter is',
      required: ['type', 'protocol', 'name', 'version'],
      additionalProperties: false,
      properties: { type: { const: 'hello' }, protocol: { const: COMMAND_PROTOCOL }, name: text, version: text },
    },
    {
      title: 'Run one of the offered tools; the harness answers with tool_result',
      required: ['type', 'id', 'name', 'arguments'],
      additionalProperties: false,
      properties: {
        type: { const: 'tool_call' },
        id: text,
        name: text,
        arguments: { type: 'string', description: 'JSON text of the arguments object' },
      },
    },
    {
      title: 'A tool that the adapter ran itself',
      required: ['type', 'id', 'name', 'arguments', 'result', 'status'],
      additionalProperties: false,
      properties: {
        type: { const: 'tool_report' },
        id: text,
        name: text,
        arguments: text,
        result: text,
        status: { enum: ['ok', 'error'] },
        ms: { type: 'number', minimum: 0 },
      },
    },
    {
      title: 'A message for the transcript; results of tool_call need none',
      required: ['type', 'role', 'content'],
      additionalProperties: false,
      properties: { type: { const: 'message' }, role: { enum: ['system', 'user', 'assistant'] }, content: text, tool_calls: toolCalls },
    },
    {
      title: 'Last message: the agent has answered',
      required: ['type', 'final_text'],
      additionalProperties: false,
      properties: { type: { const: 'done' }, final_text: text, versions: { type: 'object', additionalProperties: text } },
    },
    {
      title: 'Last message: the agent could not go on',
      required: ['type', 'cause', 'detail'],
      additionalProperties: false,
      properties: {
        type: { const: 'error' },
        cause: {
          enum: ['agent', 'plugin', 'model', 'setup'],
          description: 'model and setup are never graded; agent and plugin fail the trial',
        },
        detail: { type: 'string', minLength: 1 },
      },
    },
  ],
} as const
export type AdapterMessage = TypeOf<typeof adapterMessageSchema>

/** One message from the harness to the adapter: one JSON object a line on the adapter's stdin. */
export const harnessMessageSchema = {
  $id: 'https://genui-eval.dev/schemas/agent-harness-1.json',
  title: 'genui-eval agent protocol: harness to adapter',
  type: 'object',
  oneOf: [
    {
      title: 'The trial; sent once, at the start',
      required: ['type', 'protocol', 'user_prompt', 'history', 'tools', 'skills', 'plugin_folder', 'model', 'base_url', 'seed', 'limits'],
      additionalProperties: false,
      properties: {
        type: { const: 'start' },
        protocol: { const: COMMAND_PROTOCOL },
        user_prompt: text,
        history: { type: 'array', items: { type: 'object' }, description: 'Earlier turns in Chat Completions form; usually empty' },
        tools: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'description', 'parameters'],
            additionalProperties: false,
            properties: { name: text, description: text, parameters: { type: 'object' } },
          },
        },
        skills: {
          type: 'array',
          items: { type: 'object', required: ['name', 'text'], additionalProperties: false, properties: { name: text, text } },
        },
        plugin_folder: text,
        model: {
          type: 'object',
          required: ['name', 'temperature', 'max_tokens', 'effort'],
          additionalProperties: false,
          properties: {
            name: text,
            temperature: { type: ['number', 'null'] },
            max_tokens: { type: ['integer', 'null'] },
            effort: { type: ['string', 'null'] },
          },
        },
        base_url: { type: 'string', description: 'Model endpoint of this trial, ending in /v1; any API key is accepted' },
        seed: { type: 'integer' },
        limits: {
          type: 'object',
          required: ['wall_seconds', 'model_calls'],
          additionalProperties: false,
          properties: { wall_seconds: { type: 'number' }, model_calls: { type: 'integer' } },
        },
      },
    },
    {
      title: 'Answer to tool_call',
      required: ['type', 'id', 'result', 'status'],
      additionalProperties: false,
      properties: { type: { const: 'tool_result' }, id: text, result: text, status: { enum: ['ok', 'error'] } },
    },
  ],
} as const
export type HarnessMessage = TypeOf<typeof harnessMessageSchema>
