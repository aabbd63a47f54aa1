import { createHash } from 'node:crypto'
import type { GitHubState, StoredArtifact, StoredCheck, StoredComment, StoredPull } from './github-state.ts'
import { asList, asObject, asText, at, type Json, type JsonObject } from './json.ts'

export interface Answer {
  readonly status: number
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
}

export interface Call {
  readonly state: GitHubState
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Json | undefined
  readonly url: string
  readonly sample: (name: string, fields: JsonObject) => JsonObject
}

interface Handler {
  /** What the token needs; null = nothing. */
  readonly permission: string | null
  readonly run: (call: Call) => Answer
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found', status: '404' } }
/** As measured: GitHub counts four-byte characters. */
const COMMENT_LIMIT_BYTES = 262_144

function user(call: Call, login: string, type: string): JsonObject {
  return call.sample('simple-user', { login, type })
}

function comment(call: Call, stored: StoredComment): JsonObject {
  return call.sample('issue-comment', {
    id: stored.id,
    body: stored.body,
    user: user(call, stored.login, stored.type),
    html_url: `${call.url}/octo/plugin/pull/${stored.issue}#issuecomment-${stored.id}`,
  })
}

function check(call: Call, stored: StoredCheck): JsonObject {
  return call.sample('check-run', {
    id: stored.id,
    name: stored.name,
    head_sha: stored.head_sha,
    external_id: stored.external_id,
    status: stored.status,
    conclusion: stored.conclusion,
    html_url: `${call.url}/octo/plugin/runs/${stored.id}`,
  })
}

/** Nested parts are sampled with their parent; the named ones are replaced. */
function pull(call: Call, name: 'pull-request' | 'pull-request-simple', stored: StoredPull): JsonObject {
  const sample = call.sample(name, {})
  const repo = (id: number) => ({ ...call.sample('repository', { id }) })
  const head = { ...asObject(sample['head']), sha: stored.head_sha, ref: stored.head_ref, repo: repo(stored.head_repo_id) }
  const base = { ...asObject(sample['base']), sha: stored.base_sha, ref: stored.base_ref, repo: repo(call.state.repo_id) }
  return { ...sample, number: stored.number, state: stored.state, head, base, html_url: `${call.url}/octo/plugin/pull/${stored.number}` }
}

function paged<T>(
  call: Call,
  items: readonly T[],
  map: (item: T) => Json,
): { readonly list: readonly Json[]; readonly headers: Readonly<Record<string, string>> } {
  const size = Number(call.query.get('per_page') ?? '30')
  const page = Number(call.query.get('page') ?? '1')
  const list = items.slice((page - 1) * size, page * size).map(map)
  const next = new URLSearchParams(call.query)
  next.set('page', String(page + 1))
  const more = page * size < items.length
  return { list, headers: more ? { link: `<${call.url}${call.params['_path'] ?? ''}?${next.toString()}>; rel="next"` } : {} }
}

function tooLong(body: string): boolean {
  return Buffer.byteLength(body, 'utf8') > COMMENT_LIMIT_BYTES
}

const TOO_LONG: Answer = {
  status: 422,
  body: { message: 'Validation Failed: body is too long (maximum is 65536 characters)', status: '422', errors: [] },
}

function blobSha(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')
}

function newCommit(call: Call): string {
  return createHash('sha1').update(String(call.state.nextId())).digest('hex')
}

function applyOutput(stored: StoredCheck, body: Json | undefined): void {
  const output = at(body, 'output')
  if (output === undefined) return
  stored.title = asText(at(output, 'title')) || stored.title
  stored.summary = asText(at(output, 'summary'))
  const annotations = asList(at(output, 'annotations')).map(asObject)
  if (annotations.length > 0) stored.batches.push(annotations.length)
  stored.annotations.push(...annotations)
}

export const handlers: Readonly<Record<string, Handler>> = {
  'issues/list-comments': {
    permission: null,
    run: (call) => {
      const issue = Number(call.params['issue_number'])
      const path = `/repos/${call.params['owner']}/${call.params['repo']}/issues/${issue}/comments`
      const own = call.state.comments.filter((one) => one.issue === issue)
      const { list, headers } = paged({ ...call, params: { ...call.params, _path: path } }, own, (one) => comment(call, one))
      return { status: 200, body: list, headers }
    },
  },
  'issues/create-comment': {
    permission: 'pull-requests: write',
    run: (call) => {
      const body = asText(at(call.body, 'body'))
      if (tooLong(body)) return TOO_LONG
      const { viewer } = call.state
      const stored: StoredComment = {
        id: call.state.nextId(),
        issue: Number(call.params['issue_number']),
        login: viewer,
        type: viewer.endsWith('[bot]') ? 'Bot' : 'User',
        body,
      }
      call.state.comments.push(stored)
      return { status: 201, body: comment(call, stored) }
    },
  },
  'issues/update-comment': {
    permission: 'pull-requests: write',
    run: (call) => {
      const stored = call.state.comments.find((one) => one.id === Number(call.params['comment_id']))
      if (stored === undefined) return NOT_FOUND
      const body = asText(at(call.body, 'body'))
      if (tooLong(body)) return TOO_LONG
      stored.body = body
      return { status: 200, body: comment(call, stored) }
    },
  },
  'issues/delete-comment': {
    permission: 'pull-requests: write',
    run: (call) => {
      const index = call.state.comments.findIndex((one) => one.id === Number(call.params['comment_id']))
      if (index < 0) return NOT_FOUND
      call.state.comments.splice(index, 1)
      return { status: 204 }
    },
  },
  'checks/create': {
    permission: 'checks: write',
    run: (call) => {
      const stored: StoredCheck = {
        id: call.state.nextId(),
        name: asText(at(call.body, 'name')),
        head_sha: asText(at(call.body, 'head_sha')),
        external_id: asText(at(call.body, 'external_id')),
        status: asText(at(call.body, 'status')) || 'queued',
        conclusion: null,
        title: '',
        summary: '',
        annotations: [],
        batches: [],
      }
      applyOutput(stored, call.body)
      call.state.checks.push(stored)
      return { status: 201, body: check(call, stored) }
    },
  },
  'checks/get': {
    permission: null,
    run: (call) => {
      const stored = call.state.checks.find((one) => one.id === Number(call.params['check_run_id']))
      return stored === undefined ? NOT_FOUND : { status: 200, body: check(call, stored) }
    },
  },
  'checks/update': {
    permission: 'checks: write',
    run: (call) => {
      const stored = call.state.checks.find((one) => one.id === Number(call.params['check_run_id']))
      if (stored === undefined) return NOT_FOUND
      const conclusion = at(call.body, 'conclusion')
      if (typeof conclusion === 'string') Object.assign(stored, { conclusion, status: 'completed' })
      applyOutput(stored, call.body)
      return { status: 200, body: check(call, stored) }
    },
  },
  'checks/list-for-ref': {
    permission: null,
    run: (call) => {
      const name = call.query.get('check_name')
      const found = call.state.checks.filter((one) => one.head_sha === call.params['ref'] && (name === null || one.name === name))
      return { status: 200, body: { total_count: found.length, check_runs: found.map((one) => check(call, one)) } }
    },
  },
  'repos/create-commit-status': {
    permission: 'statuses: write',
    run: (call) => {
      const of = (name: string) => asText(at(call.body, name))
      const stored = { sha: call.params['sha'] ?? '', state: of('state'), context: of('context'), description: of('description') }
      if (stored.description.length > 140) return { status: 422, body: { message: 'description is too long', status: '422' } }
      call.state.statuses.push(stored)
      return { status: 201, body: call.sample('status', { state: stored.state, context: stored.context, creator: null }) }
    },
  },
  'pulls/get': {
    permission: null,
    run: (call) => {
      const stored = call.state.pulls.find((one) => one.number === Number(call.params['pull_number']))
      return stored === undefined ? NOT_FOUND : { status: 200, body: pull(call, 'pull-request', stored) }
    },
  },
  'pulls/list': {
    permission: null,
    run: (call) => {
      const [state, head, base] = [call.query.get('state') ?? 'open', call.query.get('head'), call.query.get('base')]
      const found = call.state.pulls.filter(
        (one) =>
          one.state === state &&
          (head === null || head === `${one.head_owner}:${one.head_ref}`) &&
          (base === null || base === one.base_ref),
      )
      return { status: 200, body: found.map((one) => pull(call, 'pull-request-simple', one)) }
    },
  },
  'pulls/create': {
    permission: 'pull-requests: write',
    run: (call) => {
      const of = (name: string) => asText(at(call.body, name))
      const stored: StoredPull = {
        number: call.state.nextId(),
        head_sha: call.state.refs.get(of('head')) ?? '',
        head_ref: of('head'),
        head_owner: 'octo',
        head_repo_id: call.state.repo_id,
        base_ref: of('base'),
        base_sha: call.state.refs.get(of('base')) ?? '',
        files: [],
        state: 'open',
      }
      call.state.pulls.push(stored)
      return { status: 201, body: pull(call, 'pull-request', stored) }
    },
  },
  'pulls/list-files': {
    permission: null,
    run: (call) => {
      const stored = call.state.pulls.find((one) => one.number === Number(call.params['pull_number']))
      return { status: 200, body: (stored?.files ?? []).map((filename) => call.sample('diff-entry', { filename, sha: 'e'.repeat(40) })) }
    },
  },
  'repos/get-content': {
    permission: null,
    run: (call) => {
      const path = call.params['path'] ?? ''
      const text = call.state.files.get(call.query.get('ref') ?? 'main')?.get(path)
      if (text === undefined) return NOT_FOUND
      const content = Buffer.from(text, 'utf8').toString('base64')
      return {
        status: 200,
        body: call.sample('content-file', { type: 'file', encoding: 'base64', content, sha: blobSha(text), path, size: text.length }),
      }
    },
  },
  'repos/create-or-update-file-contents': {
    permission: 'contents: write',
    run: (call) => {
      const path = call.params['path'] ?? ''
      const branch = asText(at(call.body, 'branch'))
      const files = call.state.files.get(branch)
      if (files === undefined) return NOT_FOUND
      const standing = files.get(path)
      const given = at(call.body, 'sha')
      if (standing !== undefined && given === undefined) {
        return { status: 422, body: { message: `Invalid request. "sha" wasn't supplied.`, status: '422' } }
      }
      if (standing !== undefined && given !== blobSha(standing)) {
        return { status: 409, body: { message: `${path} does not match ${asText(given)}`, status: '409' } }
      }
      files.set(path, Buffer.from(asText(at(call.body, 'content')), 'base64').toString('utf8'))
      const commit = createHash('sha1').update(String(call.state.nextId())).digest('hex')
      call.state.history.set(commit, [call.state.refs.get(branch) ?? ''])
      call.state.refs.set(branch, commit)
      const body = call.sample('file-commit', {})
      return { status: standing === undefined ? 201 : 200, body: { ...body, commit: { ...asObject(body['commit']), sha: commit } } }
    },
  },
  'git/create-blob': {
    permission: 'contents: write',
    run: (call) => {
      const bytes = Buffer.from(asText(at(call.body, 'content')), at(call.body, 'encoding') === 'base64' ? 'base64' : 'utf8')
      const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
      call.state.blobs.set(sha, bytes)
      return { status: 201, body: call.sample('short-blob', { sha }) }
    },
  },
  'git/create-tree': {
    permission: 'contents: write',
    run: (call) => {
      const entries = asList(at(call.body, 'tree')).map((entry) => [asText(at(entry, 'path')), asText(at(entry, 'sha'))] as const)
      if (entries.some(([, sha]) => !call.state.blobs.has(sha)))
        return { status: 422, body: { message: 'tree.sha is not a valid blob', status: '422' } }
      const sha = newCommit(call)
      call.state.trees.set(sha, new Map(entries))
      return { status: 201, body: call.sample('git-tree', { sha, tree: [] }) }
    },
  },
  'git/create-commit': {
    permission: 'contents: write',
    run: (call) => {
      const tree = call.state.trees.get(asText(at(call.body, 'tree')))
      if (tree === undefined) return { status: 422, body: { message: 'Tree SHA does not exist', status: '422' } }
      const sha = newCommit(call)
      call.state.trees.set(sha, tree)
      call.state.history.set(sha, asList(at(call.body, 'parents')).map(asText))
      return { status: 201, body: call.sample('git-commit', { sha, parents: [] }) }
    },
  },
  'git/get-ref': {
    permission: null,
    run: (call) => {
      const sha = call.state.refs.get((call.params['ref'] ?? '').replace(/^heads\//, ''))
      if (sha === undefined) return NOT_FOUND
      const body = call.sample('git-ref', { ref: `refs/${call.params['ref'] ?? ''}` })
      return { status: 200, body: { ...body, object: { ...asObject(body['object']), type: 'commit', sha } } }
    },
  },
  'git/create-ref': {
    permission: 'contents: write',
    run: (call) => {
      const branch = asText(at(call.body, 'ref')).replace(/^refs\/heads\//, '')
      if (call.state.refs.has(branch)) return { status: 422, body: { message: 'Reference already exists', status: '422' } }
      const sha = asText(at(call.body, 'sha'))
      call.state.refs.set(branch, sha)
      const source = [...call.state.refs].find(([name, commit]) => commit === sha && name !== branch)?.[0] ?? 'main'
      call.state.files.set(branch, new Map(call.state.files.get(source)))
      const body = call.sample('git-ref', { ref: `refs/heads/${branch}` })
      return { status: 201, body: { ...body, object: { ...asObject(body['object']), sha, type: 'commit' } } }
    },
  },
  'git/update-ref': {
    permission: 'contents: write',
    run: (call) => {
      const branch = (call.params['ref'] ?? '').replace(/^heads\//, '')
      if (!call.state.refs.has(branch)) return { status: 422, body: { message: 'Reference does not exist', status: '422' } }
      const sha = asText(at(call.body, 'sha'))
      const standing = call.state.refs.get(branch) ?? ''
      const unrelated = call.state.trees.has(sha) && !(call.state.history.get(sha) ?? []).includes(standing)
      if (unrelated && at(call.body, 'force') !== true)
        return { status: 422, body: { message: 'Update is not a fast forward', status: '422' } }
      const source = [...call.state.refs].find(([name, commit]) => commit === sha && name !== branch)?.[0] ?? 'main'
      call.state.refs.set(branch, sha)
      call.state.files.set(branch, new Map(call.state.files.get(source)))
      const body = call.sample('git-ref', { ref: `refs/heads/${branch}` })
      return { status: 200, body: { ...body, object: { ...asObject(body['object']), sha, type: 'commit' } } }
    },
  },
  'repos/compare-commits-with-basehead': {
    permission: null,
    run: (call) => {
      const ends = decodeURIComponent(call.params['basehead'] ?? '').split('...')
      const [base = '', head = ''] = ends.map((end) => call.state.refs.get(end) ?? end)
      const { history } = call.state
      const known = (commit: string) => history.has(commit) || [...call.state.refs.values()].includes(commit)
      if (!known(base) || !known(head)) return NOT_FOUND
      const ancestors = (commit: string): readonly string[] => [commit, ...(history.get(commit) ?? []).flatMap(ancestors)]
      const behind = ancestors(base).includes(head)
      const status = base === head ? 'identical' : ancestors(head).includes(base) ? 'ahead' : behind ? 'behind' : 'diverged'
      return { status: 200, body: call.sample('commit-comparison', { status, commits: [] }) }
    },
  },
  'actions/list-workflow-run-artifacts': {
    permission: null,
    run: (call) => {
      const run = Number(call.params['run_id'])
      const found = call.state.artifacts.filter((one) => one.run_id === run)
      return { status: 200, body: { total_count: found.length, artifacts: found.map((one) => artifact(call, one)) } }
    },
  },
  'actions/download-artifact': {
    permission: 'actions: read',
    run: (call) => ({ status: 302, headers: { location: `${call.url}/_blob/${call.params['artifact_id'] ?? ''}` } }),
  },
}

function artifact(call: Call, stored: StoredArtifact): JsonObject {
  return call.sample('artifact', { id: stored.id, name: stored.name, size_in_bytes: stored.size, expired: stored.expired })
}
