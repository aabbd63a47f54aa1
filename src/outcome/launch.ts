import type { Browser } from 'playwright-core'
import { InfraError, UserError } from '../model/errors.ts'
import { limitPageMemory } from './memory-wall.ts'
import { DEAD_PROXY, REFUSED_DEFAULTS, RENDERING_ARGUMENTS, RESOLVER_WALL, WEBRTC_WALLS } from './walls.ts'

/** Which walls to build. Only the test of the self-test leaves any out. */
export interface Walls {
  readonly resolver: boolean
  readonly proxy: boolean
  readonly webrtc: boolean
}
export const ALL_WALLS: Walls = { resolver: true, proxy: true, webrtc: true }

export interface LaunchedBrowser {
  readonly browser: Browser
  readonly version: string
  /** Closes it, by force when it does not go within 3 s. Never throws. */
  close(): Promise<void>
}

const LAUNCH_LIMIT_MS = 30_000
const CLOSE_LIMIT_MS = 3000

/**
 * Starts a headless Chromium behind the walls.
 * @param extraArguments further command-line arguments
 * @throws UserError when the file is no browser that can be started here; InfraError (`browser_error`) when it started and failed.
 */
export async function launchBrowser(
  executablePath: string,
  extraArguments: readonly string[] = [],
  walls: Walls = ALL_WALLS,
): Promise<LaunchedBrowser> {
  const { chromium } = await import('playwright-core')
  const isRoot = process.getuid?.() === 0
  const wallArguments = [...(walls.resolver ? [RESOLVER_WALL] : []), ...(walls.webrtc ? WEBRTC_WALLS : [])]
  let browser: Browser
  try {
    browser = await chromium.launch({
      executablePath,
      headless: true,
      // Chromium refuses its sandbox to root; for anybody else it is the wall between the page's process and the machine.
      chromiumSandbox: !isRoot,
      ignoreDefaultArgs: REFUSED_DEFAULTS,
      args: [...RENDERING_ARGUMENTS, ...wallArguments, ...extraArguments],
      timeout: LAUNCH_LIMIT_MS,
      env: browserEnvironment(process.env),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(walls.proxy ? { proxy: DEAD_PROXY } : {}),
    })
  } catch (error) {
    throw launchProblem(executablePath, error)
  }
  const pid = await processId(browser)
  if (pid !== null) await limitPageMemory(pid)
  return { browser, version: browser.version(), close: async () => await closeBrowser(browser, pid) }
}

function launchProblem(executablePath: string, error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.replace(/^\[pid=\d+\]\[(?:err|out)\] /, '').trim())
  const telling =
    lines.find((line) => /error while loading|No usable sandbox|cannot open|not found|ENOENT|EACCES|ENOEXEC/i.test(line)) ?? lines[0] ?? ''
  if (/ENOENT|EACCES|ENOEXEC|error while loading|No usable sandbox|exec format/i.test(text))
    return new UserError(`the browser ${executablePath} cannot be started here: ${telling.slice(0, 300)}`)
  // It started and went away without a word: the path is of another program, or of a browser that cannot run here.
  if (/has been closed/.test(telling))
    return new UserError(`the browser ${executablePath} ended at once: is it a Chromium that runs on this machine?`)
  return new InfraError('browser_error', `the browser ${executablePath} did not start: ${telling.slice(0, 300)}`, { cause: error })
}

async function processId(browser: Browser): Promise<number | null> {
  try {
    const session = await browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    await session.detach()
    return processInfo.find((process_) => process_.type === 'browser')?.id ?? null
  } catch {
    return null
  }
}

async function closeBrowser(browser: Browser, pid: number | null): Promise<void> {
  const closing = browser.close().then(
    () => true,
    () => true,
  )
  if (await within(closing, CLOSE_LIMIT_MS)) return
  if (pid !== null) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it went meanwhile
    }
  }
  await within(closing, CLOSE_LIMIT_MS)
}

/** Whether `work` ends within `ms` milliseconds. A rejection counts as an end. */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => true,
      ),
      timeUp,
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** What a browser needs to find fonts, libraries and folders; tokens of the job are none of its business. */
const PASSED_ON =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_\w+|DISPLAY|SystemRoot|LOCALAPPDATA|APPDATA|PROGRAMFILES)$/i

function browserEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(env).filter(([name, value]) => value !== undefined && PASSED_ON.test(name))
  return Object.fromEntries(passed.map(([name, value]) => [name, value ?? '']))
}
