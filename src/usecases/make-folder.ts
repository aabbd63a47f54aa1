import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and what is missing above it, one after another: where nothing can be made, such as below `/proc`, Node's own recursive
 * way never ends.
 * @throws the error of the first folder that could not be made
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  await mkdir(folder).catch(async (error: unknown) => {
    // somebody else may have made it meanwhile
    if (!(await isFolder(folder))) throw error
  })
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
