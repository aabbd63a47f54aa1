/** One trial in the report: checks with evidence, steps, callbacks, pictures, transcript, micro-app. */
import type { TrialRecord } from '../../model/record.ts'
import type { ToolCall, Transcript } from '../../model/transcript.ts'
import { duration, plural, quantity, spentParts, usd } from '../figures.ts'
import { checkId, failedCheck, trialAnchor } from '../selection.ts'
import { stepText } from '../failing-trial.ts'
import { cutText } from '../visible-text.ts'
import { disclosure, exactAttribute, literal, markup, trusted, type Insert, type Markup } from './markup.ts'
import { pictureStrip } from './gallery.ts'
import type { ReportMedia } from './media.ts'

type RecordedCheck = TrialRecord['checks'][number]

const TRIAL_SIGN = { pass: '✓', fail: '✗', infra: '?' } as const
const CHECK_SIGN = { pass: '✓', fail: '✗', skipped: '–' } as const
const MOST_TEXT = 6000

/**
 * @param pictured whether the task's gallery already shows this trial's screenshots
 * @param open whether the trial is unfolded at first
 */
export function trialView(trial: TrialRecord, media: ReportMedia, pictured: boolean, open: boolean): Markup {
  const what = trial.failure_class ?? trial.infra_class
  const tokens = trial.tokens.input + trial.tokens.output
  const summary = markup`<span class="mark ${trial.verdict}">${TRIAL_SIGN[trial.verdict]}</span><b>Trial ${trial.index + 1}</b>${
    trial.arm === 'base' ? markup`<span class="tag">base build</span>` : null
  }${what === null ? null : markup`<code class="class">${what}</code>`}<span class="quiet">${
    trial.score === null ? '' : `${Math.round(trial.score * 100)}% of checks · `
  }${spentParts({ cost_usd: trial.cost_usd, tokens, wall_ms: trial.wall_ms }).toReversed().join(' · ')}${trial.attempts > 1 ? ` · attempt ${trial.attempts}` : ''}</span>`
  const transcript = media.transcripts[trial.trial_id]
  const app = media.apps[trial.trial_id]
  const content = [
    trial.verdict === 'pass' || failedCheck(trial)?.evidence.message === trial.detail
      ? null
      : markup`<p class="detail">${trial.detail}</p>`,
    checksView(trial),
    judgingView(trial),
    stepsView(trial),
    callbacksView(trial, media.callbackSchemas?.[trial.task_id]),
    pictured
      ? markup`<p class="quiet small">The screenshots of this trial are in the gallery of the task.</p>`
      : pictureStrip(trial, media.screenshots),
    transcript === undefined ? null : transcriptView(transcript),
    app === undefined ? null : appView(trial, app),
    requestsView(trial),
  ]
  return markup`<details class="trial ${trial.verdict}" id="${trialAnchor(trial.trial_id)}"${open ? trusted(' open') : null}><summary>${summary}</summary><div class="body">${content}</div></details>`
}

function checksView(trial: TrialRecord): Markup | null {
  if (trial.checks.length === 0) return null
  const rank = (check: RecordedCheck): number => (check.status === 'fail' ? (check.diagnostic ? 1 : 0) : check.status === 'pass' ? 2 : 3)
  const checks = trial.checks.toSorted((a, b) => rank(a) - rank(b))
  const failed = checks.filter((check) => rank(check) === 0)
  const rest = checks.filter((check) => rank(check) > 0)
  const list = (of: readonly RecordedCheck[]): Markup => markup`<ul class="checks">${of.map(checkView)}</ul>`
  const title = markup`Checks <span class="quiet">${tally(trial.checks)}</span>`
  return markup`<h4>${title}</h4>${failed.length === 0 ? null : list(failed)}${
    rest.length === 0 ? null : disclosure(failed.length === 0 ? 'All checks' : 'The other checks', list(rest), { className: 'fold' })
  }`
}

