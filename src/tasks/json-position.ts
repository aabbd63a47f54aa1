import type { ErrorObject } from 'ajv'

/** JSON Pointer (`/a/0/b`) as the JSON path that people write (`$.a[0].b`). */
export function jsonPath(pointer: string): string {
  return pointerSegments(pointer)
    .map((segment) =>
      /^\d+$/.test(segment) ? `[${segment}]` : /^[A-Za-z_$][\w$]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`,
    )
    .reduce((path, part) => path + part, '$')
}

function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Finds lines of JSON Pointers in a JSON text (JSON is YAML, whose parser keeps positions). Counts from 1; null when not found. */
export async function lineFinder(text: string): Promise<(pointer: string) => number | null> {
  const { isNode, LineCounter, parseDocument } = await import('yaml')
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, strict: false, uniqueKeys: false })
  return (pointer) => {
    const path = pointerSegments(pointer).map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (!isNode(node) || !node.range) return null
    return counter.linePos(node.range[0]).line
  }
}

/** The pointer that an ajv error is about: for an unknown key the key itself. */
export function errorPointer(error: ErrorObject): string {
  const extra = error.keyword === 'additionalProperties' ? String(error.params['additionalProperty']) : null
  return extra === null ? error.instancePath : `${error.instancePath}/${extra.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** An ajv error as one sentence about the value it points at. */
export function errorSentence(error: ErrorObject): string {
  switch (error.keyword) {
    case 'additionalProperties':
      return `unknown key "${String(error.params['additionalProperty'])}"; remove it or correct its spelling`
    case 'required':
      return `the key "${String(error.params['missingProperty'])}" is missing`
    case 'enum':
      return `must be one of ${(Array.isArray(error.params['allowedValues']) ? error.params['allowedValues'] : []).map(String).join(', ')}`
    case 'anyOf':
      return 'must name a check (grader.name) or a rubric (rubric.<id>)'
    default:
      return error.message ?? `does not satisfy ${error.keyword}`
  }
}
