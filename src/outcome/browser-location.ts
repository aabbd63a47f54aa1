import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../model/errors.ts'

export interface BrowserSearch {
  /** Given by the user; when it is not there, nothing else is tried. */
  readonly explicitPath: string | null
  /** Value of CHROME_BIN, when set. Same rule. */
  readonly chromeBin?: string | null
  readonly platform?: NodeJS.Platform
  /** Folders where commands are looked for (PATH), besides the usual places. */
  readonly commandFolders?: readonly string[]
}

/** In order of preference: a headless shell renders the same in less than half the time. */
const COMMANDS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
]

const USUAL_PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [...COMMANDS.map((command) => `/usr/bin/${command}`), '/opt/google/chrome/chrome', '/snap/bin/chromium'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files\\Chromium\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

const WHAT_TO_INSTALL: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '"apt-get install chromium-headless-shell" (Debian) or Google Chrome',
  darwin: '"brew install --cask google-chrome"',
  win32: 'Google Chrome ("winget install Google.Chrome")',
}

/**
 * Path of the Chromium to use: the explicit one, CHROME_BIN, else a headless shell, Chrome or Chromium in the usual places.
 * @throws UserError naming what to install, or which given path is not an executable file.
 */
export function locateBrowser(search: BrowserSearch): string {
  const platform = search.platform ?? process.platform
  for (const [name, given] of [
    ['browser path', search.explicitPath],
    ['CHROME_BIN', search.chromeBin ?? null],
  ] as const) {
    if (given === null || given === '') continue
    if (isExecutable(given)) return given
    throw new UserError(`${name} is "${given}", which is not an executable file; give the path of a Chromium, Chrome or headless shell`)
  }
  const found = candidates(platform, search.commandFolders ?? []).find(isExecutable)
  if (found !== undefined) return found
  const advice = WHAT_TO_INSTALL[platform] ?? 'Chromium or Google Chrome'
  throw new UserError(
    `no Chromium found to render micro-apps; install ${advice}, or give its path (browser-path, or the variable CHROME_BIN)`,
  )
}

function candidates(platform: NodeJS.Platform, commandFolders: readonly string[]): string[] {
  const suffix = platform === 'win32' ? '.exe' : ''
  const byCommand = COMMANDS.flatMap((command) => commandFolders.map((folder) => path.join(folder, command + suffix)))
  return [...byCommand.filter((file) => file.includes('headless-shell')), ...(USUAL_PLACES[platform] ?? []), ...byCommand]
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
