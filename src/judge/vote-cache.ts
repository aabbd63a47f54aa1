import { constants } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { repeatedKey } from './repeated-key.ts'

/** Raise it when the form of an entry changes. */
const ENTRY_VERSION = 1
/** Largest entry that is read, bytes. */
const LARGEST_ENTRY = 256 * 1024

/**
 * Votes by content, one file each, so that they survive runs. An entry that is torn, forged in form, or not a plain file is as if it were
 * not there; a cache that cannot be written costs money but no verdict. Whoever can write the folder can write verdicts.
 */
export class VoteCache {
  readonly #folder: string | null
  readonly #working = new Map<string, Promise<void>>()

  /** @param folder made when first written; null = nothing is kept */
  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** The answer under a key of hex digits, unchecked; undefined when there is none. */
  async read(key: string): Promise<unknown> {
    if (this.#folder === null) return undefined
    try {
      const entry: unknown = JSON.parse(await readPlainFile(join(this.#folder, `${key}.json`)))
      if (typeof entry !== 'object' || entry === null || !('answer' in entry) || !('key' in entry) || !('version' in entry))
        return undefined
      return entry.version === ENTRY_VERSION && entry.key === key ? entry.answer : undefined
    } catch {
      return undefined
    }
  }

  async write(key: string, answer: unknown): Promise<void> {
    if (this.#folder === null) return
    const passing = join(this.#folder, `.${key}.${randomUUID()}`)
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFile(passing, `${JSON.stringify({ version: ENTRY_VERSION, key, answer })}\n`)
      await rename(passing, join(this.#folder, `${key}.json`))
    } catch {
      await rm(passing, { force: true }).catch(() => undefined)
    }
  }

  /**
   * Runs the work when nobody else works under the key, so that of two equal questions at once only one is asked.
   * @throws the signal's reason when it aborts while waiting
   */
  async alone<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#folder === null) return work()
    for (let earlier = this.#working.get(key); earlier !== undefined; earlier = this.#working.get(key)) await unlessAborted(earlier, signal)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#working.set(key, promise)
    try {
      return await work()
    } finally {
      this.#working.delete(key)
      resolve()
    }
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<never>()
  const leave = (): void => gone.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([promise, gone.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** Neither a link nor a pipe is followed: the folder may come from elsewhere. */
async function readPlainFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const about = await file.stat()
    if (!about.isFile() || about.size > LARGEST_ENTRY) throw new Error('no entry')
    const text = await file.readFile('utf8')
    if (repeatedKey(text) !== null) throw new Error('no entry')
    return text
  } finally {
    await file.close()
  }
}
