import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A DNS server that knows every name. */
export interface DnsServer {
  close(): void
}

const HEADER_BYTES = 12
const TYPE_A = 1

/**
 * Listens on 127.0.0.1:53, by UDP and by TCP, and answers every question for an IPv4 address with `address`; other types have no answer.
 * @param onQuestion told every name asked for, in lower case
 */
export async function openDnsServer(address: string, onQuestion: (name: string) => void): Promise<DnsServer> {
  const udp = createSocket('udp4', (query, from) => {
    const reply = answer(query, address, onQuestion)
    if (reply !== null) udp.send(reply, from.port, from.address)
  })
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const reply = answer(data.subarray(2), address, onQuestion)
      if (reply === null) return socket.destroy()
      const length = Buffer.alloc(2)
      length.writeUInt16BE(reply.length)
      socket.write(Buffer.concat([length, reply]))
      return undefined
    })
  })
  udp.bind(53, '127.0.0.1')
  tcp.listen(53, '127.0.0.1')
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')])
  return {
    close() {
      udp.close()
      tcp.close()
    },
  }
}

function answer(query: Buffer, address: string, onQuestion: (name: string) => void): Buffer | null {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  if (query.length < end) return null
  onQuestion(labels.join('.').toLowerCase())
  const header = Buffer.from(query.subarray(0, HEADER_BYTES))
  const known = query.readUInt16BE(at + 1) === TYPE_A
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(known ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  // A pointer to the name in the question, type, class, 60 s, 4 bytes of address.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...(known ? [record] : [])])
}
