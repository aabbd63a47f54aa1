import { chance, pick } from './seeded.ts'

/** Share of apps whose script opens with a line comment. */
const COMMENTING = 0.5
const REMARKS = ['// State and controls', '// Set up the app', '// --- app logic ---', '// Wire everything together'] as const

/** The app with the kind of comment that models like to put above their code. It changes nothing in what the app does. */
export function commented(html: string, ...seed: readonly (string | number)[]): string {
  if (chance(...seed, 'comments') >= COMMENTING) return html
  const remark = pick(REMARKS, ...seed, 'remark') ?? REMARKS[0]
  return html.replace(/(<script(?:\s+type=["']?module["']?)?\s*>)(?=[^<]*\S)/i, (opening) => `${opening}\n${remark}\n`)
}
