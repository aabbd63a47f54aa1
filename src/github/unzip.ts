import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { UserError } from '../model/errors.ts'

export interface UnzipLimits {
  /** Bytes of the archive itself. */
  readonly archive_bytes: number
  readonly files: number
  /** Unpacked bytes of one file. */
  readonly file_bytes: number
  /** Unpacked bytes of all. */
  readonly bytes: number
}

export const ARTIFACT_LIMITS: UnzipLimits = {
  archive_bytes: 200 * 2 ** 20,
  files: 20_000,
  file_bytes: 64 * 2 ** 20,
  bytes: 1024 * 2 ** 20,
}

const REGULAR_FILE = 0o100000
const FILE_TYPE = 0o170000

/**
 * Unpacks an archive of a stranger into an empty folder: plain files only, inside the folder, never one over another, within the limits, which
 * are counted on the bytes that really come out. Returns the relative paths. Throws UserError on the first offence.
 */
export async function unzipInto(archive: string, folder: string, limits: UnzipLimits): Promise<readonly string[]> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }).catch(
    (error: unknown) => {
      throw refused(error instanceof Error ? error.message : String(error))
    },
  )
  const written: string[] = []
  let left = limits.bytes
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      const relative = safePath(entry, written, limits)
      const target = path.join(folder, ...relative.split('/'))
      await mkdir(path.dirname(target), { recursive: true })
      left -= await writeEntry(zip, entry, target, Math.min(left, limits.file_bytes))
      written.push(relative)
    }
  } catch (error) {
    throw error instanceof UserError ? error : refused(error instanceof Error ? error.message : String(error))
  } finally {
    zip.close()
  }
  return written.sort()
}

function safePath(entry: Entry, written: readonly string[], limits: UnzipLimits): string {
  const name = entry.fileName
  if (written.length >= limits.files) throw refused(`it holds more than ${limits.files} files`)
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
  if (type !== 0 && type !== REGULAR_FILE) throw refused(`"${shown(name)}" is a link or device`)
  const segments = name.split('/')
  const escapes = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  // oxlint-disable-next-line no-control-regex
  if (escapes || /[\\:\u0000-\u001F]/.test(name) || name.length > 1_000) throw refused(`"${shown(name)}" is no plain path inside it`)
  return name
}

async function writeEntry(zip: ZipFile, entry: Entry, target: string, most: number): Promise<number> {
  if (entry.uncompressedSize > most) throw refused(`"${shown(entry.fileName)}" unpacks to more than ${most} bytes`)
  const stream: Readable = await zip.openReadStreamPromise(entry)
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > most ? refused(`"${shown(entry.fileName)}" unpacks to more than ${most} bytes`) : null, chunk)
    },
  })
  // wx: two entries of one name, or of names that this file system takes for one, must not overwrite each other
  await pipeline(stream, meter, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  return bytes
}

function refused(why: string): UserError {
  return new UserError(`The downloaded artifact is refused: ${why}.`)
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 80)).slice(1, -1)
}
