import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UserError } from '../model/errors.ts'

const run = promisify(execFile)

/** What the input `hermes-version` names. */
export type HermesSource =
  /** A release on PyPI. */
  | { readonly kind: 'release'; readonly version: string }
  /** A folder with the source of Hermes Agent; `digest` stands for its path. */
  | { readonly kind: 'checkout'; readonly folder: string; readonly digest: string }
  /** An interpreter that has Hermes Agent. */
  | { readonly kind: 'interpreter'; readonly python: string }

/** A module that every version of Hermes Agent has at its top. */
const TOP_MODULE = 'run_agent.py'

/**
 * Reads `hermes-version`: a release, the folder of a checkout, an interpreter, or the folder of a virtual environment.
 * @throws UserError when it names a place where none of these is
 */
export async function readHermesSource(version: string): Promise<HermesSource> {
  if (!/[/\\]/.test(version)) return { kind: 'release', version }
  const found = await stat(version).catch(() => null)
  if (found === null)
    throw new UserError(`hermes-version names ${version}, where nothing is: name a release, a checkout or an interpreter.`)
  if (!found.isDirectory()) return { kind: 'interpreter', python: version }
  if (await isFile(join(version, TOP_MODULE)))
    return { kind: 'checkout', folder: version, digest: createHash('sha256').update(version).digest('hex').slice(0, 12) }
  const python = await interpreterIn(version)
  if (python !== null) return { kind: 'interpreter', python }
  throw new UserError(
    `hermes-version names the folder ${version}, which is neither a checkout of Hermes Agent (it has no ${TOP_MODULE}) nor a virtual environment.`,
  )
}

/** The interpreter of the environment that lies in a checkout, as its developers have it; null when there is none that starts. */
export async function ownInterpreter(checkout: string): Promise<string | null> {
  for (const name of ['.venv', 'venv']) {
    const python = await interpreterIn(join(checkout, name))
    if (python === null) continue
    const starts = await run(python, ['-I', '-c', ''], { timeout: 20_000 }).then(
      () => true,
      () => false,
    )
    if (starts) return python
  }
  return null
}

async function interpreterIn(environment: string): Promise<string | null> {
  for (const place of [
    ['bin', 'python'],
    ['Scripts', 'python.exe'],
  ]) {
    const python = join(environment, ...place)
    if (await isFile(python)) return python
  }
  return null
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
