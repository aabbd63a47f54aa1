import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../model/schema.ts'
import { fieldsOf } from './json-fields.ts'

export interface PluginManifest {
  readonly name: string
  readonly version: string
}

/** Something in the plugin build keeps it from working; the message is one sentence for its developer. */
export class PluginError extends Error {
  override readonly name = 'PluginError'
}

/**
 * Reads `plugin.yaml` (or `plugin.yml`) of a plugin build and checks that what Hermes needs is there.
 * @throws PluginError with one sentence when something is missing or does not parse.
 */
export async function readPluginManifest(folder: string): Promise<PluginManifest> {
  const problems = await missingFiles(folder)
  if (problems.length > 0) throw new PluginError(problems.map((problem) => problem.message).join(' '))
  const file = (await isFile(join(folder, 'plugin.yaml'))) ? 'plugin.yaml' : 'plugin.yml'
  const { parse } = await import('yaml')
  let content: unknown
  try {
    content = parse(await readFile(join(folder, file), 'utf8')) as unknown
  } catch (error) {
    throw new PluginError(`${file} is not valid YAML: ${firstLine(error)}`, { cause: error })
  }
  const name = field(content, 'name')
  if (name === null) throw new PluginError(`${file} has no name.`)
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    throw new PluginError(`${file}: the name ${JSON.stringify(name)} may hold only letters, digits, dots, dashes and underscores.`)
  return { name, version: field(content, 'version') ?? '0' }
}

async function missingFiles(folder: string): Promise<Problem[]> {
  const is = await stat(folder).catch(() => null)
  if (is === null) return [{ where: folder, at: '', message: `The plugin folder ${folder} does not exist.` }]
  if (!is.isDirectory()) return [{ where: folder, at: '', message: `The plugin path ${folder} is not a folder.` }]
  const problems: Problem[] = []
  const manifest = (await isFile(join(folder, 'plugin.yaml'))) || (await isFile(join(folder, 'plugin.yml')))
  if (!manifest) problems.push({ where: folder, at: 'plugin.yaml', message: `The plugin folder ${folder} has no plugin.yaml.` })
  if (!(await isFile(join(folder, '__init__.py')))) {
    problems.push({ where: folder, at: '__init__.py', message: `The plugin folder ${folder} has no __init__.py with register(ctx).` })
  }
  return problems
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() ?? false
}

function field(content: unknown, key: string): string | null {
  const value = fieldsOf(content)[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
