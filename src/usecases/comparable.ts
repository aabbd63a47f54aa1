import { Ajv, type ValidateFunction } from 'ajv'
import { parseBaselineFile } from '../baseline/baseline-file.ts'
import { countTrials } from '../gate/count-trials.ts'
import { pooledCounts } from '../gate/pool.ts'
import { UserError } from '../model/errors.ts'
import { fingerprintSchema, type Fingerprint } from '../model/record.ts'
import { RESULTS_SCHEMA_VERSION } from '../model/results.ts'
import type { Problem, TypeOf } from '../model/schema.ts'
import type { GateTask, TaskCounts, TrialOutcome } from '../model/verdict.ts'

/** A document to compare, with the name it has in messages. */
export interface NamedDocument {
  readonly name: string
  readonly value: unknown
}

/** One side of a comparison, whatever kind of document it came from. */
export interface Comparable {
  /** Null for bare counts. */
  readonly fingerprint: Fingerprint | null
  /** Planned trials that were not made. */
  readonly missing: number
  readonly tasks: ReadonlyMap<
    string,
    {
      readonly counts: TaskCounts
      readonly digest: string | null
      readonly golden: boolean
      /** In order, when an adaptive run made them; null when the size was fixed in advance. */
      readonly trials: readonly TrialOutcome[] | null
      readonly quarantine: GateTask['quarantine']
    }
  >
}

type Read = { readonly ok: true; readonly value: Comparable } | { readonly ok: false; readonly problems: readonly Problem[] }

const KINDS = 'a baseline file, a results file, or {"tasks": {"ID": {"n": 30, "c": 29}}}.'

/** Recognises a document by what it holds and reads it. */
export function readComparable({ name, value }: NamedDocument): Read {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(name, '', `must be a JSON object: ${KINDS}`)
  }
  const schema = 'schema' in value ? value.schema : undefined
  if (schema === undefined && !('tasks' in value)) return refuse(name, '', `holds neither a schema nor tasks; give ${KINDS}`)
  if (schema === RESULTS_SCHEMA_VERSION) return readResults(name, value)
  return schema === undefined ? readCounts(name, value) : readBaseline(name, value)
}

function refuse(where: string, at: string, message: string): Read {
  return { ok: false, problems: [{ where, at, message }] }
}

const count = { type: 'integer', minimum: 0 } as const

const countsSchema = {
  type: 'object',
  required: ['tasks'],
  additionalProperties: false,
  properties: {
    tasks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['n', 'c'],
        additionalProperties: false,
        properties: { n: count, c: count, infra: count, digest: { type: 'string' }, golden: { type: 'boolean' } },
      },
    },
  },
} as const

/** The part of a results file that a comparison rests on; the rest may grow. */
const resultsSchema = {
  type: 'object',
  required: ['run', 'totals', 'trials', 'decision'],
  properties: {
    run: { type: 'object', required: ['fingerprint'], properties: { fingerprint: fingerprintSchema } },
    totals: { type: 'object', required: ['missing'], properties: { missing: count } },
    decision: {
      type: 'object',
      required: ['tasks'],
      properties: {
        tasks: {
          type: 'array',
          items: {
            type: 'object',
            required: ['task_id', 'golden'],
            properties: { task_id: { type: 'string' }, golden: { type: 'boolean' } },
          },
        },
      },
    },
    trials: {
      type: 'array',
      items: {
        type: 'object',
        required: ['task_id', 'task_digest', 'arm', 'index', 'stage', 'verdict'],
        properties: {
          task_id: { type: 'string' },
          task_digest: { type: 'string' },
          arm: { enum: ['head', 'base'] },
          index: count,
          stage: count,
          verdict: { enum: ['pass', 'fail', 'infra'] },
        },
      },
    },
  },
} as const

type ResultsPart = TypeOf<typeof resultsSchema>

