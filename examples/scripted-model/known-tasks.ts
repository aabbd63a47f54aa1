import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fields, fieldsIn, isFields, textOf } from './conversation.ts'

/** What the model is able to write for one prompt. */
export interface KnownTask {
  readonly id: string
  readonly prompt: string
  /** Whether a good answer is an app. */
  readonly app: boolean
  readonly archetype: string
  /** A good answer: HTML of the app, or the text. */
  readonly good: string
  /** Data that tools hold for this prompt. */
  readonly lookups: readonly { readonly tool: string; readonly args: Fields; readonly output: string }[]
  /** Strings that a grounded app shows. */
  readonly facts: readonly string[]
  /** Plausible wrong answers. */
  readonly mistakes: readonly { readonly content: string; readonly app: boolean; readonly fails: string }[]
}

/** Reads the task folders: the scripted model stands for one that is able to write these apps. */
export async function readKnownTasks(folder: string): Promise<readonly KnownTask[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const tasks = await Promise.all(names.sort().map(async (name) => readKnownTask(join(folder, name))))
  return tasks.filter((task) => task !== null)
}

async function readKnownTask(folder: string): Promise<KnownTask | null> {
  const text = await readFile(join(folder, 'task.json'), 'utf8').catch(() => null)
  const row = text === null ? null : (JSON.parse(text) as unknown)
  if (!isFields(row)) return null
  const good = await readFile(join(folder, textOf(row['reference_solution']) || 'reference.html'), 'utf8').catch(() => '')
  const assertions = isFields(row['outcome_dom_assertions']) ? row['outcome_dom_assertions'] : {}
  return {
    id: textOf(row['task_id']),
    prompt: textOf(row['user_prompt']),
    app: row['expected_tool_trigger'] === true,
    archetype: strings(row['acceptable_ui_archetypes'])[0] ?? 'interactive_simulator',
    good,
    lookups: fieldsIn(row['mock_tool_context']).map((mock) => ({
      tool: textOf(mock['tool']),
      args: isFields(mock['args']) ? mock['args'] : {},
      output: textOf(mock['output']),
    })),
    facts: strings(assertions['must_contain_strings']),
    mistakes: await readMistakes(folder, fieldsIn(row['traps'])),
  }
}

async function readMistakes(folder: string, traps: readonly Fields[]): Promise<KnownTask['mistakes']> {
  const mistakes = traps.map(async (trap) => {
    const file = textOf(trap['file'])
    const content = await readFile(join(folder, 'traps', file), 'utf8').catch(() => null)
    return content === null ? null : { content, app: file.endsWith('.html'), fails: textOf(trap['fails']) }
  })
  return (await Promise.all(mistakes)).filter((mistake) => mistake !== null)
}

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [])
