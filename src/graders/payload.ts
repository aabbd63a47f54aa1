import { Ajv, type ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { UserError } from '../model/errors.ts'
import { shown } from './check.ts'

/** One reason why a payload does not satisfy the schema. */
export interface PayloadError {
  /** JSON path, `$` for the payload itself. */
  readonly path: string
  readonly expected: string
  readonly got: string
}

export interface PayloadSchema {
  readonly accepts: (payload: unknown) => boolean
  /** Empty when the payload is valid. */
  readonly errors: (payload: unknown) => readonly PayloadError[]
}

const compiled = new WeakMap<object, PayloadSchema>()

/**
 * Compiles `expected_callback_schema` (draft 2020-12, or draft-07 where `$schema` says so; formats are enforced). Compiled once a schema object.
 * @throws UserError when it is no JSON Schema
 */
export function compilePayloadSchema(schema: Readonly<Record<string, unknown>>): PayloadSchema {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compile(schema)
  compiled.set(schema, made)
  return made
}

function compile(schema: Readonly<Record<string, unknown>>): PayloadSchema {
  const options = { strict: false, allErrors: true, verbose: true, logger: false } as const
  const ajv = /draft-0[67]/u.test(typeof schema['$schema'] === 'string' ? schema['$schema'] : '') ? new Ajv(options) : new Ajv2020(options)
  ajvFormats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    return {
      accepts: (payload) => validate(payload),
      errors: (payload) => (validate(payload) ? [] : (validate.errors ?? []).map(payloadError)),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError([{ where: 'expected_callback_schema', at: '', message: `is no usable JSON Schema: ${reason}` }])
  }
}

function payloadError(error: ErrorObject): PayloadError {
  const path = jsonPath(error.instancePath)
  if (error.keyword === 'required') {
    const { missingProperty } = error.params
    const keys = typeof error.data === 'object' && error.data !== null ? Object.keys(error.data) : []
    return {
      path: `${path}.${String(missingProperty)}`,
      expected: 'this required field',
      got: keys.length === 0 ? 'no fields' : `only ${keys.join(', ')}`,
    }
  }
  const expected =
    error.keyword === 'type'
      ? `type ${[error.schema].flat().join(' or ')}`
      : error.keyword === 'enum'
        ? `one of ${shown(error.schema)}`
        : (error.message ?? error.keyword)
  return { path, expected, got: `${kindOf(error.data)} ${shown(error.data, 120)}` }
}

function jsonPath(pointer: string): string {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce(
    (path, key) => (/^\d+$/u.test(key) ? `${path}[${key}]` : /^[\w$]+$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`),
    '$',
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
