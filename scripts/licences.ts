// The licences of everything that ends up in dist/, from esbuild's own account of what it used.
import type { Metafile } from 'esbuild'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** One entry a package that contributed bytes, sorted: name, version, licence, and the texts of its licence and notice files. `also`: packages copied whole. */
export async function licenceList(metafile: Metafile, root: string, also: readonly string[]): Promise<string> {
  const folders = new Set(also.map((name) => `node_modules/${name}`))
  for (const output of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = PACKAGE_FOLDER.exec(file)?.[1]
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
    }
  }
  const entries = await Promise.all([...folders].map((folder) => licenceEntry(path.join(root, folder))))
  return `${[...new Set(entries)].sort().join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}

async function licenceEntry(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const of = (name: string) => (typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, name) : undefined)
  const files = (await readdir(folder)).filter((name) => /^(?:licen[cs]e|copying|notice|thirdpartynotices)/i.test(name)).sort()
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')))
  const stated = of('license')
  const licence = typeof stated === 'string' ? stated : 'no licence stated'
  const heading = `${String(of('name'))} ${String(of('version'))} (${licence})`
  return [heading, ...texts.map((text) => text.replaceAll('\r\n', '\n').trim())].join('\n\n')
}
