import type { JudgeMaterial } from '../model/judge.ts'
import type { PerformedStep } from '../model/outcome.ts'
import type { Block } from './block.ts'
import { stateBlocks } from './state-blocks.ts'
import { visibleCharacters, visibleLine } from './visible-characters.ts'

/** Shares of the room by part of the material. */
const WEIGHTS = {
  user_prompt: 8,
  tool_context: 10,
  tool_calls: 2,
  final_text: 10,
  states: 32,
  steps: 8,
  payloads: 10,
  source: 20,
} as const

/**
 * Everything but the screenshots, in the order of the prompt. What is absent is a block without text.
 * @param mostStates most observed states that are shown
 */
export function materialBlocks(material: JudgeMaterial, mostStates: number): Block[] {
  const block = (part: keyof typeof WEIGHTS, heading: string, text: string): Block => ({
    heading,
    text: visibleCharacters(text),
    weight: WEIGHTS[part],
  })
  const { source } = material
  return [
    block('user_prompt', "The user's prompt", material.user_prompt),
    block('tool_context', 'What the tools of this task answer to the agent', material.tool_context.map(toolLines).join('\n')),
    block('tool_calls', 'Tools that the agent called, in order', material.tool_calls.map(visibleLine).join('\n')),
    block('final_text', "The agent's last words to the user", material.final_text),
    ...(source === null ? [block('source', 'The app (the agent showed none)', '')] : []),
    ...stateBlocks(material.states, mostStates, WEIGHTS.states),
    block('steps', 'Steps done to the app, as a user would', material.steps.map(stepLine).join('\n')),
    block('payloads', 'Payloads that the app sent to the agent, in order', material.payloads.map(asJson).join('\n')),
    ...(source === null ? [] : [block('source', "The app's source, as served", source)]),
  ]
}

function toolLines({ tool, args, output }: JudgeMaterial['tool_context'][number]): string {
  return `${tool} ${asJson(args)}\n${output}`
}

function stepLine(step: PerformedStep): string {
  const at = step.name === '' ? step.target : step.name
  const value = step.value === null ? '' : ` with ${quoted(step.value)}`
  const effects = [
    step.status,
    ...(step.changed === null ? [] : [step.changed ? 'the screen changed' : 'nothing changed']),
    ...(step.sent ? ['a payload was sent'] : []),
  ]
  return `${step.number}. ${visibleLine(step.action)} ${quoted(at)}${value}: ${effects.join(', ')}`
}

/** In one line and in quotes, so that a name cannot pass for the words around it. */
const quoted = (text: string): string => JSON.stringify(visibleLine(text))

const asJson = (value: unknown): string => visibleLine(JSON.stringify(value) ?? 'undefined')
