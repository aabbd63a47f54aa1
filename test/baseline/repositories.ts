import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { formatBaselineFile } from '../../src/baseline/baseline-file.ts'
import type { BaselineFile } from '../../src/model/baseline.ts'
import { FINGERPRINT } from '../records/make-record.ts'

const execute = promisify(execFile)
export const BASELINE_PATH = 'baselines/regression.json'

/** A real repository in a folder of its own. */
export class Repository {
  readonly folder: string
  constructor(folder: string) {
    this.folder = folder
  }

  async git(...args: string[]): Promise<string> {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgsign=false']
    const { stdout } = await execute('git', [...identity, ...args], { cwd: this.folder })
    return stdout.trim()
  }

  /** Writes files (null removes one), commits, and gives the commit. */
  async commit(files: Readonly<Record<string, string | null>>, message = 'change'): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        await this.git('rm', '--quiet', path)
        continue
      }
      await mkdir(dirname(join(this.folder, path)), { recursive: true })
      await writeFile(join(this.folder, path), text)
    }
    await this.git('add', '--all')
    await this.git('commit', '--quiet', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }
}

/** An origin as GitHub is one (any commit can be fetched by its SHA), and a folder for its clones. */
export interface Workplace extends AsyncDisposable {
  readonly origin: Repository
  readonly url: string
  clone(...options: string[]): Promise<Repository>
}

export async function workplace(): Promise<Workplace> {
  const root = await mkdtemp(join(tmpdir(), 'genui-git-'))
  const origin = new Repository(join(root, 'origin'))
  await mkdir(origin.folder)
  await origin.git('init', '--quiet', '--initial-branch=main')
  await origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  const url = `file://${origin.folder}`
  let clones = 0
  return {
    origin,
    url,
    async clone(...options) {
      clones += 1
      const folder = join(root, `clone-${clones}`)
      await execute('git', ['clone', '--quiet', ...options, url, folder])
      return new Repository(folder)
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A baseline whose counts tell which commit it was read from. */
export function baselineWith(passes: number, tasks: readonly string[] = ['a']): BaselineFile {
  const refreshes = [{ commit: 'seed', date: '2026-01-01T00:00:00.000Z', n: 100, c: passes, failures: {}, cost_usd: null, wall_ms: null }]
  return {
    schema: 'genui-eval/baseline@1',
    suite: 'regression',
    fingerprint: FINGERPRINT,
    tasks: Object.fromEntries(tasks.map((id) => [id, { digest: 'd1', refreshes }])),
  }
}

export function baselineText(passes: number): string {
  return formatBaselineFile(baselineWith(passes))
}
