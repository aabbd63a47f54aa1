import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Tasks that come with the project: beside `src/` in a checkout and beside `dist/` in the package. */
export function ownTasksFolder(): string {
  return fileURLToPath(new URL('../tasks', import.meta.url))
}

/** The example plugin, a build that works; null where only the package is. */
export function ownExamplePlugin(): string | null {
  const folder = fileURLToPath(new URL('../examples/genui-plugin', import.meta.url))
  return existsSync(folder) ? folder : null
}
