/** Results and media → the browsable report: one file, no network, readable without scripts. */
import type { Results } from '../../model/results.ts'
import { reportedTasks, type ReportedTask } from '../selection.ts'
import { scriptJson } from '../untrusted-text.ts'
import { headline } from '../verdict-words.ts'
import { visibleLine } from '../visible-text.ts'
import { BEHAVIOUR } from './behaviour.ts'
import { markup, trusted, type Markup } from './markup.ts'
import { chooseMedia, type ReportMedia } from './media.ts'
import { cards, conditions, notices, verdictHeader } from './overview.ts'
import { STYLE } from './style.ts'
import { taskRow, taskSection } from './task-view.ts'

export type { ReportMedia } from './media.ts'

/** Characters of embedded screenshots, transcripts and micro-apps; what is beyond is named in the report as left out. */
export const MEDIA_LIMIT = 40_000_000

/**
 * Nothing is fetched and nothing sent. Inline scripts must be allowed, since the policy also binds the micro-apps that a
 * reader chooses to run; the report's own safety is that every inserted string is escaped by its template.
 */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'"

/** Sections that are unfolded at first: more would bury the table. */
const MOST_OPEN = 3

export function htmlReport(results: Results, media: ReportMedia, mediaLimit = MEDIA_LIMIT): string {
  const tasks = reportedTasks(results)
  const chosen = chooseMedia(tasks, media, mediaLimit)
  const opened = new Set(tasks.filter((task) => task.verdict.status === 'regressed').slice(0, MOST_OPEN))
  const rows = tasks.map(taskRow)
  const sections = tasks.map((task) => taskSection(task, results.decision.k, chosen.media, opened.has(task)))
  const page = markup`<!doctype html>
<html lang="en" class="verdict-${results.decision.verdict}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${visibleLine(headline(results))}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#tasks">Skip to the tasks</a>
<main>
${verdictHeader(results)}
${notices(results, chosen.leftOut)}
${cards(results)}
${tools()}
<div class="tablewrap" id="tasks"><table class="tasks">
<thead><tr><th scope="col">Task</th><th scope="col">Status</th><th scope="col"><span class="axis"><span>0%</span><span>pass^${results.decision.k}</span><span>100%</span></span></th><th scope="col" class="figure">Baseline</th><th scope="col" class="figure">Now</th><th scope="col">Commonest failure</th></tr></thead>
<tbody>${rows}</tbody></table><p id="nothing" class="quiet" hidden style="padding:18px 20px">No task fits these filters.</p></div>
<section class="sections" aria-label="Evidence by task"><h2>Evidence by task</h2>${sections}</section>
${conditions(results)}
</main>
<footer><p class="keys"><span><kbd>j</kbd> <kbd>k</kbd> next, previous task</span><span><kbd>o</kbd> open or close it</span><span><kbd>x</kbd> all</span><span><kbd>/</kbd> search</span><span><kbd>Esc</kbd> clear</span><span><kbd>t</kbd> light or dark</span><span><kbd>g</kbd> top</span></p><p>The bars show pass^${results.decision.k}, the chance that ${results.decision.k} trials in a row all pass, with its exact 95% interval: the baseline above in grey, this build below.</p></footer>
<dialog id="zoom" aria-label="Screenshot"><img alt=""><p></p></dialog>
<script type="application/json" id="index">${trusted(scriptJson(tasks.map(indexEntry)))}</script>
<script>${trusted(BEHAVIOUR)}</script>
</body>
</html>
`
  return page.source
}

function tools(): Markup {
  return markup`<form class="tools" role="search"><input id="f-text" type="search" placeholder="Search task, prompt, cause" aria-label="Search">
<select id="f-status" aria-label="Status"><option value="">Any status</option></select>
<select id="f-class" aria-label="Failure class"><option value="">Any failure</option></select>
<select id="f-category" aria-label="Category"><option value="">Any category</option></select>
<button type="button" id="f-clear">Clear</button><button type="button" id="f-expand">Unfold all</button><button type="button" id="f-theme" aria-label="Light or dark">◐</button><output id="f-count"></output></form>`
}

/** What the filters look at, in the order of rows and sections. */
function indexEntry(task: ReportedTask): Readonly<Record<string, unknown>> {
  const { verdict, facts } = task
  const classes = new Set(task.trials.flatMap((trial) => [trial.failure_class ?? trial.infra_class].filter((name) => name !== null)))
  const text = [verdict.task_id, verdict.status, verdict.reason, facts?.user_prompt, facts?.category, facts?.cause?.example, ...classes]
  return {
    status: verdict.status,
    category: facts?.category ?? 'not in this run',
    classes: [...classes],
    text: visibleLine(text.filter((part) => part !== undefined).join(' ')).toLowerCase(),
  }
}
