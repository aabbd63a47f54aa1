import type { Task } from '../model/task.ts'
import { openDocument } from './app-document.ts'
import { BRIDGE_RULES } from './bridge-rules.ts'
import { GROUNDING_RULE } from './grounding-rule.ts'
import { LISTENER_RULES } from './listener-rules.ts'
import type { Mutant, MutantRule } from './mutant.ts'
import { PAGE_RULES } from './page-rules.ts'

export const MUTANT_RULES: readonly MutantRule[] = [...BRIDGE_RULES, ...LISTENER_RULES, GROUNDING_RULE, ...PAGE_RULES]

/** All mutants of a reference app, in the order of the rules; documents that two rules make alike are kept once. */
export function mutantsOf(task: Task, reference: string): Mutant[] {
  const app = openDocument(reference)
  const seen = new Set([app.html])
  return MUTANT_RULES.flatMap((rule) =>
    rule.make(app, task).flatMap(({ at, html }) => {
      if (seen.has(html)) return []
      seen.add(html)
      return [{ rule: rule.name, at, expected_checks: rule.expected_checks, html }]
    }),
  )
}
