/** Reading of `expected_callback_schema`, as far as mutants and fakes need it. */

type Schema = Readonly<Record<string, unknown>>

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function requiredFields(schema: Schema | null): string[] {
  const required = schema?.['required']
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

export interface TypedField {
  readonly name: string
  readonly type: string
  readonly itemType: string | null
  readonly required: boolean
}

/** Declared properties with one plain type. */
export function typedFields(schema: Schema | null): TypedField[] {
  const required = new Set(requiredFields(schema))
  return Object.entries(asSchema(schema?.['properties'])).flatMap(([name, property]) => {
    const { type, items } = asSchema(property)
    if (typeof type !== 'string') return []
    const itemType = asSchema(items)['type']
    return [{ name, type, itemType: typeof itemType === 'string' ? itemType : null, required: required.has(name) }]
  })
}

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-05T08:00:00Z',
  date: '2026-01-05',
  time: '08:00:00Z',
  email: 'user@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A small value that satisfies a plain schema: required fields only, shortest arrays, lowest numbers. */
export function exampleOf(value: unknown): unknown {
  const schema = asSchema(value)
  if ('const' in schema) return schema['const']
  const { enum: options, examples, type, format, minLength, minimum, minItems, items, properties } = schema
  if (Array.isArray(options)) return options[0]
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  const kind: unknown = Array.isArray(type) ? type[0] : (type ?? (properties === undefined ? 'string' : 'object'))
  switch (kind) {
    case 'object':
      return Object.fromEntries(requiredFields(schema).map((name) => [name, exampleOf(asSchema(properties)[name])]))
    case 'array':
      return Array.from({ length: Math.max(1, typeof minItems === 'number' ? minItems : 1) }, () => exampleOf(items))
    case 'number':
    case 'integer':
      return typeof minimum === 'number' ? minimum : 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return (
        (typeof format === 'string' ? FORMAT_EXAMPLES[format] : undefined) ??
        'done'.padEnd(typeof minLength === 'number' ? minLength : 0, '.')
      )
  }
}
