import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What a literal harness takes from a row, and the reference app. */
export interface PublishedRow {
  readonly task_id: string
  readonly html: string
  readonly outcome_dom_assertions: {
    readonly must_contain_strings?: readonly string[]
    readonly required_selectors?: readonly string[]
    readonly min_interactive_elements?: number
  }
  readonly outcome_interaction_steps: readonly { readonly action: string; readonly selector: string; readonly value?: string }[]
  readonly expected_callback_schema: object
}

export const TASKS_FOLDER = path.join(import.meta.dirname, '..', '..', 'tasks')

/** The rows that want an app. */
export function publishedRows(): readonly PublishedRow[] {
  return readdirSync(TASKS_FOLDER).flatMap((id) => {
    const folder = path.join(TASKS_FOLDER, id)
    const file = path.join(folder, 'task.json')
    if (!id.includes('_reg_') && !id.includes('_cap_')) return []
    const row = JSON.parse(readFileSync(file, 'utf8')) as Omit<PublishedRow, 'html'> & { expected_tool_trigger: boolean }
    return row.expected_tool_trigger ? [{ ...row, html: readFileSync(path.join(folder, 'reference.html'), 'utf8') }] : []
  })
}
