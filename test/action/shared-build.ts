// dist/ for the tests, built once for the sources as they are: test files run as processes of their own and share it.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { buildInto } from '../../scripts/build.ts'

const root = path.join(import.meta.dirname, '..', '..')
const cache = path.join(root, 'node_modules', '.cache', 'genui-eval-build')

/** What a build is made from. */
const SOURCES = ['src', 'scripts', 'package.json', 'package-lock.json']
const DAY_MS = 24 * 3600 * 1000

/** Puts the built package into a folder that is not there yet. */
export async function copyBuiltPackage(target: string): Promise<void> {
  const built = path.join(cache, await digestOfSources())
  if (!(await isThere(built))) await buildOnce(built)
  await cp(built, target, { recursive: true })
}

/** Two processes may build at once; the first to rename wins, and either's is as good. */
async function buildOnce(target: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  await removeOld()
  const own = await mkdtemp(path.join(cache, 'building-'))
  await buildInto(own)
  await rename(own, target).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true })
    if (!(await isThere(target))) throw error
  })
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = path.join(cache, name)
    const made = await stat(folder).catch(() => null)
    if (made !== null && Date.now() - made.mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true })
  }
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesOf(path.join(root, source))) hash.update(`${path.relative(root, file)}\0`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 32)
}

async function filesOf(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place]
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  )
}
