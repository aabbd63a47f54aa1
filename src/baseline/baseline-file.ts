import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { baselineSchema, quarantineSchema, type BaselineFile, type QuarantineFile } from '../model/baseline.ts'
import { UserError } from '../model/errors.ts'

let baselineCheck: ValidateFunction<BaselineFile> | undefined
let quarantineCheck: ValidateFunction<QuarantineFile> | undefined

/** A baseline from its text; throws UserError with every problem. `where` names the file in messages. */
export function parseBaselineFile(text: string, where: string): BaselineFile {
  baselineCheck ??= validator().compile<BaselineFile>(baselineSchema)
  const file = parseAs(baselineCheck, text, where, 'baseline')
  const impossible = Object.entries(file.tasks).flatMap(([id, { refreshes }]) =>
    refreshes.flatMap(({ n, c }, i) =>
      c > n ? [{ where, at: `/tasks/${id}/refreshes/${i}`, message: `has more passes (${c}) than trials (${n})` }] : [],
    ),
  )
  if (impossible.length > 0) throw new UserError(impossible)
  return file
}

/** A quarantine list from its text; throws UserError with every problem. */
export function parseQuarantineFile(text: string, where: string): QuarantineFile {
  quarantineCheck ??= validator().compile<QuarantineFile>(quarantineSchema)
  return parseAs(quarantineCheck, text, where, 'quarantine list')
}

function validator(): Ajv {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
  formats.default(ajv)
  return ajv
}

function parseAs<T>(check: ValidateFunction<T>, text: string, where: string, what: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError([{ where, at: '', message: `is no JSON: ${error instanceof Error ? error.message : String(error)}` }])
  }
  if (check(value)) return value
  const problems = (check.errors ?? []).map(({ instancePath: at, message, params }) => {
    const extra: unknown = params['additionalProperty']
    const detail = typeof extra === 'string' ? `unknown key "${extra}"` : (message ?? 'is wrong')
    return { where, at, message: `${detail}; this is no ${what} that this version can read` }
  })
  throw new UserError(problems)
}

/**
 * The text of a baseline: tasks and keys sorted, one line a refresh, so that a refresh adds one line a task and two branches that refresh
 * different tasks merge.
 */
export function formatBaselineFile(file: BaselineFile): string {
  const ids = Object.keys(file.tasks).sort()
  const tasks = ids.map((id) => {
    const task = file.tasks[id] ?? { digest: '', refreshes: [] }
    const lines = task.refreshes.map((refresh) => `        ${spacedJson(sortedKeys(refresh))}`)
    const refreshes = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n      ]`
    return `    ${JSON.stringify(id)}: {\n      "digest": ${JSON.stringify(task.digest)},\n      "refreshes": ${refreshes}\n    }`
  })
  const head = [
    `  "schema": ${JSON.stringify(file.schema)}`,
    ...(file.note === undefined ? [] : [`  "note": ${JSON.stringify(file.note)}`]),
    `  "suite": ${JSON.stringify(file.suite)}`,
    `  "fingerprint": ${JSON.stringify(sortedKeys(file.fingerprint), null, 2).replaceAll('\n', '\n  ')}`,
    `  "tasks": ${tasks.length === 0 ? '{}' : `{\n${tasks.join(',\n')}\n  }`}`,
  ]
  return `{\n${head.join(',\n')}\n}\n`
}

/** Commit, date and counts first, since a reader looks for them; the rest by name. */
const LEADING = ['commit', 'date', 'n', 'c']

function sortedKeys(value: object): Record<string, unknown> {
  const rank = (key: string): string => `${LEADING.includes(key) ? LEADING.indexOf(key) : 9} ${key}`
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
      .map(([key, inner]): [string, unknown] => [key, typeof inner === 'object' && inner !== null ? sortedKeys(inner) : inner]),
  )
}

/** JSON on one line with a space after each colon and comma. */
function spacedJson(value: Record<string, unknown>): string {
  const members = Object.entries(value).map(([key, inner]) => {
    const text = typeof inner === 'object' && inner !== null ? spacedJson({ ...inner }) : JSON.stringify(inner)
    return `${JSON.stringify(key)}: ${text}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
