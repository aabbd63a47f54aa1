import { UserError } from '../model/errors.ts'
import { flag, integer, object, text, type JsonObject } from './payload.ts'

export interface RepoName {
  readonly owner: string
  readonly repo: string
}

/** The workflow run that this process belongs to. */
export interface RunFacts {
  readonly id: number
  readonly attempt: number
  readonly job: string
  readonly workflow: string
  /** Page of the run for a person. */
  readonly url: string
}

interface CommonFacts {
  readonly repo: RepoName
  readonly repo_id: number | null
  /** True only when the payload says so. */
  readonly is_public: boolean
  /** Branch that the repository calls its main one; null when the payload does not say. */
  readonly default_branch: string | null
  /** Commit under test. On pull requests the head commit, not the merge commit that GITHUB_SHA names. */
  readonly head_sha: string
  /** Commit whose baseline counts; null when the event has none. May lag behind the tip of `base_ref`. */
  readonly base_sha: string | null
  /** Branch name without `refs/heads/`. */
  readonly base_ref: string | null
  readonly pull_number: number | null
  readonly is_fork: boolean
  /** A hint only: the token's true power shows when it is used. */
  readonly can_write: boolean
  /** Why `can_write` is false, in one sentence; null otherwise. */
  readonly can_write_why: string | null
  readonly actor: string
  readonly run: RunFacts
  readonly urls: { readonly server: string; readonly api: string; readonly graphql: string }
}

/** The run that a `workflow_run` event tells of. Branch and owner names are a stranger's text. */
export interface SourceRun {
  readonly run_id: number
  readonly run_attempt: number
  readonly event: string
  readonly conclusion: string | null
  readonly head_sha: string
  readonly head_branch: string | null
  readonly head_owner: string | null
  readonly head_repo_id: number | null
}

/** What the event that started this run says, by kind. */
export type EventFacts = CommonFacts &
  (
    | { readonly kind: 'pull_request' }
    | { readonly kind: 'pull_request_target'; /** Why PR code is not run here. */ readonly refusal: string }
    | { readonly kind: 'push'; readonly ref: string; readonly deleted: boolean }
    | { readonly kind: 'workflow_dispatch'; readonly ref: string }
    | { readonly kind: 'schedule' }
    | { readonly kind: 'merge_group'; readonly ref: string }
    | { readonly kind: 'workflow_run'; readonly source: SourceRun }
    | { readonly kind: 'other'; readonly name: string }
  )

export type Environment = Readonly<Record<string, string | undefined>>

export const PULL_REQUEST_TARGET_REFUSAL =
  'pull_request_target gives this job secrets and a writing token, so the code of a pull request is not run here: use on: pull_request, and for forks a second workflow on: workflow_run with mode: publish'

/**
 * Reads what the event says. `payload` is the parsed file of GITHUB_EVENT_PATH.
 * Throws UserError when the environment is not that of a workflow run, or the payload lacks what its event always has.
 */
export function readEvent(env: Environment, payload: unknown): EventFacts {
  const body = object(payload)
  const common = readCommon(env, body)
  const name = env['GITHUB_EVENT_NAME'] ?? ''
  switch (name) {
    case 'pull_request':
      return { ...common, ...readPull(body, common.actor), kind: 'pull_request' }
    case 'pull_request_target':
      return { ...common, ...readPull(body, common.actor), kind: 'pull_request_target', refusal: PULL_REQUEST_TARGET_REFUSAL }
    case 'push':
      return { ...common, ...readPush(body, common), kind: 'push' }
    case 'workflow_dispatch':
      return { ...common, kind: 'workflow_dispatch', ref: branchOf(env['GITHUB_REF'] ?? '') }
    case 'schedule':
      return { ...common, kind: 'schedule' }
    case 'merge_group':
      return { ...common, ...readMergeGroup(body), kind: 'merge_group' }
    case 'workflow_run': {
      const source = readSource(body)
      const foreign = source.head_repo_id === null || source.head_repo_id !== common.repo_id
      return { ...common, kind: 'workflow_run', source, head_sha: source.head_sha, is_fork: foreign }
    }
    default:
      return { ...common, kind: 'other', name }
  }
}

