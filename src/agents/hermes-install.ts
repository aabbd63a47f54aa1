import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { UserError } from '../model/errors.ts'
import { agentAsset } from './asset-path.ts'
import { forgetGroup, killGroup, rememberGroup } from './left-behind.ts'
import { ownInterpreter, type HermesSource } from './hermes-source.ts'

const run = promisify(execFile)

export interface HermesInstallation {
  readonly python: string
  /** Checkout whose code is run, whatever the interpreter has installed; null = the installed package. */
  readonly checkout: string | null
  /** Version that the package reports, with the commit when it is a checkout. */
  readonly version: string
}

interface HermesPlace {
  /** Interpreter that the user named; null = find or make one. */
  readonly python: string | null
  /** Where environments are kept; null = `.genui-eval/` of this project. */
  readonly cacheFolder: string | null
  readonly onProgress: (line: string) => void
  /** Ends an installation. */
  readonly signal?: AbortSignal
}

/**
 * Finds Hermes Agent where the source says, installs it where it has to be installed, and asks it for its version.
 * @throws UserError with the reason when it is not there, cannot be installed, or two inputs contradict each other
 */
export async function openHermes(source: HermesSource, place: HermesPlace): Promise<HermesInstallation> {
  const given = await givenInterpreter(source, place.python)
  if (source.kind === 'interpreter') return askHermes(given ?? source.python)
  const what = source.kind === 'checkout' ? source.folder : source.version
  return askHermes(given ?? (await installHermes(what, hermesFolder(source, place.cacheFolder), place)), checkoutOf(source))
}

/**
 * The Hermes Agent that is there already; null when it would have to be installed first.
 * @throws UserError when what is there is none
 */
export async function findHermes(source: HermesSource, python: string | null): Promise<HermesInstallation | null> {
  const given = await givenInterpreter(source, python)
  if (source.kind === 'interpreter') return askHermes(given ?? source.python)
  const installed = join(hermesFolder(source, null), 'bin', 'python')
  const found = given ?? (existsSync(installed) ? installed : null)
  return found === null ? null : askHermes(found, checkoutOf(source))
}

const checkoutOf = (source: HermesSource): string | null => (source.kind === 'checkout' ? source.folder : null)

/** What the user named, or what lies in the checkout as its developers have it. */
async function givenInterpreter(source: HermesSource, python: string | null): Promise<string | null> {
  if (source.kind === 'interpreter' && python !== null && python !== source.python)
    throw new UserError(`hermes-version names the interpreter ${source.python} and python names ${python}: leave one of the two out.`)
  return python ?? (source.kind === 'checkout' ? ownInterpreter(source.folder) : null)
}

/** Where a release or a checkout is installed: `.genui-eval/` of this project, in a checkout and beside a built `dist/`. */
function hermesFolder(source: Exclude<HermesSource, { kind: 'interpreter' }>, cacheFolder: string | null): string {
  const name = source.kind === 'release' ? source.version : `checkout-${source.digest}`
  return join(cacheFolder ?? join(projectFolder(), '.genui-eval'), `hermes-${name}`)
}

function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) || folder.endsWith('dist')) {
    if (dirname(folder) === folder) return dirname(fileURLToPath(import.meta.url))
    folder = dirname(folder)
  }
  return folder
}

/** Makes the virtual environment unless it is there already, and returns its interpreter. `what` = release or folder of a checkout. */
async function installHermes(what: string, folder: string, { onProgress, signal }: HermesPlace): Promise<string> {
  // A group of its own, so that pip ends with it.
  const child = spawn('bash', [agentAsset('install-hermes.sh'), what, folder], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const { pid } = child
  if (pid !== undefined) rememberGroup(pid, `GENUI_EVAL_CHILD=install-${pid}`)
  const stop = (): void => {
    if (pid !== undefined) killGroup(pid)
  }
  signal?.addEventListener('abort', stop, { once: true })
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
  signal?.removeEventListener('abort', stop)
  if (pid !== undefined) forgetGroup(pid)
  if (code !== 0) throw new UserError(`Hermes Agent ${what} could not be installed: ${lastError}`)
  return lastOut.trim()
}

/**
 * Asks an interpreter which Hermes Agent it has, or which one a checkout is when this interpreter runs it.
 * @throws UserError when it has none
 */
async function askHermes(python: string, checkout: string | null = null): Promise<HermesInstallation> {
  try {
    const { stdout } = await run(python, ['-I', '-B', agentAsset('hermes-version.py'), ...(checkout === null ? [] : [checkout])], {
      timeout: 60_000,
    })
    return { python, checkout, version: stdout.trim() }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : String(error)
    throw new UserError(
      checkout === null
        ? `The interpreter ${python} has no Hermes Agent (${said}): install it there, or leave python out to have it installed.`
        : `The interpreter ${python} cannot run the Hermes Agent in ${checkout} (${said}): install its dependencies there, or leave python out to have them installed.`,
    )
  }
}
