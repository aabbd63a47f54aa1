// Proves that dist/ is what the sources build: rebuilds into a temporary folder and compares byte for byte.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildInto } from './build.ts'

/** Names every file that differs, sorted: `missing: x`, `left over: x`, `different: x`. */
export async function compareFolders(expected: string, actual: string): Promise<readonly string[]> {
  const [wanted, found] = await Promise.all([filesOf(expected), filesOf(actual)])
  const differences: string[] = []
  for (const name of new Set([...wanted, ...found])) {
    if (!found.has(name)) differences.push(`missing: ${name}`)
    else if (!wanted.has(name)) differences.push(`left over: ${name}`)
    else {
      const [a, b] = await Promise.all([readFile(path.join(expected, name)), readFile(path.join(actual, name))])
      if (!a.equals(b)) differences.push(`different: ${name} (${firstDifference(a, b)})`)
    }
  }
  return differences.sort()
}

async function filesOf(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return new Set(entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))))
}

function firstDifference(a: Buffer, b: Buffer): string {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a[at] === b[at]) at += 1
  return `first at line ${a.subarray(0, at).toString('utf8').split('\n').length}`
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '..')
  const folder = await mkdtemp(path.join(tmpdir(), 'genui-eval-dist-'))
  try {
    await buildInto(path.join(folder, 'dist'))
    const differences = await compareFolders(path.join(folder, 'dist'), path.join(root, 'dist'))
    if (differences.length > 0) {
      process.stderr.write(
        `dist/ is not what src/ builds. Run "npm run build" and commit dist/.\n  ${differences.slice(0, 20).join('\n  ')}\n`,
      )
      if (differences.length > 20) process.stderr.write(`  and ${differences.length - 20} more\n`)
      process.exitCode = 1
    } else process.stdout.write('dist/ is what src/ builds\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
