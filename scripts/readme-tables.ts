// Writes the tables of inputs and outputs in README.md from action.yml; `--check` only says whether they are up to date.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from 'markdown-table'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..')

interface Entry {
  readonly description: string
  readonly default?: string
  readonly required?: boolean
}

interface Manifest {
  readonly inputs: Readonly<Record<string, Entry>>
  readonly outputs: Readonly<Record<string, Entry>>
}

/** The README with the text between its markers made anew. Throws when a pair of markers is missing. */
export function withTables(readme: string, manifest: Manifest): string {
  return between(between(readme, 'inputs', inputsTable(manifest)), 'outputs', outputsTable(manifest))
}

function inputsTable({ inputs }: Manifest): string {
  const rows = Object.entries(inputs).map(([name, entry]) => [`\`${name}\``, cell(entry.description), defaultOf(entry)])
  return markdownTable([['input', 'what it says', 'default'], ...rows], { padding: true, alignDelimiters: false })
}

function outputsTable({ outputs }: Manifest): string {
  const rows = Object.entries(outputs).map(([name, entry]) => [`\`${name}\``, cell(entry.description)])
  return markdownTable([['output', 'what it says'], ...rows], { alignDelimiters: false })
}

function defaultOf(entry: Entry): string {
  return entry.default === undefined || entry.default === '' ? '' : `\`${entry.default}\``
}

function cell(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

function between(text: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no ${start} … ${end}`)
  return `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`
}

if (import.meta.main) {
  const file = join(ROOT, 'README.md')
  const [readme, action] = await Promise.all([readFile(file, 'utf8'), readFile(join(ROOT, 'action.yml'), 'utf8')])
  const manifest: Manifest = parse(action)
  const fresh = withTables(readme, manifest)
  if (!process.argv.includes('--check')) await writeFile(file, fresh)
  else if (fresh !== readme) {
    process.stderr.write('README.md does not match action.yml: run node scripts/readme-tables.ts\n')
    process.exitCode = 1
  }
}