function judgingView({ judge }: TrialRecord): Markup | null {
  if (judge === undefined) return null
  const { calls, cached_votes: cached, prompt_tokens: prompt, tokens, cost_usd: cost, ms, attempts } = judge
  const figures = [
    plural(calls, 'call'),
    ...(cached === 0 ? [] : [`${plural(cached, 'vote')} from the cache`]),
    `prompt of about ${quantity(prompt)} tokens`,
    `${quantity(tokens)} tokens`,
    usd(cost),
    duration(ms),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ]
  return markup`<p class="quiet small">Judge: ${figures.join(' · ')}</p>`
}

/** `12 of 13 passed, 3 skipped, 2 diagnostic`: every check is in one of the counts. */
function tally(checks: readonly RecordedCheck[]): string {
  const deciding = checks.filter((check) => !check.diagnostic)
  const of = (status: RecordedCheck['status']): number => deciding.filter((check) => check.status === status).length
  const beside = [
    [of('skipped'), 'skipped'],
    [checks.length - deciding.length, 'diagnostic'],
  ] as const
  const others = beside.filter(([count]) => count > 0).map(([count, word]) => `, ${count} ${word}`)
  return `${of('pass')} of ${of('pass') + of('fail')} passed${others.join('')}`
}

function checkView(check: RecordedCheck): Markup {
  const { evidence } = check
  const row = (label: string, value: string | undefined): Markup | null =>
    value === undefined ? null : markup`<div><dt>${label}</dt><dd>${cutText(value, 2000)}</dd></div>`
  const rows = [
    row('expected', evidence.expected),
    row('seen', evidence.seen),
    row('selector', evidence.selector),
    row('when', evidence.step === undefined ? undefined : evidence.step === 0 ? 'after loading' : `after step ${evidence.step}`),
  ].filter((each) => each !== null)
  const items = (evidence.items ?? []).map(
    (item) =>
      markup`<li class="${item.met ? 'met' : 'unmet'}"><span>${item.met ? '✓' : '✗'}</span><span>${item.requirement}<span class="quiet"> ${item.how}</span></span></li>`,
  )
  return markup`<li class="${check.status}"><span class="mark ${check.status}">${CHECK_SIGN[check.status]}</span><div><code>${checkId(check)}</code>${
    check.diagnostic ? markup`<span class="tag">diagnostic</span>` : null
  }<p>${evidence.message}</p>${rows.length === 0 ? null : markup`<dl>${rows}</dl>`}${items.length === 0 ? null : markup`<ul class="items">${items}</ul>`}</div></li>`
}

function stepsView(trial: TrialRecord): Markup | null {
  if (trial.steps.length === 0) return null
  const reached =
    trial.reached_by === null ? '' : `callback reached by ${trial.reached_by === 'explorer' ? 'the explorer' : 'the declared steps'}`
  const rows = trial.steps.map(
    (step) =>
      markup`<li class="${step.status}${step.sent ? ' sent' : ''}"><span class="tag">${step.by}</span> ${stepText(step).replace(/^\d+\. /u, '')}</li>`,
  )
  return markup`<h4>Steps <span class="quiet">${reached}</span></h4><ol class="steps">${rows}</ol>`
}

function callbacksView(trial: TrialRecord, schema: unknown): Markup | null {
  if (trial.callbacks.length === 0 && schema === undefined) return null
  const calls = trial.callbacks.map(
    (call) =>
      markup`<li><p><span class="mark ${call.valid ? 'pass' : 'fail'}">${call.valid ? '✓' : '✗'}</span> after ${
        call.step === 0 ? 'loading' : `step ${call.step}`
      }, ${duration(call.t_ms)}${call.reason === null ? null : markup` <span class="reason">${call.reason}</span>`}</p>${literal(
        cutText(JSON.stringify(call.payload, null, 2) ?? 'undefined', MOST_TEXT),
      )}</li>`,
  )
  const expected =
    schema === undefined || schema === null
      ? null
      : markup`<div><h5>Expected by the schema</h5>${literal(cutText(JSON.stringify(schema, null, 2) ?? '', MOST_TEXT))}</div>`
  const got = calls.length === 0 ? markup`<p class="quiet">No callback came.</p>` : markup`<ol class="calls">${calls}</ol>`
  return markup`<h4>Callbacks <span class="quiet">${calls.length}</span></h4><div class="versus"><div>${expected === null ? null : markup`<h5>Received</h5>`}${got}</div>${expected}</div>`
}

