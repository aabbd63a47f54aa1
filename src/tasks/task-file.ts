import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { parseFormula } from '../model/formula.ts'
import type { Problem } from '../model/schema.ts'
import { taskSchema, type Task } from '../model/task.ts'
import { errorPointer, errorSentence, jsonPath, lineFinder } from './json-position.ts'
import { selectorProblem } from './selectors.ts'

/** Something wrong with a task at a JSON Pointer. */
interface Finding {
  readonly pointer: string
  readonly message: string
}

export type TaskFile = { readonly ok: true; readonly task: Task } | { readonly ok: false; readonly problems: readonly Problem[] }

const STEPS_WITH_VALUE = new Set(['set_range', 'fill', 'select', 'press'])

const validateShape = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<Task>(taskSchema)

/** Reads the text of one `task.json`. `where` is the file as the user knows it, `folderName` what `task_id` must equal. */
export async function parseTaskFile(text: string, where: string, folderName: string): Promise<TaskFile> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const position = /line (\d+) column (\d+)/.exec(reason)
    const at = position === null ? '' : `line ${position[1]}, column ${position[2]}`
    return { ok: false, problems: [{ where, at, message: `is not valid JSON: ${reason}` }] }
  }
  const findings = taskFindings(value, folderName)
  if (findings.length === 0 && isTask(value)) return { ok: true, task: value }
  const lineOf = await lineFinder(text)
  const problems = findings.map(({ pointer, message }) => {
    const line = lineOf(pointer)
    return { where, at: line === null ? jsonPath(pointer) : `${jsonPath(pointer)}, line ${line}`, message }
  })
  return { ok: false, problems }
}

function isTask(value: unknown): value is Task {
  return validateShape(value)
}

/** Everything that is wrong with a decoded task, its specimens apart. Empty when it is a good `Task`. */
export function taskFindings(value: unknown, folderName: string): Finding[] {
  if (!isTask(value)) {
    return (validateShape.errors ?? [])
      .filter((error) => !error.schemaPath.includes('/anyOf/'))
      .map((error) => ({ pointer: errorPointer(error), message: errorSentence(error) }))
  }
  return [
    ...identityFindings(value, folderName),
    ...selectorFindings(value),
    ...stepFindings(value),
    ...emptyStringFindings(value),
    ...callbackFindings(value),
    ...ownAssertionFindings(value),
    ...trapFindings(value),
    ...twinFindings(value),
  ]
}

function identityFindings(task: Task, folderName: string): Finding[] {
  const findings: Finding[] = []
  if (task.task_id !== folderName) {
    findings.push({ pointer: '/task_id', message: `is "${task.task_id}" but the folder is named "${folderName}"; they must be equal` })
  }
  const wanted = task.expected_tool_trigger ? 'reference.html' : 'reference.md'
  if (task.reference_solution !== wanted) {
    findings.push({
      pointer: '/reference_solution',
      message: `must be ${wanted}, since expected_tool_trigger is ${String(task.expected_tool_trigger)}`,
    })
  }
  return findings
}

function selectorFindings(task: Task): Finding[] {
  const selectors = [
    ...(task.outcome_dom_assertions.required_selectors ?? []).map((selector, index) => ({
      selector,
      pointer: `/outcome_dom_assertions/required_selectors/${index}`,
    })),
    ...task.outcome_interaction_steps.map(({ selector }, index) => ({ selector, pointer: `/outcome_interaction_steps/${index}/selector` })),
  ]
  return selectors.flatMap(({ selector, pointer }) => {
    const reason = selectorProblem(selector)
    return reason === null ? [] : [{ pointer, message: `"${selector}" is not a CSS selector that a browser can use: ${reason}` }]
  })
}

function stepFindings(task: Task): Finding[] {
  return task.outcome_interaction_steps.flatMap((step, index) => {
    const pointer = `/outcome_interaction_steps/${index}`
    if (STEPS_WITH_VALUE.has(step.action) && step.value === undefined)
      return [{ pointer, message: `a ${step.action} step needs a "value"` }]
    if (step.action === 'set_range' && !Number.isFinite(Number(step.value?.trim() || 'none'))) {
      return [{ pointer: `${pointer}/value`, message: `a set_range step needs a number, not "${step.value ?? ''}"` }]
    }
    return []
  })
}

/** An empty string stands in every page, so an assertion on it asserts nothing. */
function emptyStringFindings(task: Task): Finding[] {
  const lists = { outcome_dom_assertions: task.outcome_dom_assertions, own_assertions: task.own_assertions ?? {} }
  return Object.entries(lists).flatMap(([group, assertions]) =>
    Object.entries(assertions).flatMap(([name, list]) =>
      Array.isArray(list)
        ? list.flatMap((text: unknown, index) =>
            typeof text === 'string' && text.trim() === ''
              ? [{ pointer: `/${group}/${name}/${index}`, message: 'is empty, so every page would satisfy it' }]
              : [],
          )
        : [],
    ),
  )
}

function callbackFindings(task: Task): Finding[] {
  const pointer = '/expected_callback_schema'
  if (task.expected_callback_schema === null) return []
  if (!task.expected_tool_trigger) return [{ pointer, message: 'must be null, since a task that wants no app can get no callback' }]
  // A fresh instance each time: a schema with an $id may stand in several tasks.
  const ajv = new Ajv({ strictTypes: false, strictTuples: false, logger: false })
  formats.default(ajv)
  try {
    ajv.compile(task.expected_callback_schema)
    return []
  } catch (error) {
    return [{ pointer, message: `is not a JSON Schema that ajv can compile: ${error instanceof Error ? error.message : String(error)}` }]
  }
}

/** Formulas that nobody can compute and patterns that no engine can read. */
function ownAssertionFindings(task: Task): Finding[] {
  const formulas = (task.own_assertions?.recomputes ?? []).flatMap(({ inputs = [], shows = [], changes }, index) => {
    const at = `/own_assertions/recomputes/${index}`
    if (shows.length === 0 && changes === undefined) return [{ pointer: at, message: 'asserts nothing; give "shows" or "changes"' }]
    const names = inputs.map(({ name }) => name)
    return shows.flatMap((figure, place) =>
      figure.formulas.flatMap((text, each) => {
        const parsed = parseFormula(text, names)
        return parsed.ok
          ? []
          : [{ pointer: `${at}/shows/${place}/formulas/${each}`, message: `is no formula that can be computed: ${parsed.reason}` }]
      }),
    )
  })
  const patterns = Object.entries(task.own_assertions?.payload_patterns ?? {}).flatMap(([field, pattern]) => {
    try {
      void new RegExp(pattern, 'u')
      return []
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return [{ pointer: `/own_assertions/payload_patterns/${field}`, message: `is not a regular expression: ${reason}` }]
    }
  })
  return [...formulas, ...patterns]
}

function twinFindings(task: Task): Finding[] {
  const rubrics = new Set(task.model_grader_rubrics.map(({ id }) => id))
  return Object.keys(task.rubric_twins ?? {}).flatMap((id) =>
    rubrics.has(id) ? [] : [{ pointer: `/rubric_twins/${id}`, message: `names ${id}, which is no rubric of this task` }],
  )
}

function trapFindings(task: Task): Finding[] {
  const rubrics = new Set(task.model_grader_rubrics.map(({ id }) => `rubric.${id}`))
  const seen = new Set<string>()
  return (task.traps ?? []).flatMap(({ file, fails, also_fails: also = [] }, index) => {
    const findings: Finding[] = also.flatMap((rubric, place) => {
      const reason = !rubrics.has(rubric) ? 'which is no rubric of this task' : rubric === fails ? 'which "fails" names already' : null
      return reason === null ? [] : [{ pointer: `/traps/${index}/also_fails/${place}`, message: `names ${rubric}, ${reason}` }]
    })
    if (fails.startsWith('rubric.') && !rubrics.has(fails)) {
      findings.push({ pointer: `/traps/${index}/fails`, message: `names ${fails}, which is no rubric of this task` })
    }
    if (seen.has(file)) findings.push({ pointer: `/traps/${index}/file`, message: `${file} is registered twice` })
    seen.add(file)
    return findings
  })
}
