import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The TypeScript type that a JSON Schema constant describes. Schemas are the source of types: write the schema, derive the type. */
export type TypeOf<S extends JSONSchema> = FromSchema<S>

/** One thing wrong with a file or an input: where it is and what to do about it. */
export interface Problem {
  /** File path or input name. */
  readonly where: string
  /** JSON path, field or line inside it; empty when the whole is meant. */
  readonly at: string
  /** One sentence: what is wrong and what to do. */
  readonly message: string
}
