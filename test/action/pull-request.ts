// A pull request as a runner meets it: an origin with base, head and merge commit, and a shallow checkout of the merge commit.
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FakeGitHub } from '../github/fake-github.ts'
import { REPOSITORY } from '../github/world.ts'

const execute = promisify(execFile)

export interface PullRequest {
  /** The checkout of the merge commit, two commits deep. */
  readonly workspace: string
  readonly base: string
  readonly head: string
  readonly merge: string
  readonly origin: string
  /** Payload of `pull_request`. `fork` puts the head into another repository. */
  payload(fork?: boolean): object
  /** Another push to the branch: a new head, a new merge commit, a new checkout. */
  push(plugin: string): Promise<PullRequest>
}

export interface PullRequestPlan {
  /** Empty folder for origin and checkouts. */
  readonly folder: string
  /** Text of `baselines/regression.json` on main; null = none. */
  readonly baseline: string | null
  /** Plugin folders that are copied to `plugin/`. */
  readonly base_plugin: string
  readonly head_plugin: string
  /** Further files of the pull request. */
  readonly head_files?: Readonly<Record<string, string>>
}

export async function openPullRequest(plan: PullRequestPlan): Promise<PullRequest> {
  const origin = path.join(plan.folder, 'origin')
  await mkdir(origin, { recursive: true })
  await git(origin, 'init', '--quiet', '--initial-branch=main')
  await git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  await place(origin, plan.base_plugin)
  if (plan.baseline !== null) {
    await mkdir(path.join(origin, 'baselines'))
    await writeFile(path.join(origin, 'baselines', 'regression.json'), plan.baseline)
  }
  const base = await commit(origin, 'main')
  await git(origin, 'checkout', '--quiet', '-b', 'feature')
  await place(origin, plan.head_plugin)
  for (const [name, text] of Object.entries(plan.head_files ?? {})) {
    await mkdir(path.dirname(path.join(origin, name)), { recursive: true })
    await writeFile(path.join(origin, name), text)
  }
  return checkedOut(plan.folder, origin, base, 1)
}

async function checkedOut(folder: string, origin: string, base: string, number: number): Promise<PullRequest> {
  const head = await commit(origin, `change ${number}`)
  await git(origin, 'checkout', '--quiet', '--detach', 'main')
  await git(origin, 'merge', '--quiet', '--no-ff', '-m', 'merge', head)
  const merge = await git(origin, 'rev-parse', 'HEAD')
  await git(origin, 'update-ref', 'refs/pull/7/merge', merge)
  await git(origin, 'checkout', '--quiet', 'feature')
  const workspace = path.join(folder, `workspace-${number}`)
  await mkdir(workspace)
  await git(workspace, 'init', '--quiet')
  await git(workspace, 'remote', 'add', 'origin', `file://${origin}`)
  await git(workspace, 'fetch', '--quiet', '--no-tags', '--depth=2', 'origin', '+refs/pull/7/merge:refs/remotes/pull/7/merge')
  await git(workspace, 'checkout', '--quiet', '--detach', 'refs/remotes/pull/7/merge')
  return {
    workspace,
    base,
    head,
    merge,
    origin,
    payload: (fork = false) => ({
      number: 7,
      repository: REPOSITORY,
      pull_request: {
        number: 7,
        head: { sha: head, ref: 'feature', repo: { id: fork ? 99 : 1 } },
        base: { sha: base, ref: 'main', repo: { id: 1 } },
      },
    }),
    async push(plugin) {
      await place(origin, plugin)
      return checkedOut(folder, origin, base, number + 1)
    },
  }
}

/** Makes the loopback GitHub know the pull request as it is now. */
export function announce(fake: FakeGitHub, { head, base }: PullRequest, fork = false): void {
  const [head_owner, head_repo_id] = fork ? ['eve', 99] : ['octo', 1]
  fake.state.pulls.splice(0, fake.state.pulls.length, {
    number: 7,
    head_sha: head,
    head_ref: 'feature',
    head_owner,
    head_repo_id,
    base_ref: 'main',
    base_sha: base,
    files: ['plugin/SKILL.md'],
    state: 'open',
  })
}

export async function git(folder: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgsign=false']
  const { stdout } = await execute('git', [...identity, ...args], { cwd: folder })
  return stdout.trim()
}

async function place(origin: string, plugin: string): Promise<void> {
  await rm(path.join(origin, 'plugin'), { recursive: true, force: true })
  await cp(plugin, path.join(origin, 'plugin'), { recursive: true })
}

async function commit(origin: string, message: string): Promise<string> {
  await git(origin, 'add', '--all')
  await git(origin, 'commit', '--quiet', '--allow-empty', '-m', message)
  return git(origin, 'rev-parse', 'HEAD')
}
