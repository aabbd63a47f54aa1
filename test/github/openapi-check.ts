// Checks requests and answers against the subset of GitHub's own OpenAPI description, and makes the smallest valid answers from it.
import { readFileSync } from 'node:fs'
import * as formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { asList, asObject, asText, at, isObject, parseJson, type Json, type JsonObject } from './json.ts'

/** One operation that GitHub describes, matched to a request. */
export interface MatchedOperation {
  readonly id: string
  readonly params: Readonly<Record<string, string>>
  readonly description: JsonObject
}

export interface OpenApi {
  match(method: string, pathname: string): MatchedOperation | null
  /** What is wrong with a request, one sentence each. */
  requestProblems(operation: MatchedOperation, query: URLSearchParams, body: Json | undefined): readonly string[]
  /** What is wrong with an answer; statuses from 400 up need not be described, since a test may inject any. */
  responseProblems(operation: MatchedOperation, status: number, body: Json | undefined): readonly string[]
  /** Smallest valid instance of `#/components/schemas/NAME`, with fields replaced. */
  sample(name: string, fields: JsonObject): JsonObject
}

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly description: JsonObject
}

const NOT_AJV = new Set(['nullable', 'example', 'examples', 'xml', 'discriminator', 'externalDocs', 'deprecated'])

/** OpenAPI 3.0 schema → JSON Schema 2020-12. */
function toJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (!isObject(value)) return value
  const ref = value['$ref']
  if (typeof ref === 'string') return { $ref: ref.replace('#/', 'github#/') }
  const out: Record<string, Json> = {}
  for (const [key, inner] of Object.entries(value)) {
    if (NOT_AJV.has(key)) continue
    if (key === 'properties')
      out[key] = Object.fromEntries(Object.entries(asObject(inner)).map(([name, schema]) => [name, toJsonSchema(schema)]))
    else out[key] = ['enum', 'default', 'required'].includes(key) ? inner : toJsonSchema(inner)
  }
  if (value['nullable'] !== true) return out
  if (Array.isArray(out['enum'])) out['enum'] = [...out['enum'], null]
  if (typeof out['type'] === 'string') return { ...out, type: [out['type'], 'null'] }
  return { anyOf: [out, { type: 'null' }] }
}

