/** Golden files: what a reader gets, kept beside the tests. `UPDATE_GOLDEN=1` writes them anew. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('./golden/', import.meta.url)

export function matchesGolden(name: string, text: string): void {
  const file = fileURLToPath(new URL(name, FOLDER))
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, `${text}\n`)
    return
  }
  assert.equal(`${text}\n`, readFileSync(file, 'utf8'), `${name} differs; look at it and run with UPDATE_GOLDEN=1 if it is right`)
}
