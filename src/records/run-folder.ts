import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentResult } from '../model/agent.ts'
import type { MicroApp, Transcript } from '../model/transcript.ts'

/**
 * The folder of one run:
 * `records.jsonl` · `run.json` (what was planned) · `trials/<trial_id>/` (transcript, app, screenshots) · the reports.
 */
export class RunFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  get recordsFile(): string {
    return join(this.path, 'records.jsonl')
  }

  /** Creates the folder; keeps what is there. */
  async create(): Promise<void> {
    await mkdir(join(this.path, 'trials'), { recursive: true })
  }

  /** Removes what an earlier run wrote here; files of others stay. */
  async clear(): Promise<void> {
    const own = ['records.jsonl', 'run.json', 'trials', 'wire', 'results.json', 'report.html', 'junit.xml', 'comment.md', 'summary.md']
    await Promise.all(own.map((name) => rm(join(this.path, name), { recursive: true, force: true })))
  }

  /** Empties and creates the folder of a trial; a second attempt replaces the first. Returns its absolute path. */
  async freshTrialFolder(trialId: string): Promise<string> {
    const folder = join(this.path, 'trials', trialId)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    return folder
  }

  /** Writes what the agent left; returns paths relative to the run folder. */
  async saveTrial(
    trialId: string,
    result: AgentResult,
    app: MicroApp | null,
  ): Promise<{ transcript_file: string; app_file: string | null }> {
    const transcriptFile = `trials/${trialId}/transcript.json`
    await writeFile(join(this.path, transcriptFile), `${JSON.stringify(result, null, 1)}\n`)
    if (app === null) return { transcript_file: transcriptFile, app_file: null }
    const appFile = `trials/${trialId}/app.html`
    await writeFile(join(this.path, appFile), app.html)
    return { transcript_file: transcriptFile, app_file: appFile }
  }

  /** Screenshots of a trial in order, as paths relative to the run folder. */
  async screenshots(trialId: string): Promise<string[]> {
    const names = await readdir(join(this.path, 'trials', trialId))
    return names
      .filter((name) => name.endsWith('.png'))
      .sort()
      .map((name) => `trials/${trialId}/${name}`)
  }

  async write(name: string, content: string): Promise<string> {
    const file = join(this.path, name)
    await writeFile(file, content)
    return file
  }

  /** A text file of the run, or null when it is not there. */
  async read(relative: string): Promise<string | null> {
    return readFile(join(this.path, relative), 'utf8').catch(() => null)
  }

  /** A PNG of the run as a data URI, or null when it is not there. */
  async screenshotUri(relative: string): Promise<string | null> {
    const bytes = await readFile(join(this.path, relative)).catch(() => null)
    return bytes === null ? null : `data:image/png;base64,${bytes.toString('base64')}`
  }

  /** The transcript saved for a trial, or null. */
  async transcript(relative: string): Promise<Transcript | null> {
    const text = await this.read(relative)
    if (text === null) return null
    const saved: { transcript: Transcript } = JSON.parse(text)
    return saved.transcript
  }
}
