/** Test-side reading of JSON whose shape the test itself has set up. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The value at a path of keys, undefined when a step is missing. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let current: Json | undefined = value
  for (const key of path) current = typeof key === 'number' ? asList(current)[key] : asObject(current)[key]
  return current
}

export function parseJson(text: string): Json {
  return JSON.parse(text)
}
