/** Writes the published JSON Schemas from their TypeScript sources; `--check` only says whether they are current (exit code 1 when not). */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { taskSchemaText } from '../src/tasks/schema-file.ts'

const schemas = [{ file: 'tasks/task.schema.json', wanted: taskSchemaText() }]

const checkOnly = process.argv.includes('--check')
let stale = 0

for (const { file, wanted } of schemas) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const present = await readFile(path, 'utf8').catch(() => '')
  if (present === wanted) continue
  stale += 1
  if (checkOnly) {
    console.error(`${file} is not what its source in src/model says; run node scripts/write-schemas.ts`)
  } else {
    await writeFile(path, wanted)
    console.log(`wrote ${file}`)
  }
}

process.exitCode = checkOnly && stale > 0 ? 1 : 0
