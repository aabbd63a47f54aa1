import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { mirrorFileFor, type MirrorFile } from './mirror-catalogue.ts'

const here = path.dirname(fileURLToPath(import.meta.url))
const contents = new Map<string, Promise<string | null>>()

/**
 * Script text that answers for a CDN address, or null when the mirror has none. Read once, then kept.
 * A built program reads from the folder `mirror` beside it (made by the build), a checkout from `node_modules`.
 */
export async function mirrored(address: string): Promise<string | null> {
  const file = mirrorFileFor(address)
  if (file === null) return null
  const key = `${file.package}/${file.file}`
  const known = contents.get(key) ?? readMirrorFile(file)
  contents.set(key, known)
  return await known
}

async function readMirrorFile(file: MirrorFile): Promise<string | null> {
  const place = mirrorFolders()
    .map((folder) => path.join(folder, file.package, file.file))
    .find((candidate) => existsSync(candidate))
  return place === undefined ? null : await readFile(place, 'utf8')
}

function mirrorFolders(): string[] {
  const folders = [path.join(here, 'mirror')]
  for (let folder = here; ; folder = path.dirname(folder)) {
    folders.push(path.join(folder, 'node_modules'))
    if (path.dirname(folder) === folder) return folders
  }
}
