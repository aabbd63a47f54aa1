import { copyFile, lstat, mkdir } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { TrialRecord } from '../model/record.ts'

/**
 * Copies the files that records name from one run folder into another, each under its own name. What is not there, is no plain file, or is
 * named outside of `trials/` is left out.
 */
export async function copyTrialFiles(records: readonly TrialRecord[], from: string, to: string): Promise<void> {
  for (const { screenshots, transcript_file: transcript, app_file: app } of records) {
    for (const path of [...screenshots, transcript, app]) {
      if (path === null || !isInTrials(path) || !(await isPlainFile(join(from, path)))) continue
      await mkdir(dirname(join(to, path)), { recursive: true })
      await copyFile(join(from, path), join(to, path))
    }
  }
}

function isInTrials(path: string): boolean {
  return path.startsWith('trials/') && normalize(path) === path && !path.includes('\\')
}

function isPlainFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
