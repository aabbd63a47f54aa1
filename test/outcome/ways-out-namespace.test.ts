import assert from 'node:assert/strict'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { browsersUnderTest } from './hostile/browsers.ts'
import type { NamespaceReport, WhatLeft } from './hostile/in-namespace.ts'
import { findNamespaces, type Namespaces } from './hostile/network-namespace.ts'

const FEWEST_LIVE = 60
const NOTHING: WhatLeft = {
  arrived: {},
  other_names: [],
  packets: { ipv4_packets: 0, udp_datagrams: 0, udp6_datagrams: 0, tcp_connects: 0 },
}

const namespaces = await findNamespaces()
const skip =
  typeof namespaces === 'string'
    ? `${namespaces}. Not proven here: that no page asks DNS, and that no packet at all leaves; the loopback listeners of ways-out.test.ts see connects and datagrams to them only`
    : false
if (skip !== false) console.log(skip)
after(async () => {
  if (typeof namespaces !== 'string') await namespaces.close()
})

async function tryInside(within: Namespaces, executablePath: string): Promise<NamespaceReport> {
  const report = await within.run([process.execPath, path.join(import.meta.dirname, 'hostile', 'in-namespace.ts'), executablePath])
  return JSON.parse(report) as NamespaceReport
}

for (const { name, executablePath } of browsersUnderTest())
  describe(`every way out, in a network namespace with a DNS server of its own: ${name}`, { skip }, () => {
    let report: Promise<NamespaceReport> | null = null
    const tried = async (): Promise<NamespaceReport> => {
      report ??= typeof namespaces === 'string' ? Promise.reject(new Error(namespaces)) : tryInside(namespaces, executablePath)
      return await report
    }

    test('without walls questions, connects and datagrams arrive', async (context) => {
      const { ways, without_walls } = await tried()
      const by = (kind: string): string[] =>
        Object.entries(without_walls.arrived).flatMap(([id, kinds]) => (kinds.includes(kind) ? [id] : []))
      const [dns, tcp, udp] = [by('DNS query'), by('TCP connect'), by('UDP datagram')]
      const live = Object.keys(without_walls.arrived).length
      context.diagnostic(`${live} of ${ways} ways are live: ${dns.length} ask DNS, ${tcp.length} connect, ${udp.length} send datagrams`)
      context.diagnostic(`packets: ${JSON.stringify(without_walls.packets)}`)
      assert.ok(live >= FEWEST_LIVE, `only ${live} ways are live, so the next tests prove little`)
      assert.ok(dns.length >= FEWEST_LIVE - 10 && tcp.length >= FEWEST_LIVE - 10, `${dns.length} ask DNS, ${tcp.length} connect`)
      assert.ok(udp.includes('web transport') && udp.includes('stun'), `datagrams only by ${udp.join(', ')}`)
    })

    test('behind the walls not one packet of the browser leaves, loopback included', async () => {
      assert.deepEqual((await tried()).in_the_engine, NOTHING)
    })

    test('the command-line walls alone suffice', async () => {
      assert.deepEqual((await tried()).by_command_line_alone, NOTHING)
    })
  })
