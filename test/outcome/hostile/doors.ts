import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { WayOut } from './ways-out.ts'

/** A TCP and a UDP listener of its own for one way out by one kind of address, so that whatever arrives says by which way it came. */
export interface Door {
  readonly way: WayOut
  /** Host that the page is told: a bare address or a name. */
  readonly host: string
  readonly port: number
  /** What arrived since it was last cleared. */
  readonly arrived: ('TCP connect' | 'UDP datagram' | 'DNS query')[]
  close(): void
}

/**
 * Opens one port for both protocols on every address of this machine.
 * @param host what the page is told; a name that our DNS server resolves, or an address
 */
export async function openDoor(way: WayOut, host: string, listenOn: string): Promise<Door> {
  for (;;) {
    const arrived: Door['arrived'] = []
    const tcp = createServer((socket) => {
      arrived.push('TCP connect')
      socket.on('error', () => undefined)
      socket.destroy()
    })
    tcp.listen(0, listenOn)
    await once(tcp, 'listening')
    const address = tcp.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const udp = createSocket(listenOn.includes(':') ? 'udp6' : 'udp4', () => arrived.push('UDP datagram'))
    udp.bind(port, listenOn)
    const bound = await Promise.race([once(udp, 'listening').then(() => true), once(udp, 'error').then(() => false)])
    if (bound)
      return {
        way,
        host,
        port,
        arrived,
        close() {
          tcp.close()
          udp.close()
        },
      }
    tcp.close()
  }
}

/** The script of a way, with the addresses of its door. Only loopback counts as safe without TLS; for the rest a secure page refuses `http:` before it asks anybody. */
export function scriptOf({ way, host, port }: Door): string {
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const secure = host === '127.0.0.1' ? '' : 's'
  const script = way.script
    .replaceAll('{http}', `http${secure}://${at}/`)
    .replaceAll('{ws}', `ws${secure}://${at}/`)
    .replaceAll('{tcp}', at)
    .replaceAll('{udp}', at)
    .replaceAll('{host}', host)
    .replaceAll('{port}', String(port))
  return `try { (() => { ${script} })() } catch {}`
}
