import type { Task } from '../model/task.ts'
import { openDocument, withLate } from './app-document.ts'
import { escaped, withComputationFrozen, withObserved, withWords } from './page-edits.ts'
import { readingPage } from './reading-page.ts'

/** A reference app with one fault that only its rubric asks about: every deterministic check passes it. */
export interface RubricMutant {
  readonly rule: string
  /** What the fault is about, in words. */
  readonly at: string
  readonly html: string
  /** The rubric that must fail it. */
  readonly rubric_id: string
}

interface RubricRule {
  readonly name: string
  readonly at: string
  /** Looked for in the rubric's criteria: a rule speaks only for rubrics that ask for what it takes away. */
  readonly asked: RegExp
  /** Null where the document has no place for the fault. */
  readonly make: (html: string, task: Task) => string | null
}

/** Notes of the task's tools, one sentence each, but those that `answers_hidden` names: code would see them. */
function notesOf(task: Task): string[] {
  const known = task.own_assertions?.answers_hidden ?? []
  return task.mock_tool_context
    .flatMap(({ output }) => output.split(/(?<=[.!?])\s+(?=[\p{Lu}_a-z])/u))
    .filter((sentence) => sentence.trim() !== '' && !known.some((answer) => sentence.includes(answer)))
}

const RULES: readonly RubricRule[] = [
  {
    name: 'show_answers_at_once',
    at: 'the notes stand open above the questions',
    asked: /answers? are hidden/iu,
    make: (html, task) => {
      const notes = notesOf(task).map((note) => `<li>${escaped(note)}</li>`)
      if (notes.length === 0) return null
      const { start } = openDocument(html).body
      const key = `<aside style="max-width:720px;margin:24px auto;padding:0 20px"><h2>Answers at a glance</h2><ul>${notes.join('')}</ul></aside>`
      return `${html.slice(0, start)}${key}${html.slice(start)}`
    },
  },
  {
    name: 'nothing_prechecked',
    at: 'every box is unticked at first',
    asked: /pre-checked/iu,
    make: (html) =>
      withLate(
        openDocument(html),
        `<script>for (const box of document.querySelectorAll('input[type=checkbox]')) if (box.checked) box.click()</script>`,
      ),
  },
  {
    name: 'hard_coded_numbers',
    at: 'figures are those of the first setting; only the labels follow the ranges',
    asked: /sliders? move|moving the \w+ slider|dynamically recalculates/iu,
    make: withComputationFrozen,
  },
  {
    name: 'text_wall',
    at: 'the notes as pages to read, with a button at the end',
    asked: /static text|passive text|wall of text/iu,
    make: (_html, task) => (task.own_assertions?.payload_reflects_state === false ? readingPage(task, notesOf(task)) : null),
  },
  {
    name: 'break_even_not_shown',
    at: 'everything that names the break-even point is taken away',
    asked: /break-even/iu,
    make: (html) =>
      /break.?even/iu.test(html)
        ? withObserved(
            html,
            `for (const el of document.querySelectorAll('p, li, small, text, td')) if (/break.?even/i.test(el.textContent)) { if (el.style.display !== 'none') el.style.display = 'none' }`,
          )
        : null,
  },
  {
    name: 'killable_database',
    at: 'postgres and the gateway can be stopped like anything else, without a warning',
    asked: /against killing postgres/iu,
    make: (html) =>
      withWords(html, [
        [/kind: 'locked'/gu, "kind: 'optional'"],
        [/advice: 'Protected'/gu, "advice: 'Your call'"],
        [/Production database\. Cannot be selected\./gu, 'Database server.'],
        [/Hermes talks to you through it\. Cannot be selected\./gu, 'Gateway process.'],
        [/ The database and Hermes itself are locked below\./gu, ''],
        [/ postgres \(1102\) and hermes-gateway \(3310\) stay untouched\./gu, ''],
      ]),
  },
  {
    name: 'contradictions_not_shown',
    at: 'the view of contradictions is missing',
    asked: /contradiction/iu,
    make: (html) => {
      const silent = withWords(html, [
        [/Not given; ARES criticises its variance/gu, 'Not given'],
        [/<option>where they contradict<\/option>/gu, ''],
        [/ · \$\{tensions\} contradiction\$\{[^}]*\} between them/gu, ''],
      ])
      return silent === null
        ? null
        : withObserved(
            silent,
            `for (const el of document.querySelectorAll('[role=tab], [role=tabpanel]')) if (/contradict|clash/i.test(el.id + el.textContent) && el.style.display !== 'none') el.style.display = 'none'`,
          )
    },
  },
  {
    name: 'read_only_drafts',
    at: 'the drafts cannot be edited',
    asked: /editable pre-filled textarea/iu,
    make: (html) =>
      withObserved(
        html,
        `for (const el of document.querySelectorAll('textarea')) if (!el.readOnly) { el.readOnly = true; el.value = el.value }`,
      ),
  },
  {
    name: 'empty_drafts',
    at: 'no draft is filled in',
    asked: /editable pre-filled textarea/iu,
    make: (html) =>
      withLate(
        openDocument(html),
        `<script>for (const el of document.querySelectorAll('textarea')) { el.value = ''; el.dispatchEvent(new Event('input', { bubbles: true })) }</script>`,
      ),
  },
  {
    name: 'fixed_schedule',
    at: 'days and time of the reviews cannot be changed',
    asked: /adjusting review frequency/iu,
    make: (html) =>
      withObserved(
        html,
        `for (const el of document.querySelectorAll('input:not([type=checkbox]), select, [data-day], [data-plan]')) if (!el.disabled) el.disabled = true`,
      ),
  },
  {
    name: 'fixed_keywords',
    at: 'the topics cannot be edited',
    asked: /editing ArXiv keywords/iu,
    make: (html) =>
      withWords(html, [
        [/<div class="add">/gu, '<div class="add" style="display:none">'],
        [/chip\.append\(item, remove\)/gu, 'chip.append(item)'],
      ]),
  },
  {
    name: 'details_stay',
    at: 'a click on a node lights it up, but the details are always those of the first',
    asked: /clicking a node/iu,
    make: (html) => withWords(html, [[/const node = find\(selected\)/gu, "const node = find('raft')"]]),
  },
  {
    name: 'no_filter_no_weights',
    at: 'nothing can be filtered or weighted',
    asked: /filtering or weighting/iu,
    make: (html) =>
      withLate(openDocument(html), `<style>.tools, td select, th select, tfoot, #leader, .dek { display: none !important }</style>`),
  },
]

/**
 * All mutants of a reference that only a rubric can see, in the order of the rules. Some rules hold for any app of a task, others are bound to how the
 * reference of that task is written; each takes away what the rubric's criteria ask for in so many words.
 */
export function rubricMutantsOf(task: Task, referenceHtml: string): readonly RubricMutant[] {
  const { html } = openDocument(referenceHtml)
  return task.model_grader_rubrics.flatMap((rubric) =>
    RULES.filter((rule) => rule.asked.test(rubric.criteria)).flatMap((rule) => {
      const mutant = rule.make(html, task)
      return mutant === null || mutant === html ? [] : [{ rule: rule.name, at: rule.at, html: mutant, rubric_id: rubric.id }]
    }),
  )
}
