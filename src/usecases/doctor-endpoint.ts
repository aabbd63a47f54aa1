import type { JudgeChoice } from '../model/judge-choice.ts'
import type { Finding } from './finding.ts'

export interface Endpoint {
  /** Ends in `/v1` or the like; null = not asked for. */
  readonly base_url: string | null
  readonly api_key: string | null
  readonly model: string | null
}

/** What a service is called, and what it is told by. */
interface ServiceNames {
  readonly name: string
  readonly address_option: string
  readonly model_option: string
  readonly key_variable: string
}

export const AGENT_SERVICE: ServiceNames = {
  name: 'model service',
  address_option: '--base-url',
  model_option: '--model',
  key_variable: 'GENUI_EVAL_API_KEY',
}
const JUDGE_SERVICE: ServiceNames = {
  name: 'judge',
  address_option: '--judge-base-url',
  model_option: '--judge',
  key_variable: 'GENUI_EVAL_JUDGE_API_KEY',
}

const LIMIT_MS = 15_000

/** The judge's service; nothing when the judge is off. */
export async function checkJudgeService(judge: JudgeChoice): Promise<readonly Finding[]> {
  if (judge.kind === 'off') return []
  const { base_url, api_key, settings } = judge
  return [await checkEndpoint({ base_url, api_key, model: settings.model.name }, JUDGE_SERVICE)]
}

/** Asks for the list of models: costs nothing, and shows whether the address answers and the key is taken. The key is never shown. */
export async function checkEndpoint({ base_url: base, api_key: key, model }: Endpoint, service: ServiceNames): Promise<Finding> {
  if (base === null) {
    return {
      name: service.name,
      status: 'skipped',
      detail: 'not looked at',
      advice: `give its address with ${service.address_option}, and the key in ${service.key_variable}`,
    }
  }
  const address = `${base}/models`
  try {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) })
    return judge(response.status, await response.text(), { address, key, model, service })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const why =
      error instanceof Error && error.name === 'TimeoutError'
        ? `no answer within ${LIMIT_MS / 1000} s`
        : (WHY[code] ?? (code || String(cause)))
    return {
      name: service.name,
      status: 'failed',
      detail: `${address} cannot be reached: ${why}`,
      advice: `check ${service.address_option}, the network and the proxy`,
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
  {
    address,
    key,
    model,
    service,
  }: { readonly address: string; readonly key: string | null; readonly model: string | null; readonly service: ServiceNames },
): Finding {
  const failed = (detail: string, advice: string): Finding => ({ name: service.name, status: 'failed', detail, advice })
  if (status === 401 || status === 403) {
    return failed(
      key === null ? `${address} wants a key (${status})` : `${address} refuses the key (${status})`,
      `set ${service.key_variable} to a key of this service`,
    )
  }
  if (status === 429)
    return failed(`${address} refuses the call for its rate or quota (429)`, 'wait, or look at the plan and limits of the account')
  if (status >= 500) return failed(`${address} is in trouble (${status})`, 'try again later; trials would be counted as not measured')
  if (status === 404 || status === 405) {
    const advice = `check that ${service.address_option} ends where the service says (often in /v1); some services have no list of models`
    return {
      name: service.name,
      status: 'warning',
      detail: `answers, but has no list of models at ${address} (${status}); the key was not tried`,
      advice,
    }
  }
  const names = modelNames(body)
  if (status !== 200 || names === null) {
    return failed(`${address} is no OpenAI-compatible service (${status})`, `check ${service.address_option}; it often ends in /v1`)
  }
  if (model !== null && names.length > 0 && !names.includes(model)) {
    const near = names.slice(0, 5).join(', ')
    return failed(
      `answers, but lists no model "${model}"`,
      `choose one that it lists with ${service.model_option}: ${near}${names.length > 5 ? ' …' : ''}`,
    )
  }
  const accepted = key === null ? 'answers without a key' : 'answers and takes the key'
  return {
    name: service.name,
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
