import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../model/errors.ts'
import type { GitHub } from './client.ts'
import type { Environment } from './event.ts'
import { ARTIFACT_LIMITS, unzipInto, type UnzipLimits } from './unzip.ts'

/** One unpacked artifact. What it holds is a stranger's until it has been checked. */
export interface DownloadedArtifact {
  readonly name: string
  readonly id: number
  /** Fresh folder that holds nothing else. */
  readonly folder: string
  /** Relative paths, sorted. */
  readonly files: readonly string[]
}

interface Listed {
  readonly id: number
  readonly name: string
  readonly size_in_bytes: number
}

/** An artifact whose name begins with `prefix`, of one workflow run. */
export interface DownloadPlan {
  readonly run_id: number
  readonly prefix: string
  /** Only artifacts of these names; absent = all that begin with the prefix. */
  readonly names?: ReadonlySet<string>
  readonly limits?: UnzipLimits
  /** More matching artifacts than this are refused. */
  readonly most?: number
}

/**
 * Downloads the artifacts of a run whose names begin with the prefix; of several of one name the newest (a re-run's) counts.
 * Unzipped ones (a report for the browser) are left alone. Throws UserError when an artifact breaks a limit or holds what it must not.
 */
export async function downloadArtifacts(github: GitHub, plan: DownloadPlan, env: Environment): Promise<readonly DownloadedArtifact[]> {
  const limits = plan.limits ?? ARTIFACT_LIMITS
  const listed = await newestByName(github, plan)
  const most = plan.most ?? 300
  if (listed.length > most)
    throw new UserError(`The run holds ${listed.length} artifacts that begin with "${plan.prefix}"; at most ${most} are read.`)
  const downloaded: DownloadedArtifact[] = []
  for (const artifact of listed) {
    if (artifact.size_in_bytes > limits.archive_bytes) {
      throw new UserError(`Artifact ${artifact.name} has ${artifact.size_in_bytes} bytes; at most ${limits.archive_bytes} are read.`)
    }
    downloaded.push(await downloadOne(github, artifact, limits, env))
  }
  return downloaded
}

async function newestByName(github: GitHub, plan: DownloadPlan): Promise<readonly Listed[]> {
  const all = await github.octokit.paginate(github.octokit.rest.actions.listWorkflowRunArtifacts, {
    ...github.repo,
    run_id: plan.run_id,
    per_page: 100,
  })
  const newest = new Map<string, Listed>()
  for (const { id, name, size_in_bytes, expired } of all) {
    if (expired || !name.startsWith(plan.prefix) || name.endsWith('.html') || plan.names?.has(name) === false) continue
    const standing = newest.get(name)
    if (standing === undefined || standing.id < id) newest.set(name, { id, name, size_in_bytes })
  }
  return [...newest.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function downloadOne(github: GitHub, artifact: Listed, limits: UnzipLimits, env: Environment): Promise<DownloadedArtifact> {
  const workplace = await mkdtemp(path.join(env['RUNNER_TEMP'] ?? tmpdir(), 'genui-eval-download-'))
  const archive = path.join(workplace, 'archive.zip')
  const folder = await mkdtemp(path.join(workplace, 'files-'))
  const { headers } = await github.octokit.rest.actions.downloadArtifact({
    ...github.repo,
    artifact_id: artifact.id,
    archive_format: 'zip',
    // the address carries its own signature and must not get our token
    request: { redirect: 'manual' },
  })
  if (headers.location === undefined) throw new Error(`GitHub gave no address for artifact ${artifact.name}`)
  await fetchInto(headers.location, archive, limits.archive_bytes)
  const files = await unzipInto(archive, folder, limits)
  await rm(archive)
  return { name: artifact.name, id: artifact.id, folder, files }
}

async function fetchInto(url: string, file: string, most: number): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) })
  if (!response.ok || response.body === null) throw new Error(`The artifact store answered ${response.status}.`)
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > most ? new UserError(`The downloaded artifact is refused: it has more than ${most} bytes.`) : null, chunk)
    },
  })
  await pipeline(Readable.from(chunksOf(response.body)), meter, createWriteStream(file, { flags: 'wx' }))
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
