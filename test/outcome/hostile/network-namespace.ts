import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** An address in the namespace that is as good as one of the internet: publicly routable, and everything sent to it arrives at the namespace's own listeners. */
export const FAR_ADDRESS = '11.99.99.44'
export const FAR_ADDRESS_6 = '2600:9999::7'

/**
 * Loopback, a network card that looks real (WebRTC and the resolver want one) and a route by which every address of the world is this machine; the DNS server is the namespace's own.
 * "$1" is the resolv.conf to use; the rest is the command to run.
 */
const SET_UP = `set -e
mount --make-rprivate /
ip link set lo up
ip link add card type veth peer name nowhere
ip addr add 11.22.33.1/24 dev card
ip link set card up
ip link set nowhere up
ip route add local default dev lo
ip -6 addr add 2600:1234::1/64 dev card nodad 2>/dev/null || true
ip -6 route add local default dev lo 2>/dev/null || true
mount --bind "$1" "$(readlink -f /etc/resolv.conf)"
shift
exec "$@"`

const LARGEST_OUTPUT = 20_000_000

/** Runs commands in fresh network namespaces. */
export interface Namespaces {
  /** What the command wrote to its standard output. */
  run(command: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** A way to make namespaces on this machine, or the reason why there is none. */
export async function findNamespaces(): Promise<Namespaces | string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'namespace-'))
  const resolver = path.join(folder, 'resolv.conf')
  await writeFile(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n')
  const close = async (): Promise<void> => await rm(folder, { recursive: true, force: true })
  const reasons: string[] = []
  for (const prefix of prefixes()) {
    const command = (inside: readonly string[]): [string, string[]] => {
      const [file = '', ...rest] = [...prefix, 'sh', '-c', SET_UP, 'sh', resolver, ...inside]
      return [file, rest]
    }
    try {
      await run(...command(['true']))
    } catch (error) {
      reasons.push(`${prefix.join(' ')}: ${complaint(error)}`)
      continue
    }
    const runInside = async (inside: readonly string[]): Promise<string> => {
      try {
        return (await run(...command(inside), { maxBuffer: LARGEST_OUTPUT })).stdout
      } catch (error) {
        throw new Error(`in the network namespace: ${complaint(error)}`, { cause: error })
      }
    }
    return { close, run: runInside }
  }
  await close()
  return `no network namespace can be made here (${reasons.join('; ') || `not on ${process.platform}`})`
}

/** What a failed command wrote to its standard error, without the script that it was given. */
function complaint(error: unknown): string {
  const written = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return written === '' ? String(error instanceof Error && 'code' in error ? error.code : error) : written
}

function prefixes(): string[][] {
  if (process.platform !== 'linux') return []
  if (process.getuid?.() === 0) return [['unshare', '--net', '--mount']]
  return [
    ['unshare', '--map-root-user', '--net', '--mount'],
    ['sudo', '--non-interactive', '--preserve-env', 'unshare', '--net', '--mount'],
  ]
}
