// Makes openapi-subset.json anew: npm pack @octokit/openapi somewhere, then
//   node test/github/extract-openapi.ts FOLDER/package/generated/api.github.com.json
import { readFileSync, writeFileSync } from 'node:fs'
import { asList, asObject, asText, at, isObject, parseJson, type Json, type JsonObject } from './json.ts'

const WANTED = `checks/create checks/get checks/update checks/list-for-ref checks/list-annotations
issues/list-comments issues/create-comment issues/update-comment issues/get-comment issues/delete-comment
repos/create-commit-status repos/get-content repos/create-or-update-file-contents repos/get repos/get-commit repos/list-pull-requests-associated-with-commit repos/compare-commits-with-basehead
git/get-ref git/create-ref git/update-ref git/delete-ref git/create-blob git/create-tree git/create-commit git/get-commit git/get-tree
pulls/get pulls/list pulls/create pulls/list-files users/get-authenticated
actions/list-workflow-run-artifacts actions/list-artifacts-for-repo actions/download-artifact actions/get-artifact actions/get-workflow-run`

const PROSE = new Set(['description', 'example', 'examples', 'externalDocs', 'x-github', 'x-octokit'])

/** The description without prose and examples. Names of properties are kept, whatever they are. */
function withoutProse(value: Json, names = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, inner]) => names || !PROSE.has(key) || (key === 'description' && typeof inner !== 'string'),
  )
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner, key === 'properties' && !names)]))
}

function refsIn(value: Json, found: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) refsIn(one, found)
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref') found.add(asText(inner))
      else refsIn(inner, found)
    }
  }
}

const [file = ''] = process.argv.slice(2)
const spec = parseJson(readFileSync(file, 'utf8'))
const missing = new Set(WANTED.split(/\s+/))
const paths: Record<string, Record<string, Json>> = {}
for (const [path, item] of Object.entries(asObject(at(spec, 'paths')))) {
  for (const [method, operation] of Object.entries(asObject(item))) {
    if (!missing.delete(asText(at(operation, 'operationId')))) continue
    paths[path] = { ...paths[path], [method]: withoutProse(operation) }
  }
}
if (missing.size > 0) throw new Error(`not in the description: ${[...missing].join(', ')}`)
const components: Record<string, Record<string, Json>> = {}
const refs = new Set<string>()
refsIn(paths, refs)
// a set grows while it is walked, so this reaches what components refer to
for (const ref of refs) {
  const [, , kind = '', name = ''] = ref.split('/')
  const component = withoutProse(at(spec, 'components', kind, name) ?? {})
  components[kind] = { ...components[kind], [name]: component }
  refsIn(component, refs)
}
const sorted = (part: JsonObject) => Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
const info = {
  title: asText(at(spec, 'info', 'title')),
  version: asText(at(spec, 'info', 'version')),
  license: at(spec, 'info', 'license') ?? {},
  description:
    "Subset of GitHub's REST API description (npm @octokit/openapi): the operations that the Action uses, without examples and prose.",
}
const subset = {
  openapi: asText(at(spec, 'openapi')),
  info,
  paths: sorted(paths),
  components: Object.fromEntries(Object.entries(components).map(([kind, part]) => [kind, sorted(part)])),
}
writeFileSync(new URL('openapi-subset.json', import.meta.url), `${JSON.stringify(subset)}\n`)
process.stdout.write(`${asList(WANTED.split(/\s+/)).length} operations, ${refs.size} components; run the formatter now\n`)
