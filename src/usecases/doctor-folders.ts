import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { attempted, type Finding } from './finding.ts'

/** Whether a run may write where it must: its run folder, and the folder for scratch files. */
export async function checkWritable(outputFolder: string): Promise<readonly Finding[]> {
  return [await tryToWrite('run folder', existing(resolve(outputFolder))), await tryToWrite('temporary folder', tmpdir())]
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

function tryToWrite(name: string, folder: string): Promise<Finding> {
  return attempted(name, `make ${folder} writable, or name another folder`, async () => {
    await rm(await mkdtemp(join(folder, '.genui-eval-doctor-')), { recursive: true })
    return { status: 'ok', detail: `${folder} can be written`, advice: null }
  })
}
