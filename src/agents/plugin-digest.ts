import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const IGNORED = new Set(['__pycache__', '.git', '.venv', 'node_modules', '.genui-eval'])

/** `sha256:` over names and contents of a plugin build, so that a resumed run never mixes two builds. */
export async function pluginDigest(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await filesBelow(folder)) {
    const bytes = await readFile(file)
    hash.update(`${relative(folder, file).split(sep).join('/')}\0${bytes.length}\0`).update(bytes)
  }
  return `sha256:${hash.digest('hex')}`
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (IGNORED.has(entry.name)) return []
      if (entry.isDirectory()) return filesBelow(path)
      return entry.isFile() ? [path] : []
    }),
  )
  return nested.flat().sort()
}
