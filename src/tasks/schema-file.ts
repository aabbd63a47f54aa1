import { taskSchema } from '../model/task.ts'

/** The text of the published `task.schema.json`, which task files point at by `$schema`. */
export function taskSchemaText(): string {
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...taskSchema }, null, 2)}\n`
}
