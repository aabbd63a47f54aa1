/** A task in the report: a row of the table, and its section with gallery and trials. */
import { countsText, intervalText, percent, plural } from '../figures.ts'
import { taskAnchor, type ReportedTask } from '../selection.ts'
import { cutText } from '../visible-text.ts'
import { STATUS_WORDS } from '../verdict-words.ts'
import { taskGallery } from './gallery.ts'
import { intervalBar } from './interval-bar.ts'
import { markup, trusted, type Markup } from './markup.ts'
import { baseGalleryTrial, galleryTrial, type ReportMedia } from './media.ts'
import { trialView } from './trial-view.ts'

function pill(task: ReportedTask): Markup {
  const { status } = task.verdict
  return markup`<span class="pill ${status}" title="${STATUS_WORDS[status].meaning}">${STATUS_WORDS[status].word}</span>`
}

function bar(task: ReportedTask): Markup {
  const { head, baseline } = task.verdict
  return intervalBar(
    baseline === null ? null : { pass_k: baseline.pass_k, interval: baseline.pass_k_interval },
    head === null ? null : { pass_k: head.pass_k, interval: head.pass_k_interval },
  )
}

function marks(task: ReportedTask): Markup {
  const { golden, quarantine } = task.verdict
  return markup`${golden ? markup`<span class="tag" title="must not fall below the golden floor">golden</span>` : null}${
    quarantine === null
      ? null
      : markup`<span class="tag" title="${`${quarantine.owner}: ${quarantine.reason}`}">quarantined until ${quarantine.expires}</span>`
  }`
}

export function taskRow(task: ReportedTask): Markup {
  const { verdict, facts } = task
  const cause = facts?.cause ?? null
  return markup`<tr class="${verdict.status}" data-task="${verdict.task_id}">
<td class="name"><a href="#${taskAnchor(verdict.task_id)}">${verdict.task_id}</a>${marks(task)}<span class="quiet">${facts?.category ?? 'not in this run'}</span></td>
<td class="status">${pill(task)}</td>
<td class="chart">${bar(task)}</td>
<td class="figure" data-label="Baseline">${percent(verdict.baseline?.pass_k ?? null)}<span class="quiet">${countsText(verdict.baseline)}</span></td>
<td class="figure now" data-label="Now">${percent(verdict.head?.pass_k ?? null)}<span class="quiet">${countsText(verdict.head)}</span></td>
<td class="cause">${cause === null ? null : markup`<code class="class">${cause.failure_class}</code> ×${cause.trials}<span class="quiet">${cutText(cause.example, 110)}</span>`}</td>
</tr>`
}

/** @param open whether the section is unfolded at first */
export function taskSection(task: ReportedTask, k: number, media: ReportMedia, open: boolean): Markup {
  const { verdict, facts } = task
  const shown = galleryTrial(task)
  const firstFailing = task.trials.find((trial) => trial.verdict === 'fail')
  const figures = `pass^${k} ${percent(verdict.baseline?.pass_k ?? null)} → ${percent(verdict.head?.pass_k ?? null)}`
  const p =
    verdict.p_value === null
      ? ''
      : ` · p = ${verdict.p_value < 0.0001 ? '< 0.0001' : verdict.p_value.toFixed(4)}${verdict.level === null ? '' : `, level ${verdict.level.toFixed(4)}`}`
  const heading = markup`${pill(task)}<h3>${verdict.task_id}</h3>${marks(task)}<span class="quiet">${figures}</span>`
  const prompt =
    facts === null
      ? null
      : markup`<blockquote><span class="quiet">${facts.category} · ${facts.explicitness.replaceAll('_', ' ')}</span>${facts.user_prompt}</blockquote>`
  const numbers = markup`<p class="quiet small">Baseline ${countsText(verdict.baseline)} (${intervalText(verdict.baseline?.pass_k_interval ?? null)}) · now ${countsText(verdict.head)} (${intervalText(verdict.head?.pass_k_interval ?? null)})${p}</p>`
  const trials = [...task.trials, ...task.baseTrials].map((trial) =>
    trialView(trial, media, trial === shown || trial === baseGalleryTrial(task), open && trial === firstFailing),
  )
  return markup`<details class="task ${verdict.status}" id="${taskAnchor(verdict.task_id)}" data-task="${verdict.task_id}"${open ? trusted(' open') : null}>
<summary>${heading}</summary>
<div class="body"><p class="why">${verdict.reason}</p>${numbers}${prompt}${taskGallery(task, media)}<h4>Trials <span class="quiet">${plural(task.trials.length, 'trial')}</span></h4>${trials}</div>
</details>`
}
