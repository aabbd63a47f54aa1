import { existsSync } from 'node:fs'
import { locateBrowser } from '../../../src/outcome/browser-location.ts'

const FULL = ['/usr/bin/google-chrome-stable', '/usr/bin/google-chrome', '/usr/bin/chromium']

/** A browser to test with. */
export interface BrowserUnderTest {
  readonly name: 'headless shell' | 'full Chromium'
  readonly executablePath: string
}

/** The browser that the engine would take, and a full Chromium beside it where that is a headless shell; CHROME_BIN leaves only that one. */
export function browsersUnderTest(): readonly [BrowserUnderTest, ...BrowserUnderTest[]] {
  const chromeBin = process.env['CHROME_BIN'] ?? null
  const taken = named(locateBrowser({ explicitPath: null, chromeBin }))
  const full = chromeBin === null && taken.name === 'headless shell' ? FULL.find((file) => existsSync(file)) : undefined
  return full === undefined ? [taken] : [taken, named(full)]
}

function named(executablePath: string): BrowserUnderTest {
  return { executablePath, name: executablePath.includes('headless-shell') ? 'headless shell' : 'full Chromium' }
}
