import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { UserError } from '../model/errors.ts'
import { sealOwnEnvironment } from './own-environment.ts'

const run = promisify(execFile)

export interface PythonInterpreter {
  /** Absolute path of the real interpreter, not of a version manager's shim. */
  readonly path: string
  readonly version: string
}

const known = new Map<string, Promise<PythonInterpreter>>()

/**
 * Finds an interpreter of at least the given version: the one asked for, else `python3` or `python` on the PATH.
 * @throws UserError when there is none.
 */
export async function findPython(asked: string | null, minimum: readonly [number, number] = [3, 9]): Promise<PythonInterpreter> {
  const key = `${asked ?? ''}|${minimum.join('.')}`
  const search = known.get(key) ?? searchPython(asked, minimum)
  known.set(key, search)
  return search
}

async function searchPython(asked: string | null, minimum: readonly [number, number]): Promise<PythonInterpreter> {
  sealOwnEnvironment()
  const tried: string[] = []
  for (const candidate of asked === null ? ['python3', 'python'] : [asked]) {
    const found = await askVersion(candidate)
    if (found === null) tried.push(`${candidate} does not run`)
    else if (!atLeast(found.version, minimum)) tried.push(`${candidate} is ${found.version}`)
    else return found
  }
  throw new UserError(
    `Python ${minimum.join('.')} or newer is needed to run the plugin (${tried.join(', ')}): install it, or give its path with python.`,
  )
}

async function askVersion(program: string): Promise<PythonInterpreter | null> {
  const ask = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])'
  try {
    const { stdout } = await run(program, ['-I', '-c', ask], { timeout: 20_000 })
    const [path = '', version = ''] = stdout.trim().split(/\r?\n/)
    return path === '' ? null : { path, version }
  } catch {
    return null
  }
}

function atLeast(version: string, minimum: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}
