/** Who wrote a sticky comment: carried invisibly on its first line. */
export interface Marker {
  /** Tells two configurations on one pull request apart. */
  readonly id: string
  readonly head_sha: string
  readonly run_id: number
  readonly run_attempt: number
}

const PATTERN = /^<!-- genui-eval-action id=([\w.-]{1,64}) head=([0-9a-f]{40,64}) run=(\d{1,18})\.(\d{1,6}) -->/

export function writeMarker(marker: Marker): string {
  return `<!-- genui-eval-action id=${safeId(marker.id)} head=${marker.head_sha} run=${marker.run_id}.${marker.run_attempt} -->`
}

/** The marker that a body begins with, or null. Anywhere else it is somebody's quotation. */
export function readMarker(body: string): Marker | null {
  const [, id, head_sha, run, attempt] = PATTERN.exec(body) ?? []
  if (id === undefined || head_sha === undefined) return null
  return { id, head_sha, run_id: Number(run), run_attempt: Number(attempt) }
}

/** The id as a marker holds it: letters, digits, `_ . -`, at most 64. */
export function safeId(id: string): string {
  const safe = id.replace(/[^\w.-]+/g, '-').slice(0, 64)
  return safe === '' ? 'default' : safe
}

/** True when `a` comes from a later run, or a later attempt of the same run, than `b`. */
export function isLaterRun(a: Marker, b: Marker): boolean {
  return a.run_id === b.run_id ? a.run_attempt > b.run_attempt : a.run_id > b.run_id
}
