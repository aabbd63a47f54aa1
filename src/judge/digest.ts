import { createHash } from 'node:crypto'

/** SHA-256 of a text in UTF-8, as hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
