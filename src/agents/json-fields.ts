/** A decoded JSON object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object, else an empty one. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The field's text; '' when it is none. */
export function textField(fields: Fields, key: string): string {
  const value = fields[key]
  return typeof value === 'string' ? value : ''
}

/** Decoded JSON; undefined when the text is none. */
export function decodeJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
