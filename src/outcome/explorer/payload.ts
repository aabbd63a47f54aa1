const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MOMENT_KEY = /(^|_)(at|time|timestamp|ts|date|now)$|time$|timestamp/i
const SPAN_KEY = /(elapsed|duration|time_?spent|took|latency)|_ms$|(^|_)seconds$/i
const LABEL_KEY = /(uuid|nonce|session_?id|request_?id|trace)/i

/**
 * Whether two payloads differ in more than what differs in any two runs: moments, spans of time, random labels.
 * Keys are compared without regard to their order.
 */
export function payloadsDiffer(a: unknown, b: unknown): boolean {
  return JSON.stringify(steady(a, '')) !== JSON.stringify(steady(b, ''))
}

function steady(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => steady(item, ''))
  if (value !== null && typeof value === 'object') {
    const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return Object.fromEntries(sorted.map(([name, inner]) => [name, steady(inner, name.replace(/([a-z])([A-Z])/g, '$1_$2'))]))
  }
  if (typeof value === 'string') {
    if (MOMENT.test(value) && MOMENT_KEY.test(key)) return 'moment'
    if (UUID.test(value) || LABEL_KEY.test(key)) return 'label'
  }
  if (typeof value === 'number' && (SPAN_KEY.test(key) || (MOMENT_KEY.test(key) && value > 1e9) || value > 1e12)) return 'moment'
  return value
}
