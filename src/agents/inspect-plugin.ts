import { resolve } from 'node:path'
import { openScratchFolder } from './left-behind.ts'
import { type PluginBuild, startPluginHost } from './plugin-host.ts'
import { PluginError } from './plugin-manifest.ts'
import { findPython } from './python.ts'

export type PluginInspection =
  | { readonly status: 'ok'; readonly plugin: PluginBuild }
  /** `problem` is one sentence (more when several files are missing), fit for a UserError or a `plugin_error`. */
  | { readonly status: 'broken'; readonly problem: string }

/**
 * Loads the plugin build once, before any trial is paid for, and says what it offers or why it does not load.
 * @param python interpreter, or null to search the PATH
 * @throws UserError when there is no Python
 */
export async function inspectPlugin(folder: string, python: string | null = null): Promise<PluginInspection> {
  const interpreter = await findPython(python)
  await using scratch = await openScratchFolder('genui-eval-inspect-')
  try {
    const host = await startPluginHost({ python: interpreter.path, pluginFolder: resolve(folder), scratchFolder: scratch.path })
    await host.close()
    return { status: 'ok', plugin: host.plugin }
  } catch (error) {
    if (error instanceof PluginError) return { status: 'broken', problem: error.message }
    throw error
  }
}
