import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { openGit } from '../baseline/git.ts'
import { UserError } from '../model/errors.ts'
import { localRepository } from './local-repository.ts'
import { baselineWorkflow, evaluationWorkflow, PLACEHOLDER_ACTION } from './workflow-files.ts'

export interface InitOptions {
  /** Folder inside the user's repository. */
  readonly folder: string
  /** Folder of the plugin, relative to `folder`; null looks for it. */
  readonly plugin: string | null
  readonly model: string
  /** Null = the Action's default. */
  readonly base_url: string | null
  /** Name of the repository secret that holds the key. */
  readonly secret: string
  /** `OWNER/REPOSITORY@REF` of the Action; null when it is not known yet. */
  readonly action: string | null
  /** Replace files that are there. */
  readonly force: boolean
}

export interface InitializedProject {
  readonly root: string
  /** Relative to the root, with `/`. */
  readonly plugin: string
  readonly branch: string
  /** Relative to the root, in order. */
  readonly written: readonly string[]
  readonly next_steps: readonly string[]
}

export const WORKFLOWS = { evaluation: '.github/workflows/genui-eval.yml', baseline: '.github/workflows/genui-eval-baseline.yml' } as const

/**
 * Writes the two workflows that a plugin's repository needs. All or nothing.
 * @throws UserError when the plugin is not found, is not unique, or a file is there already
 */
export async function initProject(options: InitOptions): Promise<InitializedProject> {
  const root = (await localRepository(options.folder)).repo_folder ?? resolve(options.folder)
  const plugin = options.plugin === null ? await findPlugin(root) : await namedPlugin(root, resolve(options.folder, options.plugin))
  const branch = await mainBranch(root)
  const settings = {
    plugin,
    branch,
    model: options.model,
    base_url: options.base_url,
    secret: options.secret,
    action: options.action ?? PLACEHOLDER_ACTION,
  }
  const files = [
    { path: WORKFLOWS.evaluation, content: evaluationWorkflow(settings) },
    { path: WORKFLOWS.baseline, content: baselineWorkflow(settings) },
  ]
  const present = await Promise.all(files.map(({ path }) => isThere(join(root, path))))
  const taken = files.filter((_, index) => present[index])
  if (taken.length > 0 && !options.force) {
    throw new UserError(
      taken.map(({ path }) => ({ where: path, at: '', message: 'is there already; nothing was written. --force replaces it' })),
    )
  }
  await mkdir(dirname(join(root, WORKFLOWS.evaluation)), { recursive: true })
  for (const { path, content } of files) await writeFile(join(root, path), content)
  return { root, plugin, branch, written: files.map(({ path }) => path), next_steps: nextSteps(options, plugin, branch) }
}

function nextSteps({ secret, action }: InitOptions, plugin: string, branch: string): string[] {
  const address = `Replace ${PLACEHOLDER_ACTION} in both workflows by the address of your copy of the Action (or write them again with --action)`
  return [
    ...(action === null ? [address] : []),
    `Store the model service's key: gh secret set ${secret}`,
    `Allow GitHub Actions to open pull requests (Settings → Actions → General), so that the baseline can be refreshed`,
    `Check this machine: npx genui-eval doctor --plugin ${plugin}`,
    `Commit both workflows to ${branch}`,
    `Make the first baseline: gh workflow run genui-eval-baseline.yml, and merge the pull request that it opens`,
    `Then require the check "genui-eval" for ${branch}; until there is a baseline, runs are inconclusive`,
  ]
}

const MANIFESTS = ['plugin.yaml', 'plugin.yml']
const NOT_LOOKED_INTO = new Set(['node_modules', 'dist', 'build', 'venv', '__pycache__', 'test', 'tests', 'fixtures'])
const DEEPEST = 4

/** The plugin's folder as the repository's only one that holds a manifest and code. */
async function findPlugin(root: string): Promise<string> {
  const found = (await manifestsBelow(root, 0)).map((folder) => shown(root, folder)).sort()
  const [only, ...others] = found
  if (only === undefined) {
    throw new UserError([
      { where: root, at: '', message: 'holds no plugin.yaml with an __init__.py beside it; name its folder with --plugin' },
    ])
  }
  if (others.length > 0) throw new UserError(`there are several plugins (${found.join(', ')}); name one with --plugin`)
  return only
}

async function manifestsBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  const own = MANIFESTS.some((name) => names.has(name)) && names.has('__init__.py') ? [folder] : []
  if (depth >= DEEPEST) return own
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_LOOKED_INTO.has(entry.name))
  return [...own, ...(await Promise.all(below.map(({ name }) => manifestsBelow(join(folder, name), depth + 1)))).flat()]
}

async function namedPlugin(root: string, folder: string): Promise<string> {
  const manifests = await Promise.all(MANIFESTS.map((name) => isThere(join(folder, name))))
  if (!manifests.includes(true))
    throw new UserError([{ where: folder, at: '', message: 'holds no plugin.yaml; name the folder of the plugin' }])
  return shown(root, folder)
}

/** Path inside the repository as a workflow spells it. */
function shown(root: string, folder: string): string {
  const path = relative(root, folder).split(sep).join('/')
  if (path.startsWith('..')) throw new UserError([{ where: folder, at: '', message: `lies outside of the repository ${root}` }])
  if (!/^[\w./@+ -]*$/.test(path))
    throw new UserError([{ where: folder, at: '', message: 'has a name that a workflow cannot hold; rename it' }])
  return path === '' ? '.' : path
}

async function mainBranch(root: string): Promise<string> {
  const git = await openGit(root).catch(() => null)
  if (git === null) return 'main'
  const remote = await git.attempt('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
  if (remote !== null && remote.includes('/')) return remote.slice(remote.indexOf('/') + 1)
  const local = ((await git.attempt('for-each-ref', '--format=%(refname:short)', 'refs/heads')) ?? '').split('\n')
  const current = await git.attempt('symbolic-ref', '--quiet', '--short', 'HEAD')
  // before the first commit there is no branch but the one that HEAD names
  const first = local.join('') === '' ? current : null
  return first ?? ['main', 'master'].find((name) => local.includes(name)) ?? 'main'
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