let countsCheck: ValidateFunction<TypeOf<typeof countsSchema>> | undefined
let resultsCheck: ValidateFunction<ResultsPart> | undefined

function problemsOf(where: string, check: ValidateFunction): Problem[] {
  return (check.errors ?? []).map(({ instancePath: at, message, params }) => {
    const extra: unknown = params['additionalProperty']
    return { where, at, message: typeof extra === 'string' ? `unknown key "${extra}"` : (message ?? 'is wrong') }
  })
}

function readCounts(name: string, value: object): Read {
  countsCheck ??= new Ajv({ allErrors: true }).compile<TypeOf<typeof countsSchema>>(countsSchema)
  if (!countsCheck(value)) return { ok: false, problems: problemsOf(name, countsCheck) }
  const entries = Object.entries(value.tasks)
  const impossible = entries.filter(([, { n, c }]) => c > n)
  if (impossible.length > 0) {
    const problems = impossible.map(([id, { n, c }]) => ({
      where: name,
      at: `/tasks/${id}`,
      message: `has more passes (${c}) than trials (${n}).`,
    }))
    return { ok: false, problems }
  }
  const tasks = entries.map(([id, { n, c, infra, digest, golden }]) => {
    const facts = { digest: digest ?? null, golden: golden ?? false, trials: null, quarantine: null }
    return [id, { counts: { n, c, infra: infra ?? 0 }, ...facts }] as const
  })
  return { ok: true, value: { fingerprint: null, missing: 0, tasks: new Map(tasks) } }
}

function readBaseline(name: string, value: object): Read {
  try {
    const file = parseBaselineFile(JSON.stringify(value), name)
    const tasks = Object.entries(file.tasks).map(([id, { digest, refreshes }]) => {
      return [id, { counts: pooledCounts(refreshes), digest, golden: false, trials: null, quarantine: null }] as const
    })
    return { ok: true, value: { fingerprint: file.fingerprint, missing: 0, tasks: new Map(tasks) } }
  } catch (error) {
    if (error instanceof UserError) return { ok: false, problems: error.problems }
    throw error
  }
}

function readResults(name: string, value: object): Read {
  resultsCheck ??= new Ajv({ allErrors: true }).compile<ResultsPart>(resultsSchema)
  if (!resultsCheck(value)) return { ok: false, problems: problemsOf(name, resultsCheck).slice(0, 20) }
  const golden = new Set(value.decision.tasks.flatMap(({ task_id: id, golden: isGolden }) => (isGolden ? [id] : [])))
  const byTask = new Map<string, ResultsPart['trials'][number][]>()
  for (const trial of value.trials) {
    if (trial.arm !== 'head') continue
    const known = byTask.get(trial.task_id)
    if (known === undefined) byTask.set(trial.task_id, [trial])
    else known.push(trial)
  }
  // A run whose trials all belong to the first stage had its size fixed in advance.
  const adaptive = value.trials.some(({ stage }) => stage > 0)
  const tasks = new Map<string, Comparable['tasks'] extends ReadonlyMap<string, infer T> ? T : never>()
  for (const { task_id: id } of value.decision.tasks) {
    const trials = byTask.get(id) ?? []
    const outcomes = [...trials].sort((a, b) => a.index - b.index).map(({ verdict }) => verdict)
    // Removed tasks are named in the decision of a run that did not hold them.
    if (outcomes.length === 0 && !wasPlanned(value, id)) continue
    const digest = trials[0]?.task_digest ?? null
    tasks.set(id, { counts: countTrials(outcomes), digest, golden: golden.has(id), trials: adaptive ? outcomes : null, quarantine: null })
  }
  return { ok: true, value: { fingerprint: value.run.fingerprint, missing: value.totals.missing, tasks } }
}

function wasPlanned(value: ResultsPart, id: string): boolean {
  return value.decision.tasks.some((task) => task.task_id === id && 'head' in task && task['head'] !== null)
}
