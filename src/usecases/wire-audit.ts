import type { ModelSettings } from '../model/agent.ts'
import type { TrialRecord, WireAudit } from '../model/record.ts'
import type { SentSettings } from '../relay/relay-call.ts'

/**
 * Holds what an agent sent to the model service, and who answered, against what was asked for. What was not asked for is left to the service:
 * an agent that sends a temperature or effort of its own has changed the settings too. A token limit counts only where one was asked for.
 */
export function auditWire(asked: ModelSettings, sent: readonly SentSettings[]): WireAudit {
  const differs = [...new Set(sent.flatMap((each) => differencesOf(asked, each)))]
  return {
    asked: { model: asked.name, temperature: asked.temperature, max_tokens: asked.max_tokens, effort: asked.effort },
    sent: sent.map(({ model, temperature, max_tokens, effort, calls }) => ({ model, temperature, max_tokens, effort, calls })),
    answered_by: [...new Set(sent.flatMap(({ answered_by: model }) => model ?? []))],
    agrees: differs.length === 0,
    differs,
  }
}

function differencesOf(asked: ModelSettings, sent: SentSettings): string[] {
  const differences: string[] = []
  if (sent.model !== asked.name) differences.push(`model ${shown(asked.name)} was asked for, the agent sent ${shown(sent.model)}`)
  else if (sent.answered_by !== null && !isVersionOf(sent.answered_by, asked.name))
    differences.push(`model ${shown(asked.name)} was asked for, ${shown(sent.answered_by)} answered`)
  for (const name of ['temperature', 'effort'] as const)
    if (sent[name] !== asked[name]) differences.push(`${name} ${shown(asked[name])} was asked for, the agent sent ${shown(sent[name])}`)
  if (asked.max_tokens !== null && sent.max_tokens !== asked.max_tokens)
    differences.push(`max_tokens ${shown(asked.max_tokens)} was asked for, the agent sent ${shown(sent.max_tokens)}`)
  return differences
}

/** Names come from outside: a long one must not drown the sentence. */
const shown = (value: string | number | null): string => (value === null ? 'none' : String(value).slice(0, 80))

/** A dated or numbered release: `-2024-08-06`, `-20241022`, `-0613`, `@001`. */
const RELEASE = /^[-@:](?:v?\d{3,8}|\d{4}-\d{2}-\d{2})$/

/** Whether a service that calls itself `answered` is the model `asked`: the same name, without the vendor's prefix and a release at its end. */
function isVersionOf(answered: string, asked: string): boolean {
  const [long, short] = [answered, asked].map((name) =>
    name
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/[-:]latest$/, ''),
  )
  if (long === undefined || short === undefined) return false
  return long === short || (long.startsWith(short) && RELEASE.test(long.slice(short.length)))
}

const SHOWN = 3

/** What a reader must know when the model service was not asked, or did not answer, as the run claims. */
export function wireNotice(records: readonly TrialRecord[]): string[] {
  const audited = records.flatMap(({ wire }) => wire ?? [])
  const differing = audited.filter(({ agrees }) => !agrees)
  if (differing.length === 0) return []
  const counts = Map.groupBy(
    differing.flatMap(({ differs }) => differs),
    (difference) => difference,
  )
  const differences = [...counts].sort(([, a], [, b]) => b.length - a.length).map(([difference]) => difference)
  const rest = differences.length > SHOWN ? ` (and ${differences.length - SHOWN} more)` : ''
  const what = differences.slice(0, SHOWN).join('; ')
  return [
    `What went to the model service is not what was asked for in ${differing.length} of ${audited.length} trials: ${what}${rest}. The figures belong to what was sent.`,
  ]
}
