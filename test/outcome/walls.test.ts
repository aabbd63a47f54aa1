import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { InfraError, UserError } from '../../src/model/errors.ts'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { openBrowserEngine } from '../../src/outcome/engine.ts'
import { ALL_WALLS, launchBrowser } from '../../src/outcome/launch.ts'
import { openListeners, testWalls } from '../../src/outcome/walls-self-test.ts'

const executablePath = locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null })
const folder = await mkdtemp(path.join(tmpdir(), 'walls-'))
after(async () => await rm(folder, { recursive: true }))

for (const [what, walls, leaks] of [
  ['all walls', ALL_WALLS, null],
  ['no WebRTC policy', { ...ALL_WALLS, webrtc: false }, /UDP datagram/],
  ['neither resolver rule nor proxy', { ...ALL_WALLS, resolver: false, proxy: false }, /TCP connect/],
  ['no resolver rule, the proxy alone', { ...ALL_WALLS, resolver: false }, null],
  ['no proxy, the resolver rule alone', { ...ALL_WALLS, proxy: false }, null],
] as const)
  test(`self-test with ${what}: ${leaks === null ? 'nothing gets out' : 'refuses to render'}`, async () => {
    const listeners = await openListeners()
    const launched = await launchBrowser(executablePath, [listeners.browserArgument], walls)
    try {
      const testing = testWalls(launched.browser, listeners)
      if (leaks === null) await testing
      else
        await assert.rejects(
          testing,
          (error) => error instanceof InfraError && error.infraClass === 'browser_error' && leaks.test(error.message),
        )
    } finally {
      await launched.close()
      listeners.close()
    }
  })

test('a page may take no more than 3 GB', async (context) => {
  if (!existsSync('/usr/bin/prlimit')) return context.skip('no prlimit here')
  const launched = await launchBrowser(executablePath)
  try {
    const page = await (await launched.browser.newContext()).newPage()
    await page.goto('data:text/html,page')
    const session = await launched.browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const pages = processInfo.filter(({ type }) => type === 'renderer')
    assert.ok(pages.length > 0)
    for (const { id } of pages) assert.match(await readFile(`/proc/${id}/limits`, 'utf8'), /Max data size +3221225472 +3221225472/)
  } finally {
    await launched.close()
  }
})

test('a browser path that is no browser is the user’s mistake, in one sentence', async () => {
  const script = path.join(folder, 'not-executable')
  await writeFile(script, 'x')
  await chmod(script, 0o644)
  const options = { network: { kind: 'none' }, webview: { kind: 'top' } } as const
  for (const bad of [path.join(folder, 'missing'), script, folder])
    await assert.rejects(
      openBrowserEngine({ ...options, executablePath: bad }),
      (error) => error instanceof UserError && error.message.includes(bad) && !error.message.includes('\n'),
    )
})

test('a program that is no browser does not start', async () => {
  const script = path.join(folder, 'false')
  await writeFile(script, '#!/bin/sh\nexit 3\n')
  await chmod(script, 0o755)
  await assert.rejects(
    launchBrowser(script),
    (error) =>
      (error instanceof InfraError || error instanceof UserError) && error.message.includes(script) && !error.message.includes('\n'),
  )
})

test('CHROME_BIN is second to an explicit path and first before what is installed', () => {
  const shell = process.execPath
  assert.equal(locateBrowser({ explicitPath: null, chromeBin: shell }), shell)
  assert.equal(locateBrowser({ explicitPath: executablePath, chromeBin: shell }), executablePath)
  assert.throws(() => locateBrowser({ explicitPath: null, chromeBin: '/no/such/chrome' }), /CHROME_BIN is "\/no\/such\/chrome"/)
})

test('where there is no browser, the user is told what to install', () => {
  assert.throws(
    () => locateBrowser({ explicitPath: null, platform: 'aix' }),
    (error) => error instanceof UserError && /install/.test(error.message),
  )
  assert.throws(() => locateBrowser({ explicitPath: null, platform: 'win32' }), /Google Chrome/)
})