function transcriptView(transcript: Transcript): Markup {
  const calls = new Map(transcript.tool_calls.map((call) => [call.id, call]))
  const messages = transcript.messages.map((message): Markup | null => {
    if (message.role === 'tool') return null
    const body: Insert[] = message.content === '' ? [] : [literal(cutText(message.content, MOST_TEXT))]
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) {
        body.push(toolCallView(call.name, call.arguments, calls.get(call.id) ?? null))
        calls.delete(call.id)
      }
    }
    return markup`<li class="${message.role}"><h5>${message.role}</h5>${
      message.role === 'system' ? disclosure('System prompt', body, { className: 'fold' }) : body
    }</li>`
  })
  const loose = [...calls.values()].map(
    (call) => markup`<li class="assistant"><h5>tool</h5>${toolCallView(call.name, JSON.stringify(call.args), call)}</li>`,
  )
  const offered =
    transcript.tools_offered.length === 0 ? null : markup`<p class="quiet small">Tools offered: ${transcript.tools_offered.join(', ')}</p>`
  return disclosure(
    markup`Transcript <span class="quiet">${plural(transcript.messages.length, 'message')}, ${plural(transcript.tool_calls.length, 'tool call')}</span>`,
    markup`${offered}<ol class="transcript">${messages}${loose}</ol>`,
    { className: 'fold' },
  )
}

function toolCallView(name: string, args: string, call: ToolCall | null): Markup {
  const ended = call === null ? 'no result' : `${call.status}, ${duration(call.ms)}`
  return disclosure(
    markup`<code>${name}</code> <span class="quiet">${ended}</span>`,
    markup`<h5>Arguments</h5>${literal(cutText(args, MOST_TEXT))}${call === null ? null : markup`<h5>Result</h5>${literal(cutText(call.result, MOST_TEXT))}`}`,
    { className: `tool ${call?.status === 'error' ? 'error' : 'ok'}` },
  )
}

/**
 * The document becomes the frame's `srcdoc` when the reader unfolds it (hundreds of frames would slow the page down), in a
 * sandbox without any permission. The button gives it scripts, still without an origin; the report's policy, which a
 * `srcdoc` inherits, gives it no network.
 */
function appView(trial: TrialRecord, app: string): Markup {
  return disclosure(
    markup`Micro-app <span class="quiet">${quantity(app.length)} characters</span>`,
    markup`<p class="quiet small">In a sandbox, without network: libraries from a CDN are missing here, and the screenshots show what a user saw. <button type="button" class="run" hidden>Run its scripts</button></p>
<iframe sandbox="" title="Micro-app of ${trial.trial_id}" data-document="${exactAttribute(app)}"></iframe>
${disclosure('Source', literal(cutText(app, 40_000)), { className: 'fold' })}`,
    { className: 'fold app' },
  )
}

function requestsView(trial: TrialRecord): Markup | null {
  const requests = trial.requests.filter((request) => request.answer !== 'document')
  if (requests.length === 0) return null
  const rows = requests
    .slice(0, 100)
    .map((request) => markup`<li><span class="tag">${request.answer}</span> ${cutText(request.url, 300)}</li>`)
  return disclosure(markup`Requests <span class="quiet">${requests.length}</span>`, markup`<ul class="requests">${rows}</ul>`, {
    className: 'fold',
  })
}
