// Golden stories: what a run asked of GitHub and what it left there, as text that stays the same from run to run.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SeenRequest } from '../github/fake-github.ts'
import { asList, asText, at } from '../github/json.ts'
import type { StepResult } from '../github/runner.ts'
import type { GateWorld } from './gate-world.ts'
import type { PullRequest } from './pull-request.ts'

const FOLDER = path.join(import.meta.dirname, 'golden')

/** One line a request: method, path, status, and of what was sent the part that a reviewer would see. */
export function story(requests: readonly SeenRequest[]): readonly string[] {
  return inOneOrder(requests).map((request) => {
    const status = request.status === 0 ? 'no answer' : String(request.status)
    const sent = sentBy(request)
    return `${request.method} ${request.path} → ${status}${sent === '' ? '' : `  ${sent}`}`
  })
}

/** Reads of the base commit are asked at once: they are told in the order of their paths. */
const AT_ONCE = ['repos/get-content', 'pulls/list-files']

function inOneOrder(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  const runs: SeenRequest[][] = []
  for (const request of requests) {
    const last = runs.at(-1)
    if (last?.[0] !== undefined && AT_ONCE.includes(request.operation) && AT_ONCE.includes(last[0].operation)) last.push(request)
    else runs.push([request])
  }
  return runs.flatMap((run) => run.sort((a, b) => (a.path < b.path ? -1 : 1)))
}

/** The verdict of a heading; how its reason is worded is not the concern here. */
function withoutWording(line: string): string {
  return line.replace(/^((?:### \S+ |::error::)?(?:Pass|Regression|Inconclusive|fail|inconclusive): ).*$/s, '$1…')
}

function sentBy({ operation, body }: SeenRequest): string {
  const of = (...keys: string[]) => asText(at(body, ...keys))
  switch (operation) {
    case 'checks/create':
      return `${of('name')}: ${of('status')}, "${of('output', 'title')}"`
    case 'checks/update': {
      const annotations = asList(at(body, 'output', 'annotations')).length
      const conclusion = of('conclusion') === '' ? 'more' : of('conclusion')
      return `${conclusion}, "${withoutWording(of('output', 'title'))}"${annotations === 0 ? '' : `, annotations: ${annotations}`}`
    }
    case 'issues/create-comment':
    case 'issues/update-comment':
      return of('body').split('\n').slice(0, 2).map(withoutWording).join(' ')
    case 'repos/create-commit-status':
      return `${of('context')}: ${of('state')}, "${of('description')}"`
    default:
      return ''
  }
}

/** How a step ended and what it uploaded. */
export function ending(step: StepResult, world: GateWorld): readonly string[] {
  const uploads = world.store.artifacts.map(({ name }) => name)
  return [
    `exit code ${step.exit_code ?? 'none (ended by a signal)'}, verdict "${step.outputs['verdict'] ?? ''}"`,
    ...(uploads.length === 0 ? [] : [`artifacts: ${uploads.join(', ')}`]),
    ...step.log
      .split('\n')
      .filter((line) => /^::(?:warning|error)::/.test(line))
      .map(withoutWording),
    ...(step.post?.log.trim() ? [`post: ${step.post.log.trim()}`] : []),
  ]
}

/** Compares with the stored text. `UPDATE_GOLDEN=1` writes it instead. */
export async function assertGolden(name: string, lines: readonly string[], pull: PullRequest): Promise<void> {
  const known = [
    [pull.head, '{head}'],
    [pull.base, '{base}'],
    [pull.merge, '{merge}'],
  ] as const
  const named = known.reduce((text, [sha, word]) => text.replaceAll(sha, word).replaceAll(sha.slice(0, 10), word), lines.join('\n'))
  const told = `${named
    .replaceAll(/\/(check-runs|comments|artifacts)\/\d+/g, '/$1/{id}')
    .replaceAll(/\b[0-9a-f]{40}\b/g, '{sha}')
    .replaceAll(/127\.0\.0\.1:\d+/g, '{host}')
    .replaceAll(pull.workspace, '{workspace}')}\n`
  const file = path.join(FOLDER, `${name}.txt`)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    await mkdir(FOLDER, { recursive: true })
    await writeFile(file, told)
    return
  }
  assert.equal(told, await readFile(file, 'utf8'), `${file} is different; UPDATE_GOLDEN=1 writes it anew`)
}
