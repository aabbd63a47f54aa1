import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { InfraError } from '../model/errors.ts'
import { within } from './launch.ts'

/** Loopback listeners of the engine's own. They count whatever arrives and answer nothing. */
export interface Listeners {
  readonly tcpPort: number
  readonly udpPort: number
  /** What arrived so far, in words. */
  readonly arrived: readonly string[]
  /** Chromium argument that declares the listeners public: else its own protection of local networks would hide a missing wall. */
  readonly browserArgument: string
  close(): void
}

/** A page that tries every kind of road; a missing wall shows within a few hundred milliseconds on a busy machine. */
const TRYING_MS = 350
const TEST_LIMIT_MS = 10_000
const TEST_ORIGIN = 'https://walls.hermes.test/'

/** Opens a TCP and a UDP listener on free loopback ports. */
export async function openListeners(): Promise<Listeners> {
  const arrived: string[] = []
  const tcp: Server = createServer((socket) => {
    arrived.push('TCP connect')
    socket.on('error', () => undefined)
    socket.destroy()
  })
  const udp: Socket = createSocket('udp4', () => arrived.push('UDP datagram'))
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  tcp.unref()
  udp.unref()
  const address = tcp.address()
  const tcpPort = address !== null && typeof address === 'object' ? address.port : 0
  const udpPort = udp.address().port
  return {
    tcpPort,
    udpPort,
    arrived,
    browserArgument: `--ip-address-space-overrides=127.0.0.1:${tcpPort}=public,127.0.0.1:${udpPort}=public`,
    close() {
      tcp.close()
      udp.close()
    },
  }
}

/**
 * Proves the walls of a running browser with nothing but its command line: no request is intercepted but the test page itself.
 * @throws InfraError (`browser_error`) when anything arrives, or the page that should try did not run: untrusted pages must not be rendered then.
 */
export async function testWalls(browser: Browser, listeners: Listeners): Promise<void> {
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false })
  try {
    const tried = tryEveryRoad(await context.newPage(), await context.newPage(), listeners)
    if (!(await within(tried, TEST_LIMIT_MS)))
      throw new InfraError('browser_error', 'the self-test of the network walls did not end; no page is rendered')
    await tried
  } finally {
    await within(context.close(), 3000)
  }
  if (listeners.arrived.length > 0) {
    const seen = [...new Set(listeners.arrived)].join(', ')
    throw new InfraError(
      'browser_error',
      `the browser's network walls leak (${seen} reached a loopback listener in the self-test); no untrusted page is rendered in it`,
    )
  }
}

async function tryEveryRoad(page: Page, navigating: Page, listeners: Listeners): Promise<void> {
  await page.route(TEST_ORIGIN, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>walls</title>' }))
  await page.goto(TEST_ORIGIN)
  const [attempts] = await Promise.all([
    page.evaluate(attempt, { tcp: listeners.tcpPort, udp: listeners.udpPort, ms: TRYING_MS }),
    navigating.goto(`http://127.0.0.1:${listeners.tcpPort}/navigation`).catch(() => undefined),
  ])
  if (attempts < 5)
    throw new InfraError('browser_error', `the self-test of the network walls could try only ${attempts} of 6 roads; no page is rendered`)
}

/** Runs in the test page; returns how many roads could be tried. */
async function attempt({ tcp, udp, ms }: { tcp: number; udp: number; ms: number }): Promise<number> {
  let tried = 0
  const attempts: (() => unknown)[] = [
    () => void fetch(`http://127.0.0.1:${tcp}/fetch`, { mode: 'no-cors' }).catch(() => undefined),
    () => {
      new Image().src = `http://127.0.0.1:${tcp}/image`
    },
    () => navigator.sendBeacon(`http://127.0.0.1:${tcp}/beacon`, 'x'),
    () => new SharedWorker(`data:text/javascript,new WebSocket('ws://127.0.0.1:${tcp}/shared-worker')`),
    () => {
      const transport = new WebTransport(`https://127.0.0.1:${udp}/transport`)
      void transport.ready.catch(() => undefined)
      void transport.closed.catch(() => undefined)
    },
    async () => {
      const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udp}` }] })
      connection.createDataChannel('walls')
      await connection.setLocalDescription(await connection.createOffer())
    },
  ]
  for (const one of attempts) {
    try {
      await one()
      tried += 1
    } catch {
      // this browser does not know the road
    }
  }
  await new Promise((resolve) => setTimeout(resolve, ms))
  return tried
}
