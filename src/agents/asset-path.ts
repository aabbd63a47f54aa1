import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files that the agents start: beside this file in a checkout, beside `index.js` in a built `dist/`. */
export const AGENT_ASSETS = ['plugin-host.py', 'hermes-driver.py', 'hermes-version.py', 'install-hermes.sh'] as const

/** Absolute path of one of {@link AGENT_ASSETS}. Throws when the package is incomplete. */
export function agentAsset(name: (typeof AGENT_ASSETS)[number]): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, name), join(here, 'agents', name)]
  const found = candidates.find((candidate) => existsSync(candidate))
  if (found === undefined) throw new Error(`${name} is missing beside ${here}: the installation is incomplete`)
  return found
}
