import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** One model call as it went over the wire; bodies are redacted before they are written. */
export interface WireEntry {
  readonly at: string
  readonly trial_id: string
  readonly path: string
  readonly attempts: number
  readonly status: number | null
  readonly ms: number
  readonly request: string
  readonly response: string
  readonly trouble: string | null
}

export interface WireLog {
  write(entry: WireEntry): Promise<void>
}

/** `<folder>/<trial_id>.jsonl`, one line a call; no folder, no log. A log that cannot be written never costs a trial. */
export function openWireLog(folder: string | null, redact: (text: string) => string): WireLog {
  if (folder === null) return { write: async () => undefined }
  const made = mkdir(folder, { recursive: true }).catch(() => undefined)
  return {
    write: async (entry) => {
      await made
      const name = entry.trial_id.replaceAll(/[^\w.-]/g, '_')
      await appendFile(join(folder, `${name}.jsonl`), `${redact(JSON.stringify(entry))}\n`).catch(() => undefined)
    },
  }
}
