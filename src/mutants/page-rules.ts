import type { CheckId } from '../model/task.ts'
import { withEarly, withLate } from './app-document.ts'
import type { MutantRule } from './mutant.ts'
import { exampleOf } from './payload-schema.ts'

const NO_WAY_ON: readonly CheckId[] = ['callback.received', 'dom.min_interactive_elements', 'dom.not_blank', 'interaction.live_controls']
/** Elements that a required selector and its ARIA equivalents mean. */
const BUTTONS = 'button, [role=button], input[type=submit], input[type=button], summary'

/** Faults of the whole page, put in as markup beside the app's own. */
export const PAGE_RULES: readonly MutantRule[] = [
  {
    name: 'send_on_load',
    fault: 'a callback is sent before the user did anything',
    expected_checks: ['callback.premature_callback'],
    make: (app, task) => {
      const send = `window.hermes.sendAction(${JSON.stringify(exampleOf(task.expected_callback_schema))})`
      return [
        { at: 'inline script', html: withLate(app, script(send)) },
        { at: 'load event', html: withLate(app, script(`addEventListener('load', () => ${send})`)) },
        { at: 'timer, 30 ms', html: withLate(app, script(`setTimeout(() => ${send}, 30)`)) },
      ]
    },
  },
  {
    name: 'hide_all',
    fault: 'everything is hidden',
    expected_checks: NO_WAY_ON,
    make: (app) =>
      ['display: none', 'visibility: hidden', 'opacity: 0'].map((rule) => ({
        at: rule,
        html: withLate(app, `<style>html > body, body * { ${rule} !important }</style>`),
      })),
  },
  {
    name: 'blank_body',
    fault: 'the body is empty',
    expected_checks: ['dom.not_blank'],
    make: (app) => [{ at: 'body', html: `${app.html.slice(0, app.body.start)}${app.html.slice(app.body.end)}` }],
  },
  {
    name: 'cover_page',
    fault: 'an overlay that cannot be closed covers the page',
    expected_checks: NO_WAY_ON,
    make: (app) => [
      {
        at: 'loading screen',
        html: withLate(app, '<div style="position:fixed;inset:0;z-index:2147483647;background:#fff">Loading…</div>'),
      },
      { at: 'transparent layer', html: withLate(app, '<div style="position:fixed;inset:0;z-index:2147483647"></div>') },
    ],
  },
  {
    name: 'disable_buttons',
    fault: 'the buttons are disabled and stay so',
    expected_checks: NO_WAY_ON,
    make: (app) => [
      {
        at: 'every button',
        html: withEarly(
          app,
          always(
            `for (const el of document.querySelectorAll('${BUTTONS}')) if (!el.inert) { el.inert = true; el.disabled = true; el.setAttribute('aria-disabled', 'true') } else if (el.disabled === false) el.disabled = true`,
          ),
        ),
      },
    ],
  },
  {
    name: 'remove_required_control',
    fault: 'a control that the task asks for is missing',
    expected_checks: ['dom.required_selectors', 'dom.min_interactive_elements', 'callback.received'],
    make: (app, task) =>
      (task.outcome_dom_assertions.required_selectors ?? []).map((selector) => ({
        at: selector,
        html: withEarly(
          app,
          always(`for (const el of document.querySelectorAll(${JSON.stringify(withEquivalents(selector))})) el.remove()`),
        ),
      })),
  },
  {
    name: 'swallow_clicks',
    fault: 'clicks reach no control',
    expected_checks: NO_WAY_ON,
    make: (app) => [
      {
        at: 'click, submit and key events',
        html: withEarly(
          app,
          script(
            "for (const type of ['click', 'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'submit', 'keydown', 'keyup']) addEventListener(type, (e) => { e.stopImmediatePropagation(); e.preventDefault() }, true)",
          ),
        ),
      },
    ],
  },
  {
    name: 'throw_on_click',
    fault: 'every click throws',
    expected_checks: ['dom.zero_js_errors'],
    make: (app) => [
      { at: 'click', html: withEarly(app, script("addEventListener('click', () => { throw new TypeError('state is undefined') }, true)")) },
    ],
  },
  {
    name: 'reject_on_click',
    fault: 'a promise is rejected and not caught after a click',
    expected_checks: ['dom.zero_js_errors'],
    make: (app) => [
      {
        at: 'click',
        html: withEarly(app, script("addEventListener('click', () => { Promise.reject(new Error('request failed')) }, true)")),
      },
    ],
  },
  {
    name: 'throw_on_load',
    fault: 'an exception is thrown at the end of loading',
    expected_checks: ['dom.zero_js_errors'],
    make: (app) => [
      { at: 'last script', html: withLate(app, script("document.querySelector('#summary-chart-missing').textContent = 'ready'")) },
    ],
  },
  {
    name: 'loop_on_click',
    fault: 'a click starts a loop without end',
    expected_checks: ['dom.page_alive'],
    make: (app) => [{ at: 'click', html: withEarly(app, script("addEventListener('click', () => { for (;;); }, true)")) }],
  },
  {
    name: 'dead_slider',
    fault: 'moving a range has no effect',
    expected_checks: ['interaction.reactivity'],
    make: (app, task) =>
      task.outcome_interaction_steps.some((step) => step.action === 'set_range')
        ? [
            {
              at: 'every range',
              html: withEarly(
                app,
                script(
                  "for (const type of ['input', 'change']) addEventListener(type, (e) => { if (e.target.type === 'range') e.stopImmediatePropagation() }, true)",
                ),
              ),
            },
          ]
        : [],
  },
  {
    name: 'show_answers',
    fault: 'the answers are visible at once',
    expected_checks: ['interaction.answers_hidden'],
    make: (app, task) =>
      (task.own_assertions?.answers_hidden ?? []).map((answer) => ({
        at: answer,
        html: withLate(app, `<aside style="display:block;position:static">Answer key: ${escaped(answer)}</aside>`),
      })),
  },
  {
    name: 'wrong_defaults',
    fault: 'boxes are ticked at first that must not be, or the other way round',
    expected_checks: ['interaction.initial_state'],
    make: (app, task) => {
      const own = task.own_assertions
      const flip = (checked: boolean): string =>
        withLate(
          app,
          script(`for (const box of document.querySelectorAll('input[type=checkbox]')) if (box.checked !== ${checked}) box.click()`),
        )
      return [
        ...((own?.initially_unchecked ?? []).length > 0 ? [{ at: 'all ticked', html: flip(true) }] : []),
        ...((own?.initially_checked ?? []).length > 0 ? [{ at: 'none ticked', html: flip(false) }] : []),
      ]
    },
  },
]

function script(code: string): string {
  return `<script>${code}</script>`
}

/** Code that holds from the first element on, also for what the app draws later. */
function always(code: string): string {
  return script(
    `(() => { const apply = () => { ${code} }; new MutationObserver(apply).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] }); apply() })()`,
  )
}

function withEquivalents(selector: string): string {
  if (selector === 'button') return BUTTONS
  if (/checkbox/u.test(selector)) return `${selector}, [role=checkbox], [role=switch]`
  if (/range/u.test(selector)) return `${selector}, [role=slider]`
  if (/^(?:textarea|input)/u.test(selector))
    return `${selector}, [role=textbox], [contenteditable], input, textarea, [role=checkbox], [role=switch], [role=slider], [role=radio], [role=spinbutton], [role=combobox]`
  return selector
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
