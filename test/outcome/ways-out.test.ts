import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { openAppPage } from '../../src/outcome/app-page.ts'
import { locateBrowser } from '../../src/outcome/browser-location.ts'
import { ALL_WALLS, launchBrowser, type Walls } from '../../src/outcome/launch.ts'
import { WAYS_OUT, type WayOut } from './hostile/ways-out.ts'

const executablePath = locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null })

/** A listener of its own for each way, so that whatever arrives says by which way it came. */
interface Door {
  readonly way: WayOut
  readonly tcp: number
  readonly udp: number
  arrived: number
}

async function openDoor(way: WayOut): Promise<Door> {
  const tcp = createServer((socket) => {
    door.arrived += 1
    socket.on('error', () => undefined)
    socket.destroy()
  })
  const udp = createSocket('udp4', () => {
    door.arrived += 1
  })
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  const address = tcp.address()
  const door: Door = { way, tcp: typeof address === 'object' && address !== null ? address.port : 0, udp: udp.address().port, arrived: 0 }
  after(() => {
    tcp.close()
    udp.close()
  })
  return door
}

const doors = await Promise.all(WAYS_OUT.map(openDoor))
// Declared public: else Chromium's own protection of local networks would hide what would reach the internet.
const overrides = doors.flatMap(({ tcp, udp }) => [`127.0.0.1:${tcp}=public`, `127.0.0.1:${udp}=public`]).join(',')

function scriptOf({ way, tcp, udp }: Door): string {
  const script = way.script
    .replaceAll('{http}', `http://127.0.0.1:${tcp}/`)
    .replaceAll('{ws}', `ws://127.0.0.1:${tcp}/`)
    .replaceAll('{tcp}', `127.0.0.1:${tcp}`)
    .replaceAll('{udp}', `127.0.0.1:${udp}`)
  return `try { (() => { ${script} })() } catch {}`
}

function pages(): string[] {
  const alone = doors.filter(({ way }) => way.alone === true)
  const together = doors.filter(({ way }) => way.alone !== true)
  const batches: Door[][] = alone.map((door) => [door])
  for (let at = 0; at < together.length; at += 12) batches.push(together.slice(at, at + 12))
  return batches.map(
    (batch) =>
      `<!doctype html><body><p>page</p>${batch.map((door) => `<script>${scriptOf(door).replaceAll('</script', '<\\/script')}</script>`).join('')}`,
  )
}

/** Ways by which something arrived at a listener. */
async function reached(walls: Walls, intercept: boolean): Promise<string[]> {
  for (const door of doors) door.arrived = 0
  const launched = await launchBrowser(executablePath, [`--ip-address-space-overrides=${overrides}`], walls)
  try {
    for (const html of pages()) {
      if (intercept) {
        const app = await openAppPage(launched.browser, {
          html,
          network: { kind: 'mirror' },
          webview: { kind: 'top' },
          selectors: {},
          screenshotFolder: null,
          deadline: performance.now() + 10_000,
        })
        await app.load()
        await new Promise((resolve) => setTimeout(resolve, 300))
        const state = await app.observe('settled')
        assert.match(state.text.rendered, /page/)
        await app.close()
      } else {
        const context = await launched.browser.newContext()
        const page = await context.newPage()
        await page.route('https://app.hermes.test/', (route) => route.fulfill({ contentType: 'text/html', body: html }))
        await page.goto('https://app.hermes.test/', { waitUntil: 'commit' })
        await new Promise((resolve) => setTimeout(resolve, 600))
        await context.close()
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  } finally {
    await launched.close()
  }
  return doors.filter(({ arrived }) => arrived > 0).map(({ way }) => way.id)
}

test('without walls the ways lead out', async (context) => {
  const out = await reached({ resolver: false, proxy: false, webrtc: false }, false)
  context.diagnostic(
    `${out.length} of ${WAYS_OUT.length}; dead here: ${WAYS_OUT.filter(({ id }) => !out.includes(id))
      .map(({ id }) => id)
      .join(', ')}`,
  )
  assert.ok(out.length >= 60, `only ${out.length} ways are live, so the next test proves little`)
})

test('behind the walls not even a connect arrives', async () => {
  assert.deepEqual(await reached(ALL_WALLS, true), [])
})

test('the command-line walls alone suffice', async () => {
  assert.deepEqual(await reached(ALL_WALLS, false), [])
})
