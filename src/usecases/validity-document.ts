import type { Miss, ValidationReport } from './validation-report.ts'

/** What the report cannot know by itself. */
export interface ValidityFacts {
  readonly graders: string
  readonly browser: string
}

/** `docs/validity.md`: how far the graders can be trusted, as the command measured it. */
export function validityDocument(report: ValidationReport, facts: ValidityFacts): string {
  const { references, do_nothing: idle, traps, rubric_only: rubricOnly, fakes, reactive_fakes: reactive, mutants } = report
  const lines = [
    '# How far the graders can be trusted',
    '',
    `Made by \`genui-eval validate --write docs/validity.md\` (graders version ${facts.graders}, ${facts.browser}). Do not edit by hand.`,
    '',
    '| what | must be | measured |',
    '|---|---|---|',
    row(
      'references that pass every deterministic check',
      `${references.total} of ${references.total}`,
      `${references.passed} of ${references.total}`,
    ),
    row(
      'do-nothing agents that pass (for a negative control: agents that render)',
      `0 of ${idle.total}`,
      `${idle.passed} of ${idle.total}`,
    ),
    row('traps that fail at their named check', `${traps.total} of ${traps.total}`, `${traps.caught} of ${traps.total}`),
    row(
      'traps and mutants that only a rubric can see, that pass every deterministic check',
      `${rubricOnly.total} of ${rubricOnly.total}`,
      `${rubricOnly.passed} of ${rubricOnly.total}`,
    ),
    row(
      "fakes made from the row alone (strings in a label, the row's selectors, dummy buttons, a constant valid payload) that pass",
      `0 of ${fakes.total}`,
      `${fakes.passed} of ${fakes.total}`,
    ),
    row(
      'fakes whose controls also change meaningless text, that pass',
      'as few as can be without a judge',
      `${reactive.passed} of ${reactive.total}`,
    ),
    row(
      'mutants killed (mutation score)',
      '95 % or more',
      `${mutants.killed} of ${mutants.total} (${share(mutants.killed, mutants.total)})`,
    ),
    '',
    ...missedSection('References that fail', references.missed),
    ...missedSection('Traps that are missed', traps.missed),
    ...missedSection('Traps and mutants for a rubric that a check sees already', rubricOnly.missed),
    ...missedSection('Fakes that pass', [...fakes.missed, ...reactive.missed]),
  ]
  if (traps.needs_judge.length > 0)
    lines.push('## Traps that only the judge can catch', '', ...traps.needs_judge.map((trap) => `- ${cell(trap)}`), '')
  if (mutants.total === 0) return `${lines.join('\n').trimEnd()}\n`
  lines.push(
    '## Mutants by rule',
    '',
    'A mutant is a reference app with one fault. *Elsewhere*: killed, but by a check that the rule does not name.',
    '',
    '| rule | made | killed | elsewhere |',
    '|---|---:|---:|---:|',
    ...mutants.rules.map((rule) => `| \`${rule.rule}\` | ${rule.made} | ${rule.killed} | ${rule.killed_elsewhere} |`),
    '',
    ...missedSection('Survivors', mutants.survivors),
    ...missedSection('Killed elsewhere', mutants.killed_elsewhere),
  )
  return `${lines.join('\n').trimEnd()}\n`
}

function missedSection(title: string, missed: readonly Miss[]): string[] {
  if (missed.length === 0) return []
  const rows = missed.map((miss) => `| ${cell(miss.task_id)} | ${cell(miss.specimen)} | ${cell(miss.expected)} | ${cell(miss.seen)} |`)
  return [`## ${title}`, '', '| task | specimen | expected | seen |', '|---|---|---|---|', ...rows, '']
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

/** Text of apps stands here: no Markdown of its own, one line, cut. */
function cell(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return (line.length > 300 ? `${line.slice(0, 299)}…` : line).replace(/[\\`*_[\]<>|#~!@]/gu, (mark) => `\\${mark}`)
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none made' : `${((100 * part) / whole).toFixed(1)} %`
}