export function loadOpenApi(file: URL): OpenApi {
  const spec = asObject(parseJson(readFileSync(file, 'utf8')))
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, unicodeRegExp: false, logger: false })
  formats.default.default(ajv)
  for (const name of ['repo.nwo', 'ssh-key', 'timestamp', 'permission-set', 'decimal']) ajv.addFormat(name, true)
  ajv.addSchema({ $id: 'github', components: toJsonSchema(spec['components'] ?? {}) })
  const compiled = new Map<string, ValidateFunction>()

  const check = (key: string, schema: Json, value: Json | undefined): readonly string[] => {
    const validate = compiled.get(key) ?? ajv.compile(asObject(toJsonSchema(schema)))
    compiled.set(key, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? ''} ${JSON.stringify(error.params)}`)
  }
  const resolve = (value: Json | undefined): JsonObject => {
    const ref = asObject(value)['$ref']
    return typeof ref === 'string' ? resolve(at(spec, ...ref.slice(2).split('/'))) : asObject(value)
  }
  // longer paths first, for a ref or path may hold slashes and would swallow them
  const paths = Object.entries(asObject(spec['paths'])).sort(([a], [b]) => b.split('/').length - a.split('/').length)
  const routes: readonly Route[] = paths.flatMap(([path, item]) =>
    Object.entries(asObject(item))
      .filter(([method]) => method !== 'parameters')
      .map(([method, description]) => ({
        method: method.toUpperCase(),
        // octokit sends the slashes of a path or ref encoded or not
        pattern: new RegExp(
          `^${path.replace(/\{(\w+)\}/g, (_, name: string) => (/^(path|ref)$/.test(name) ? `(?<${name}>.+?)` : `(?<${name}>[^/]+)`))}$`,
        ),
        description: asObject(description),
      })),
  )

  return {
    match(method, pathname) {
      for (const route of routes) {
        const groups = route.method === method ? route.pattern.exec(pathname)?.groups : undefined
        if (groups === undefined) continue
        const params = Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
        return { id: asText(route.description['operationId']), params, description: route.description }
      }
      return null
    },
    requestProblems(operation, query, body) {
      const problems: string[] = []
      const known = new Set<string>()
      for (const parameter of asList(operation.description['parameters']).map(resolve)) {
        const [name, where] = [asText(parameter['name']), asText(parameter['in'])]
        if (where === 'query') known.add(name)
        const value = where === 'path' ? operation.params[name] : where === 'query' ? query.get(name) : null
        if (value === null || value === undefined) {
          if (parameter['required'] === true && where !== 'header') problems.push(`${where} ${name} is required`)
          continue
        }
        const schema = resolve(parameter['schema'])
        const typed = schema['type'] === 'integer' ? Number(value) : schema['type'] === 'boolean' ? value === 'true' : value
        problems.push(...check(`${operation.id} ${where} ${name}`, schema, typed).map((problem) => `${where} ${name} ${problem}`))
      }
      for (const name of query.keys()) if (!known.has(name)) problems.push(`query ${name} is not described`)
      const described = at(operation.description, 'requestBody', 'content', 'application/json', 'schema')
      if (described === undefined) return body === undefined ? problems : [...problems, 'a body is not described']
      if (body === undefined)
        return at(operation.description, 'requestBody', 'required') === true ? [...problems, 'a body is required'] : problems
      const unknown = Object.keys(asObject(body)).filter((key) => !knownProperties(resolve(described), resolve).has(key))
      return [...problems, ...check(`${operation.id} body`, described, body), ...unknown.map((key) => `body ${key} is not described`)]
    },
    responseProblems(operation, status, body) {
      const described = at(operation.description, 'responses', String(status))
      if (described === undefined) return status >= 400 ? [] : [`status ${status} is not described`]
      const schema = at(resolve(described), 'content', 'application/json', 'schema')
      return schema === undefined || status >= 400 ? [] : check(`${operation.id} ${status}`, schema, body)
    },
    sample(name, fields) {
      return { ...asObject(smallest(at(spec, 'components', 'schemas', name) ?? {}, resolve)), ...fields }
    },
  }
}

function knownProperties(schema: JsonObject, resolve: (value: Json | undefined) => JsonObject): ReadonlySet<string> {
  const parts = [...asList(schema['oneOf']), ...asList(schema['anyOf']), ...asList(schema['allOf'])].map(resolve)
  return new Set([...Object.keys(asObject(schema['properties'])), ...parts.flatMap((part) => [...knownProperties(part, resolve)])])
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uri: 'https://github.localhost/x',
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  email: 'nobody@example.com',
}

/** The smallest instance of a schema: required properties only, empty lists, null where allowed. */
function smallest(value: Json, resolve: (value: Json | undefined) => JsonObject): Json {
  const schema = resolve(value)
  if (schema['nullable'] === true) return null
  const choice = asList(schema['enum'])[0]
  if (choice !== undefined) return choice
  const all = asList(schema['allOf'])
  if (all.length > 0) return Object.fromEntries(all.flatMap((part) => Object.entries(asObject(smallest(part, resolve)))))
  const one = asList(schema['oneOf'])[0] ?? asList(schema['anyOf'])[0]
  if (one !== undefined && schema['properties'] === undefined) return smallest(one, resolve)
  switch (asText(schema['type'])) {
    case 'string':
      return BY_FORMAT[asText(schema['format'])] ?? 'x'.repeat(Number(schema['minLength'] ?? 1))
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1)
    case 'boolean':
      return false
    case 'array':
      return []
    default: {
      const properties = asObject(schema['properties'])
      return Object.fromEntries(asList(schema['required']).map((name) => [asText(name), smallest(properties[asText(name)] ?? {}, resolve)]))
    }
  }
}
