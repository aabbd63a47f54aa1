import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** Files that are text; pictures are left alone. */
const TEXT = new Set(['.json', '.jsonl', '.html', '.xml', '.md', '.txt', '.log'])

/**
 * Takes secrets out of every text file of a run before it is uploaded. The relay and the agents keep the key from the run in the first
 * place; this is for what a model service quotes and a plugin digs up. Links are not followed.
 */
export async function redactRunFolder(folder: string, redact: (text: string) => string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || !TEXT.has(extname(entry.name))) continue
    const file = join(entry.parentPath, entry.name)
    const text = await readFile(file, 'utf8')
    const clean = redact(text)
    if (clean !== text) await writeFile(file, clean)
  }
}
