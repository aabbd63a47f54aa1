import type { Environment } from './event.ts'
import type { CheckOpening, OpenCheck } from './check-run.ts'
import { integer, isJsonObject, text } from './payload.ts'

const NAME = 'open-check'

/** Hands the open check to the `post` step, which closes it when this process is cancelled or killed. */
export async function saveOpenCheck(open: OpenCheck, env: Environment): Promise<void> {
  if ((env['GITHUB_STATE'] ?? '') === '') return
  const { saveState } = await import('@actions/core')
  saveState(NAME, JSON.stringify(open))
}

/** Tells the `post` step that nothing is left to close. */
export async function forgetOpenCheck(env: Environment): Promise<void> {
  if ((env['GITHUB_STATE'] ?? '') === '') return
  const { saveState } = await import('@actions/core')
  saveState(NAME, '')
}

/** The check that the main step left open, or null. */
export function readOpenCheck(env: Environment): OpenCheck | null {
  const saved = env[`STATE_${NAME}`]
  if (saved === undefined || saved === '') return null
  const value: unknown = parseOrNull(saved)
  if (!isJsonObject(value)) return null
  const opening = readOpening(value['opening'])
  if (opening === null) return null
  const id = integer(value['id'])
  if (value['kind'] === 'check' && id !== null) return { kind: 'check', id, opening }
  return value['kind'] === 'status' ? { kind: 'status', opening } : null
}

function readOpening(value: unknown): CheckOpening | null {
  if (!isJsonObject(value)) return null
  const of = (name: string) => text(value[name])
  const [name, head_sha, external_id, details_url, title] = [of('name'), of('head_sha'), of('external_id'), of('details_url'), of('title')]
  if (name === null || head_sha === null || external_id === null || details_url === null || title === null) return null
  return { name, head_sha, external_id, details_url, title, summary: of('summary') ?? '' }
}

function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
