/** The top of the report: verdict, notices, suite figures, accounting, spending, conditions. */
import type { Results } from '../../model/results.ts'
import { FINGERPRINT_PARTS } from '../../model/record.ts'
import { intervalText, percent, plural, spendingRow, spentParts } from '../figures.ts'
import { noticesBeside, sharedCause, sharedCount } from '../shared-cause.ts'
import { judgeHealthText, judgeSpendingText } from '../judge-report.ts'
import { gateModeText, headline, originText, sensitivitySentence, shortCommit, VERDICT_WORDS } from '../verdict-words.ts'
import { intervalBar } from './interval-bar.ts'
import { literal, markup, type Markup } from './markup.ts'

const SIGN = { pass: '✓', fail: '✗', inconclusive: '?' } as const

export function verdictHeader(results: Results): Markup {
  const { decision, run } = results
  const { word } = VERDICT_WORDS[decision.verdict]
  const sentence = headline(results).slice(word.length + 2)
  const facts = [
    run.head_commit === null ? null : markup`<li>commit <code>${shortCommit(run.head_commit)}</code></li>`,
    markup`<li>against ${originText(results.baseline_origin)}</li>`,
    markup`<li>${run.suite} suite, ${plural(decision.tasks.length, 'task')}, k = ${decision.k}</li>`,
    markup`<li><time datetime="${run.started_at}">${run.started_at.replace('T', ' ').replace(/\.\d+/u, '').replace(/Z$/u, ' UTC')}</time></li>`,
    gateModeText(results) === null ? null : markup`<li>${gateModeText(results)}</li>`,
  ]
  return markup`<header class="verdict ${decision.verdict}">
<p class="brand"><b>genui-eval</b> ${run.plugin.name} ${run.plugin.version}</p>
<h1><span class="sign" aria-hidden="true">${SIGN[decision.verdict]}</span><span><strong>${word}</strong>${sentence}</span></h1>
<ul class="facts">${facts}</ul>
</header>`
}

export function notices(results: Results, leftOut: readonly string[]): Markup | null {
  const shared = sharedCause(results)
  const sentences = [
    ...(shared === null ? [] : [`${sharedCount(shared)}: ${shared.failure_class}, ${shared.detail}`]),
    ...noticesBeside(results, shared),
    ...(leftOut.length === 0 ? [] : [`To keep this file small, ${leftOut.join(', ')} are left out; they are in the run folder.`]),
  ]
  return sentences.length === 0
    ? null
    : markup`<ul class="notices" aria-label="Notices">${sentences.map((sentence) => markup`<li>${sentence}</li>`)}</ul>`
}

export function cards(results: Results): Markup {
  return markup`<section class="cards" aria-label="Summary">${suiteCard(results)}${trialsCard(results)}${spendingCard(results)}</section>`
}

function suiteCard(results: Results): Markup {
  const { head, baseline } = results.decision.suite
  const before =
    baseline.pass_k === null
      ? markup`<p class="quiet">No baseline to compare with.</p>`
      : markup`<p class="quiet">baseline ${percent(baseline.pass_k)} (${intervalText(baseline.interval)})</p>`
  const sensitivity = sensitivitySentence(results)
  return markup`<div class="card"><h2>Suite pass^${results.decision.k}</h2><p class="big">${percent(head.pass_k)}<span class="quiet">${intervalText(head.interval)}</span></p>${intervalBar(
    baseline.pass_k === null ? null : baseline,
    head,
  )}${before}${head.pass_at_k === null ? null : markup`<p class="quiet">pass@${results.decision.k} ${percent(head.pass_at_k)}</p>`}${
    sensitivity === null ? null : markup`<p class="quiet">${sensitivity}</p>`
  }</div>`
}

function trialsCard(results: Results): Markup {
  const { totals } = results
  const parts = (['pass', 'fail', 'infra', 'missing'] as const).filter((part) => totals[part] > 0)
  const sum = Math.max(
    1,
    parts.reduce((count, part) => count + totals[part], 0),
  )
  let from = 0
  const segments = parts.map((part) => {
    const width = (totals[part] / sum) * 100
    const segment = markup`<rect class="${part}" x="${from.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="8"/>`
    from += width
    return segment
  })
  const legend = parts.map((part) => markup`<li class="${part}">${totals[part]} ${part}</li>`)
  return markup`<div class="card"><h2>Trials</h2><p class="big">${totals.pass + totals.fail}<span class="quiet">counted of ${totals.planned} planned</span></p><svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${segments}</svg><ul class="legend">${legend}</ul></div>`
}

function spendingCard(results: Results): Markup {
  const { spending } = results
  const rows = spending.comparison
    .filter((entry) => entry.head !== null)
    .map(spendingRow)
    .map(
      (row) =>
        markup`<tr><th scope="row">${row.name}</th><td>${row.baseline}</td><td>${row.head}</td><td class="${row.ratio === null || Math.abs(row.ratio) < 0.1 ? 'level' : row.ratio > 0 ? 'more' : 'less'}">${row.change}</td></tr>`,
    )
  const comparison =
    rows.length === 0
      ? null
      : markup`<table class="plain"><thead><tr><th>Median</th><th>Base</th><th>Now</th><th></th></tr></thead><tbody>${rows}</tbody></table>`
  const [first, ...others] = spentParts(spending)
  const beside = others.length === 0 ? null : markup`<span class="quiet">${others.join(' · ')}</span>`
  return markup`<div class="card"><h2>Spent</h2><p class="big">${first ?? ''}${beside}</p>${comparison}${judgeLines(results)}</div>`
}

function judgeLines({ judge }: Results): Markup | null {
  if (judge === undefined) return null
  const health = judgeHealthText(judge)
  return markup`<p class="quiet">Judge: ${judgeSpendingText(judge)}</p>${health === null ? null : markup`<p class="quiet">Judge measured: ${health}</p>`}`
}

export function conditions(results: Results): Markup {
  const { fingerprint, repeat_command: command, id, plugin } = results.run
  const rows = FINGERPRINT_PARTS.map((part) => markup`<div><dt>${part}</dt><dd>${fingerprint[part]}</dd></div>`)
  return markup`<section class="conditions" aria-label="Conditions"><div><h2>Repeat locally</h2>${literal(command)}</div><div><h2>Conditions</h2><dl><div><dt>plugin</dt><dd>${plugin.path}</dd></div>${rows}<div><dt>run</dt><dd>${id}</dd></div></dl></div></section>`
}