function readCommon(env: Environment, body: JsonObject): CommonFacts {
  const missing = ['GITHUB_REPOSITORY', 'GITHUB_SHA', 'GITHUB_RUN_ID', 'GITHUB_EVENT_NAME'].filter((name) => (env[name] ?? '') === '')
  if (missing.length > 0) {
    throw new UserError(
      missing.map((name) => ({
        where: name,
        at: '',
        message: 'is not set; the Action runs inside a GitHub workflow (locally use genui-eval)',
      })),
    )
  }
  const [owner = '', repo = ''] = (env['GITHUB_REPOSITORY'] ?? '').split('/')
  const server = withoutSlash(env['GITHUB_SERVER_URL'] ?? 'https://github.com')
  const api = withoutSlash(env['GITHUB_API_URL'] ?? 'https://api.github.com')
  const id = Number(env['GITHUB_RUN_ID'])
  return {
    repo: { owner, repo },
    is_public: object(body['repository'])['private'] === false,
    repo_id: integer(object(body['repository'])['id']) ?? integer(Number(env['GITHUB_REPOSITORY_ID'] ?? Number.NaN)),
    default_branch: text(object(body['repository'])['default_branch']),
    head_sha: env['GITHUB_SHA'] ?? '',
    base_sha: null,
    base_ref: null,
    pull_number: null,
    is_fork: false,
    can_write: true,
    can_write_why: null,
    actor: env['GITHUB_ACTOR'] ?? '',
    run: {
      id,
      attempt: Number(env['GITHUB_RUN_ATTEMPT'] ?? '1'),
      job: env['GITHUB_JOB'] ?? '',
      workflow: env['GITHUB_WORKFLOW'] ?? '',
      url: `${server}/${owner}/${repo}/actions/runs/${id}`,
    },
    urls: { server, api, graphql: withoutSlash(env['GITHUB_GRAPHQL_URL'] ?? `${api}/graphql`) },
  }
}

function readPull(body: JsonObject, actor: string) {
  const pull = object(body['pull_request'])
  const [head, base] = [object(pull['head']), object(pull['base'])]
  const head_sha = text(head['sha'])
  const number = integer(pull['number'])
  if (head_sha === null || number === null) throw brokenPayload('pull_request.head.sha and pull_request.number')
  // A deleted fork leaves head.repo null: nobody of this repository can have done that.
  const headRepo = integer(object(head['repo'])['id'])
  const is_fork = headRepo === null || headRepo !== integer(object(base['repo'])['id'])
  const why = is_fork
    ? 'the pull request comes from a fork, whose token is read-only'
    : actor === 'dependabot[bot]'
      ? 'Dependabot started the run, whose token is read-only unless permissions raise it'
      : null
  return {
    head_sha,
    base_sha: text(base['sha']),
    base_ref: text(base['ref']),
    pull_number: number,
    is_fork,
    can_write: why === null,
    can_write_why: why,
  }
}

function readPush(body: JsonObject, common: CommonFacts) {
  const before = text(body['before'])
  const created = before === null || /^0+$/.test(before)
  const ref = branchOf(text(body['ref']) ?? '')
  return {
    head_sha: text(body['after']) ?? common.head_sha,
    base_sha: created ? null : before,
    base_ref: ref,
    ref,
    deleted: flag(body['deleted']),
  }
}

function readMergeGroup(body: JsonObject) {
  const group = object(body['merge_group'])
  const head_sha = text(group['head_sha'])
  const ref = branchOf(text(group['head_ref']) ?? '')
  if (head_sha === null) throw brokenPayload('merge_group.head_sha')
  // The base branch may itself contain "/pr-1-": the last segment counts.
  const number = /.*\/pr-(\d+)-[0-9a-f]+$/.exec(ref)?.[1]
  return {
    head_sha,
    base_sha: text(group['base_sha']),
    base_ref: branchOf(text(group['base_ref']) ?? ''),
    pull_number: number === undefined ? null : Number(number),
    ref,
  }
}

function readSource(body: JsonObject): SourceRun {
  const run = object(body['workflow_run'])
  const head = object(run['head_repository'])
  const [run_id, head_sha] = [integer(run['id']), text(run['head_sha'])]
  if (run_id === null || head_sha === null) throw brokenPayload('workflow_run.id and workflow_run.head_sha')
  return {
    run_id,
    run_attempt: integer(run['run_attempt']) ?? 1,
    event: text(run['event']) ?? '',
    conclusion: text(run['conclusion']),
    head_sha,
    head_branch: text(run['head_branch']),
    head_owner: text(object(head['owner'])['login']),
    head_repo_id: integer(head['id']),
  }
}

function brokenPayload(fields: string): UserError {
  return new UserError([{ where: 'GITHUB_EVENT_PATH', at: fields, message: 'is missing from the event payload' }])
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
