// Builds dist/: one bundle (engine.js) that holds everything, three thin doors, playwright-core unmodified beside it, and the files that are read at run time.
import { build, type Metafile } from 'esbuild'
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MIRRORED_PACKAGES } from '../src/outcome/mirror-catalogue.ts'
import { licenceList } from './licences.ts'

const ROOT = path.join(import.meta.dirname, '..')

/** A door of the package: `dist/NAME.js` runs the module `file` when it is started. */
export interface Door {
  readonly name: string
  /** Relative to the root of the sources. */
  readonly file: string
  readonly shebang: boolean
}

const DOORS: readonly Door[] = [
  { name: 'index', file: 'src/main.ts', shebang: false },
  { name: 'post', file: 'src/post.ts', shebang: false },
  { name: 'cli', file: 'src/cli.ts', shebang: true },
]

/** Files that the code reads beside itself, relative to src/; copied flat, since all code lives in one file there. */
const ASSETS: readonly { readonly folder: string; readonly extension: string }[] = [
  { folder: 'agents', extension: '.py' },
  { folder: 'agents', extension: '.sh' },
]

// Bundled CommonJS packages ask for `require`, `__filename`, `__dirname`; esbuild gives an ES module none. Some bring a `__filename` of their own,
// so ours has another name and esbuild's `define` points the free ones at it.
const BANNER = `import { createRequire as __createRequire } from 'node:module'
import { fileURLToPath as __fileURLToPath } from 'node:url'
import { dirname as __dirnameOf } from 'node:path'
const require = __createRequire(import.meta.url)
const __bundleFile = __fileURLToPath(import.meta.url)
const __bundleFolder = __dirnameOf(__bundleFile)`

/** Builds the package into an empty folder. `sources` holds the doors' files and node_modules is found from there. */
export async function buildInto(out: string, sources: string = ROOT, doors: readonly Door[] = DOORS): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const metafile = await bundle(out, sources, doors)
  for (const door of doors) await writeFile(path.join(out, `${door.name}.js`), doorSource(door), { mode: door.shebang ? 0o755 : 0o644 })
  await writeFile(path.join(out, 'package.json'), '{ "type": "module" }\n')
  const copied: string[] = []
  if (drivesBrowser(metafile)) {
    await vendorPlaywright(path.join(out, 'playwright-core'))
    await copyMirror(path.join(out, 'mirror'))
    copied.push('playwright-core', ...MIRRORED_PACKAGES.map((mirrored) => mirrored.from))
  }
  for (const asset of ASSETS) await copyAssets(path.join(sources, 'src', asset.folder), asset.extension, out)
  await writeFile(path.join(out, 'licences.txt'), await licenceList(metafile, ROOT, copied))
}

async function bundle(out: string, sources: string, doors: readonly Door[]): Promise<Metafile> {
  // one lazily evaluated module a door: a door that is not opened costs its parsing only
  const engine = doors.map((door) => `export const ${door.name} = () => import(${JSON.stringify(`./${door.file}`)})`).join('\n')
  const result = await build({
    stdin: { contents: engine, resolveDir: sources, sourcefile: 'engine.ts', loader: 'ts' },
    outfile: path.join(out, 'engine.js'),
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // readable traces, and page functions that still work in a browser: no minify, no keepNames, no source map
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    banner: { js: BANNER },
    define: { __filename: '__bundleFile', __dirname: '__bundleFolder' },
    plugins: [
      {
        name: 'playwright-beside',
        setup(build) {
          build.onResolve({ filter: /^playwright-core$/ }, () => ({ path: './playwright-core/index.mjs', external: true }))
        },
      },
    ],
  })
  return result.metafile
}

function doorSource(door: Door): string {
  return `${door.shebang ? '#!/usr/bin/env node\n' : ''}import { ${door.name} } from './engine.js'\nawait ${door.name}()\n`
}

/** What launching, driving and photographing a browser needs, byte for byte as published; see docs/github.md. */
const PLAYWRIGHT_LEFT_OUT =
  /^(?:types|bin|lib\/(?:vite|tools|entry|server))(?:\/|$)|\.d\.ts$|^(?:cli\.js|README\.md|lib\/xdg-open|lib\/package\.js|lib\/serverRegistry\.js)$/

async function vendorPlaywright(out: string): Promise<void> {
  const source = path.join(ROOT, 'node_modules', 'playwright-core')
  await cp(source, out, {
    recursive: true,
    filter: (file) => !PLAYWRIGHT_LEFT_OUT.test(path.relative(source, file).split(path.sep).join('/')),
  })
}

function drivesBrowser(metafile: Metafile): boolean {
  return Object.values(metafile.outputs).some((output) => output.imports.some((one) => one.path.includes('playwright-core')))
}

/** The libraries that answer for their CDN addresses; `src/outcome/mirror.ts` reads them from here. */
async function copyMirror(out: string): Promise<void> {
  for (const { from, files } of MIRRORED_PACKAGES) {
    for (const name of new Set(files.map((one) => one.file))) {
      const target = path.join(out, from, name)
      await mkdir(path.dirname(target), { recursive: true })
      await copyFile(path.join(ROOT, 'node_modules', from, name), target)
    }
  }
}

async function copyAssets(folder: string, extension: string, out: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(extension)) continue
    await writeFile(path.join(out, entry.name), await readFile(path.join(folder, entry.name)), { flag: 'wx' })
  }
}

if (import.meta.main) {
  const [out = path.join(ROOT, 'dist')] = process.argv.slice(2)
  const started = performance.now()
  await buildInto(out)
  process.stdout.write(`built ${path.relative(process.cwd(), out) || '.'} in ${Math.round(performance.now() - started)} ms\n`)
}
