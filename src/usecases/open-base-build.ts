import type { BaseCommit } from '../baseline/base-commit.ts'
import { exportFolder } from '../baseline/export-folder.ts'
import type { RunConfig } from '../model/config.ts'

/** The build that runs beside head in a paired run; disposing removes what was written for it. */
export type BaseBuild = AsyncDisposable &
  ({ readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'none'; readonly why: string } | { readonly kind: 'unpaired' })

/** The folder that the config names, else the plugin folder as the base commit holds it. */
export async function openBaseBuild(config: RunConfig, repoFolder: string | null, base: BaseCommit | null): Promise<BaseBuild> {
  if (!config.paired) return { kind: 'unpaired', ...NOTHING_TO_REMOVE }
  if (config.base_plugin_folder !== null) return { kind: 'folder', folder: config.base_plugin_folder, ...NOTHING_TO_REMOVE }
  const none = (why: string): BaseBuild => ({ kind: 'none', why: `a paired run needs a base build: ${why}`, ...NOTHING_TO_REMOVE })
  if (repoFolder === null || base === null) return none('this folder is no git repository; name one with base-plugin')
  if (base.kind === 'none') return none(`there is no base commit: ${base.why}`)
  const found = await exportFolder({ repo_folder: repoFolder, commit: base.commit, folder: config.plugin_folder })
  if (found.kind === 'absent') return none(`${found.why}; name one with base-plugin`)
  return { kind: 'folder', folder: found.folder, [Symbol.asyncDispose]: () => found[Symbol.asyncDispose]() }
}

const NOTHING_TO_REMOVE: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }
