import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { UserError } from '../model/errors.ts'
import { agentAsset } from './asset-path.ts'

const run = promisify(execFile)

export interface HermesInstallation {
  readonly python: string
  /** Version that the package reports, with the commit when it is a checkout. */
  readonly version: string
}

/** Where `scripts/install-hermes.sh` puts a version: `.genui-eval/` of this project, in a checkout and beside a built `dist/`. */
export function hermesFolder(version: string, cacheFolder: string | null): string {
  return join(cacheFolder ?? join(projectFolder(), '.genui-eval'), `hermes-${version}`)
}

function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) || folder.endsWith('dist')) {
    if (dirname(folder) === folder) return dirname(fileURLToPath(import.meta.url))
    folder = dirname(folder)
  }
  return folder
}

/**
 * Installs Hermes Agent into a virtual environment unless it is there already, and returns its interpreter.
 * @throws UserError with the reason when something is missing
 */
export async function installHermes(version: string, cacheFolder: string | null, onProgress: (line: string) => void): Promise<string> {
  const child = spawn('bash', [agentAsset('install-hermes.sh'), version, hermesFolder(version, cacheFolder)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let lastOut = ''
  let lastError = ''
  createInterface({ input: child.stdout }).on('line', (line) => (lastOut = line))
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastError = line
    onProgress(line)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      lastError = `bash could not be started (${error.message})`
      resolve(null)
    })
    child.once('close', resolve)
  })
  if (code !== 0) throw new UserError(`Hermes Agent ${version} could not be installed: ${lastError}`)
  return lastOut.trim()
}

/**
 * Asks an interpreter which Hermes Agent it has.
 * @throws UserError when it has none
 */
export async function askHermes(python: string): Promise<HermesInstallation> {
  const ask = `
import importlib.metadata, importlib.util, pathlib, subprocess
spec = importlib.util.find_spec("run_agent")
assert spec is not None, "there is no run_agent module"
try:
    version = importlib.metadata.version("hermes-agent")
except importlib.metadata.PackageNotFoundError:
    version = "unknown"
folder = pathlib.Path(spec.origin).parent
if (folder / ".git").exists():
    commit = subprocess.run(["git", "-C", str(folder), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
    version += "+" + commit if commit else ""
print(version)
`
  try {
    const { stdout } = await run(python, ['-I', '-c', ask], { timeout: 60_000 })
    return { python, version: stdout.trim() }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : String(error)
    throw new UserError(
      `The interpreter ${python} has no Hermes Agent (${said}): install it there, or leave python out to have it installed.`,
    )
  }
}
