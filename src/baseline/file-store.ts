import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BaselineStore } from './refresh-store.ts'

/** The baseline as a file on disk, for local work; the version is its content's hash, and a write replaces the file whole. */
export function fileStore(file: string): BaselineStore {
  const read = async () => {
    const text = await readFile(file, 'utf8').catch(() => null)
    return {
      text,
      version: createHash('sha256')
        .update(text ?? '')
        .digest('hex'),
    }
  }
  return {
    name: file,
    read,
    async write(text, version) {
      if ((await read()).version !== version) return { kind: 'moved' }
      await mkdir(dirname(file), { recursive: true })
      await writeFile(`${file}.new`, text)
      await rename(`${file}.new`, file)
      return { kind: 'written', commit: 'working tree' }
    },
    // A file holds no history: the caller's run is taken for the newest.
    newerThan: async () => new Set(),
  }
}
