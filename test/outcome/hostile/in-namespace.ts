// Tries every way out inside a network namespace of its own; prints a NamespaceReport. node in-namespace.ts BROWSER_PATH
import { readFile } from 'node:fs/promises'
import { openDnsServer } from './dns-server.ts'
import { openDoor, type Door } from './doors.ts'
import { FAR_ADDRESS, FAR_ADDRESS_6 } from './network-namespace.ts'
import { NO_WALLS, tryWays, type Dwell, type Trial } from './try-ways.ts'
import { ALL_WALLS } from '../../../src/outcome/launch.ts'
import { WAYS_OUT } from './ways-out.ts'

/** What left the pages, and the browser itself, in one trial of all ways. */
export interface WhatLeft {
  /** What arrived by each way that anything arrived by. */
  readonly arrived: Readonly<Record<string, readonly string[]>>
  /** Names asked for that no page had mentioned. */
  readonly other_names: readonly string[]
  /** The kernel's own counts for the namespace, loopback included. */
  readonly packets: PacketCounts
}

/** Counts of one network namespace. */
export interface PacketCounts {
  readonly ipv4_packets: number
  readonly udp_datagrams: number
  readonly udp6_datagrams: number
  readonly tcp_connects: number
}

export interface NamespaceReport {
  readonly ways: number
  readonly without_walls: WhatLeft
  readonly in_the_engine: WhatLeft
  readonly by_command_line_alone: WhatLeft
}

if (import.meta.main) await main(process.argv[2] ?? '')

async function main(executablePath: string): Promise<void> {
  const doors: Door[] = []
  for (const [index, way] of WAYS_OUT.entries())
    // By name both the question and the connect are seen, so that one page is enough where each way needs its own.
    for (const host of [`w${index}.example.net`, ...(way.alone === true ? [] : [FAR_ADDRESS, FAR_ADDRESS_6])])
      doors.push(await openDoor(way, host, '::'))
  const byName = new Map(doors.map((door) => [door.host, door]))
  let otherNames: string[] = []
  const dns = await openDnsServer(FAR_ADDRESS, (name) => {
    // Also `_8443._https.w1.example.net`, the question for an HTTPS record.
    const door = byName.get(name.replace(/^(_[^.]+\.)+/, ''))
    if (door === undefined) otherNames.push(name)
    else door.arrived.push('DNS query')
  })

  const dwell: Dwell = new Map()
  const trial = async (rest: Pick<Trial, 'walls' | 'page'>): Promise<WhatLeft> => {
    otherNames = []
    const before = await packetCounts()
    await tryWays(doors, { executablePath, browserArguments: [], ...rest }, dwell)
    const after = await packetCounts()
    const arrived: Record<string, string[]> = {}
    for (const { way, arrived: seen } of doors)
      if (seen.length > 0) arrived[way.id] = [...new Set([...(arrived[way.id] ?? []), ...seen])].sort()
    return { arrived, other_names: [...new Set(otherNames)].sort(), packets: difference(after, before) }
  }
  const report: NamespaceReport = {
    ways: WAYS_OUT.length,
    without_walls: await trial({ walls: NO_WALLS, page: 'bare' }),
    in_the_engine: await trial({ walls: ALL_WALLS, page: 'of the engine' }),
    by_command_line_alone: await trial({ walls: ALL_WALLS, page: 'bare' }),
  }
  process.stdout.write(`${JSON.stringify(report)}\n`)
  dns.close()
  for (const door of doors) door.close()
}

async function packetCounts(): Promise<PacketCounts> {
  const table = await readFile('/proc/net/snmp', 'utf8')
  const count = (protocol: string, name: string): number => {
    const [names = [], values = []] = table
      .split('\n')
      .filter((line) => line.startsWith(`${protocol}: `))
      .map((line) => line.split(' '))
    return Number(values[names.indexOf(name)])
  }
  const table6 = await readFile('/proc/net/snmp6', 'utf8').catch(() => '')
  return {
    ipv4_packets: count('Ip', 'OutRequests'),
    udp_datagrams: count('Udp', 'OutDatagrams'),
    udp6_datagrams: Number(/^Udp6OutDatagrams\s+(\d+)/m.exec(table6)?.[1] ?? 0),
    tcp_connects: count('Tcp', 'ActiveOpens'),
  }
}

function difference(after: PacketCounts, before: PacketCounts): PacketCounts {
  return {
    ipv4_packets: after.ipv4_packets - before.ipv4_packets,
    udp_datagrams: after.udp_datagrams - before.udp_datagrams,
    udp6_datagrams: after.udp6_datagrams - before.udp6_datagrams,
    tcp_connects: after.tcp_connects - before.tcp_connects,
  }
}
