import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { artifactName, freeName, isArtifactPath } from './artifact-names.ts'
import type { Environment, EventFacts } from './event.ts'
import type { Log } from './log.ts'

export type ArtifactPlan =
  | {
      /** Name under which the caller asks for the outcome. */
      readonly key: string
      readonly kind: 'folder'
      /** Without characters that GitHub forbids; see `artifactName`. */
      readonly name: string
      /** Absolute path. All regular files below it are uploaded; symbolic links are not followed. */
      readonly folder: string
      readonly retention_days: number | null
    }
  | {
      readonly key: string
      /** One file, uploaded as it is, so that it opens in the browser. */
      readonly kind: 'unzipped'
      /** With its extension, which gives the media type: `report.html`. */
      readonly name: string
      readonly file: string
      readonly retention_days: number | null
    }

export type ArtifactOutcome =
  | {
      readonly kind: 'uploaded'
      readonly key: string
      readonly name: string
      readonly id: number
      readonly url: string
      readonly bytes: number
      /** Hex SHA-256 of what is stored; null when the service did not say. */
      readonly digest: string | null
    }
  | { readonly kind: 'failed'; readonly key: string; readonly name: string; readonly why: string }

const NAMES_TO_TRY = 5

/** Uploads one artifact under the first free name. Never throws: what went wrong is the outcome. */
export async function uploadArtifact(
  plan: ArtifactPlan,
  event: Pick<EventFacts, 'run'>,
  env: Environment,
  log: Log,
): Promise<ArtifactOutcome> {
  const extension = plan.kind === 'unzipped' ? path.extname(plan.name) : ''
  const stem = artifactName([plan.name.slice(0, plan.name.length - extension.length)])
  const failed = (why: string): ArtifactOutcome => ({ kind: 'failed', key: plan.key, name: plan.name, why })
  const workplace = await mkdtemp(path.join(env['RUNNER_TEMP'] ?? tmpdir(), 'genui-eval-artifact-'))
  try {
    for (let n = 1; n <= NAMES_TO_TRY; n++) {
      const name = freeName(stem, extension, n)
      try {
        const done = await send(plan, name, workplace, log)
        if (done.id === undefined) return failed('the service gave no artifact id')
        return {
          kind: 'uploaded',
          key: plan.key,
          name,
          id: done.id,
          url: `${event.run.url}/artifacts/${done.id}`,
          bytes: done.size ?? 0,
          digest: done.digest ?? null,
        }
      } catch (error) {
        if (!isTaken(error)) return failed(explainUpload(error))
        log.info(`artifact name ${name} is taken in this run; trying ${freeName(stem, extension, n + 1)}`)
      }
    }
    return failed(`${NAMES_TO_TRY} artifacts of that name exist in this run; set the input artifact-name per matrix leg`)
  } catch (error) {
    return failed(explainUpload(error))
  } finally {
    await rm(workplace, { recursive: true, force: true })
  }
}

async function send(plan: ArtifactPlan, name: string, workplace: string, log: Log) {
  const { DefaultArtifactClient } = await import('@actions/artifact')
  const client = new DefaultArtifactClient()
  const retention = plan.retention_days === null ? {} : { retentionDays: plan.retention_days }
  if (plan.kind === 'unzipped') {
    // an unzipped artifact is called like its file
    const renamed = path.join(workplace, name)
    await copyFile(plan.file, renamed)
    return client.uploadArtifact(name, [renamed], workplace, { ...retention, skipArchive: true })
  }
  const files = await regularFiles(plan.folder)
  const fit = files.filter((file) => isArtifactPath(path.relative(plan.folder, file).split(path.sep).join('/')))
  if (fit.length < files.length)
    log.warning(`${files.length - fit.length} files were left out of artifact ${name}: GitHub forbids their names`)
  if (fit.length === 0) throw new Error(`there is nothing to upload in ${plan.folder}`)
  return client.uploadArtifact(name, [...fit], plan.folder, retention)
}

/** Absolute paths of the regular files below a folder, sorted; links could point at secrets and are left out. */
async function regularFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && /\(409\)|already exists/i.test(error.message)
}

function explainUpload(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
  if (/insufficient usage|quota/i.test(message)) return `the account's artifact storage is used up (${message})`
  if (/GHES|not supported/i.test(message)) return `this GitHub server has no artifact service of version 4 (${message})`
  if (/ACTIONS_RUNTIME_TOKEN|ACTIONS_RESULTS_URL/.test(message))
    return 'the artifact service is only open to an Action inside a workflow run'
  if (/\(403\)/.test(message))
    return `the artifact service refused it (${message}); on a self-hosted runner a firewall may stand before the blob store`
  return message
}
