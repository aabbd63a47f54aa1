import type { Finding } from './finding.ts'

export interface Endpoint {
  /** Ends in `/v1` or the like; null = not asked for. */
  readonly base_url: string | null
  readonly api_key: string | null
  readonly model: string | null
}

const NAME = 'model service'
const LIMIT_MS = 15_000
const KEY_ADVICE = 'set GENUI_EVAL_API_KEY to a key of this service'

/** Asks for the list of models: costs nothing, and shows whether the address answers and the key is taken. The key is never shown. */
export async function checkEndpoint({ base_url: base, api_key: key, model }: Endpoint): Promise<Finding> {
  if (base === null) {
    return {
      name: NAME,
      status: 'skipped',
      detail: 'not looked at',
      advice: 'give its address with --base-url, and the key in GENUI_EVAL_API_KEY',
    }
  }
  const address = `${base}/models`
  try {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) })
    return judge(response.status, await response.text(), { address, key, model })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const why =
      error instanceof Error && error.name === 'TimeoutError'
        ? `no answer within ${LIMIT_MS / 1000} s`
        : (WHY[code] ?? (code || String(cause)))
    return {
      name: NAME,
      status: 'failed',
      detail: `${address} cannot be reached: ${why}`,
      advice: 'check --base-url, the network and the proxy',
    }
  }
}

const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

function judge(
  status: number,
  body: string,
  { address, key, model }: { readonly address: string; readonly key: string | null; readonly model: string | null },
): Finding {
  const failed = (detail: string, advice: string): Finding => ({ name: NAME, status: 'failed', detail, advice })
  if (status === 401 || status === 403) {
    return failed(key === null ? `${address} wants a key (${status})` : `${address} refuses the key (${status})`, KEY_ADVICE)
  }
  if (status === 429)
    return failed(`${address} refuses the call for its rate or quota (429)`, 'wait, or look at the plan and limits of the account')
  if (status >= 500) return failed(`${address} is in trouble (${status})`, 'try again later; trials would be counted as not measured')
  if (status === 404 || status === 405) {
    const advice = 'check that --base-url ends where the service says (often in /v1); some services have no list of models'
    return {
      name: NAME,
      status: 'warning',
      detail: `answers, but has no list of models at ${address} (${status}); the key was not tried`,
      advice,
    }
  }
  const names = modelNames(body)
  if (status !== 200 || names === null) {
    return failed(`${address} is no OpenAI-compatible service (${status})`, 'check --base-url; it often ends in /v1')
  }
  if (model !== null && names.length > 0 && !names.includes(model)) {
    const near = names.slice(0, 5).join(', ')
    return failed(`answers, but lists no model "${model}"`, `choose one that it lists with --model: ${near}${names.length > 5 ? ' …' : ''}`)
  }
  const accepted = key === null ? 'answers without a key' : 'answers and takes the key'
  return {
    name: NAME,
    status: 'ok',
    detail: `${address} ${accepted}, ${names.length} ${names.length === 1 ? 'model' : 'models'}`,
    advice: null,
  }
}

function modelNames(body: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value !== 'object' || value === null || !('data' in value) || !Array.isArray(value.data)) return null
    return value.data.flatMap((entry: unknown) =>
      typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : [],
    )
  } catch {
    return null
  }
}
