import { MagicString } from 'magic-string'
import { withCodeEdited, writeUnit, type AppDocument } from './app-document.ts'
import { listenerSites, reachesBridge, type ListenerSite } from './code-search.ts'
import type { MutantRule } from './mutant.ts'

/** Faults in how the app hangs on events. */
export const LISTENER_RULES: readonly MutantRule[] = [
  {
    name: 'detach_sender',
    fault: 'the listeners that lead to the bridge are not attached',
    expected_checks: ['callback.received', 'dom.zero_js_errors'],
    make: (app) => made('listeners that reach sendAction', detached(app, 'sender')),
  },
  {
    name: 'detach_listeners',
    fault: 'no listener is attached',
    expected_checks: [
      'callback.received',
      'interaction.live_controls',
      'dom.min_interactive_elements',
      'dom.not_blank',
      'dom.required_selectors',
    ],
    make: (app) => made('every listener', detached(app, 'all')),
  },
  {
    name: 'break_script',
    fault: 'a script does not parse',
    expected_checks: ['dom.zero_js_errors'],
    make: (app) =>
      app.units
        .filter((unit) => unit.kind === 'script')
        .map((unit, index) => {
          const html = new MagicString(app.html)
          writeUnit(html, unit, `${unit.code}\n}} else {`)
          return { at: `script ${index + 1}`, html: html.toString() }
        }),
  },
]

function made(at: string, html: string | null): { at: string; html: string }[] {
  return html === null ? [] : [{ at, html }]
}

/** Events by which pages start, not ones by which users act. */
const START_EVENTS = new Set(['load', 'DOMContentLoaded', 'readystatechange'])

function detached(app: AppDocument, which: 'sender' | 'all'): string | null {
  return withCodeEdited(app, (unit, tree, code) => {
    const reaches = reachesBridge(tree)
    if (unit.kind === 'handler') {
      if (which === 'sender' && !reaches(tree)) return false
      code.overwrite(0, unit.code.length, ' ')
      return true
    }
    const sites = outermost(
      listenerSites(tree).filter((site) => !START_EVENTS.has(site.event) && (which === 'all' || reaches(site.handler))),
    )
    for (const site of sites) code.overwrite(site.start, site.end, '(void 0)')
    if (which === 'sender') return sites.length > 0
    return detachTemplates(unit.code, code, sites) || sites.length > 0
  })
}

/** A listener inside the handler of another goes with it. */
function outermost(sites: readonly ListenerSite[]): ListenerSite[] {
  return sites.filter((site) => !sites.some((other) => other !== site && other.start <= site.start && other.end >= site.end))
}

/** Event attributes in markup that the script writes. */
function detachTemplates(source: string, code: MagicString, removed: readonly ListenerSite[]): boolean {
  let changed = false
  for (const match of source.matchAll(/(?<=\s)on(?=(?:click|input|change|submit|keydown|pointerdown)=)/gu)) {
    if (removed.some((site) => site.start <= match.index && match.index < site.end)) continue
    code.overwrite(match.index, match.index + 2, 'data-was-')
    changed = true
  }
  return changed
}
