/** The benchmark's 13 columns and how their cells are written in a row. */
export const COLUMNS = [
  'task_id',
  'suite_type',
  'category',
  'prompt_explicitness',
  'acceptable_ui_archetypes',
  'user_prompt',
  'mock_tool_context',
  'expected_tool_trigger',
  'outcome_dom_assertions',
  'outcome_interaction_steps',
  'expected_callback_schema',
  'model_grader_rubrics',
  'reference_solution',
] as const
export type Column = (typeof COLUMNS)[number]

/** Columns whose cells are JSON, often as a string inside the row. */
const JSON_COLUMNS = new Set<string>([
  'acceptable_ui_archetypes',
  'mock_tool_context',
  'outcome_dom_assertions',
  'outcome_interaction_steps',
  'expected_callback_schema',
  'model_grader_rubrics',
])

export type DatasetRow = Readonly<Record<string, unknown>>

/** A cell, decoded; `cut` when the dataset holds only its beginning. */
export type Cell =
  | { readonly state: 'whole'; readonly value: unknown }
  | { readonly state: 'cut' }
  | { readonly state: 'broken'; readonly reason: string }

const ENDS_WITH_DOTS = /(\.\.\.|…)\s*$/

/** Decodes one cell of a row. `namedAsCut`: the dataset itself says that the cell is truncated. */
export function decodeCell(column: Column, raw: unknown, namedAsCut: boolean): Cell {
  if (namedAsCut) return { state: 'cut' }
  if (JSON_COLUMNS.has(column)) return decodeJson(column, raw)
  if (column === 'expected_tool_trigger') return decodeBoolean(raw)
  if (typeof raw !== 'string')
    return { state: 'broken', reason: `must be text, not ${raw === null || raw === undefined ? 'empty' : typeof raw}` }
  if (column === 'reference_solution' && looksLikeHtml(raw) && ENDS_WITH_DOTS.test(raw)) return { state: 'cut' }
  return { state: 'whole', value: raw }
}

function decodeJson(column: Column, raw: unknown): Cell {
  if (raw === null || raw === undefined || raw === '') {
    return column === 'expected_callback_schema' ? { state: 'whole', value: null } : { state: 'broken', reason: 'is empty' }
  }
  if (typeof raw !== 'string') return { state: 'whole', value: raw }
  try {
    const value: unknown = JSON.parse(raw)
    return { state: 'whole', value }
  } catch (error) {
    if (ENDS_WITH_DOTS.test(raw)) return { state: 'cut' }
    return { state: 'broken', reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function decodeBoolean(raw: unknown): Cell {
  if (typeof raw === 'boolean') return { state: 'whole', value: raw }
  const text = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
  if (text === 'true' || text === 'false') return { state: 'whole', value: text === 'true' }
  return { state: 'broken', reason: 'must be true or false' }
}

function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text)
}

/** A decoded cell as text for formats without nesting (CSV, Parquet): JSON cells become JSON in a string. */
export function encodeCell(column: Column, value: unknown): string {
  return JSON_COLUMNS.has(column) || typeof value !== 'string' ? JSON.stringify(value) : value
}
