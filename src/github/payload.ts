/** A JSON object whose fields are not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object; an empty one when it is something else, so that chains of fields need no tests. */
export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function integer(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}

export function flag(value: unknown): boolean {
  return value === true
}
