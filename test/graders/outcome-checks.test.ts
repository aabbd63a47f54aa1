import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf } from '../../src/graders/check.ts'
import { gradeTrial, type TrialToGrade } from '../../src/graders/grade.ts'
import type { Check, Grade } from '../../src/model/check.ts'
import { CHECK_IDS } from '../../src/model/task.ts'
import { aControl, aRender, aState, aStep, aTask, aTranscript, AN_APP, anOutcome } from './trial-builders.ts'

function grade(changes: Partial<TrialToGrade> = {}): Grade {
  return gradeTrial({
    task: aTask(),
    agent: { status: 'completed' },
    transcript: aTranscript(),
    app: AN_APP,
    outcome: anOutcome(),
    rubrics: [],
    ...changes,
  })
}

function check(result: Grade, id: string): Check {
  const found = result.checks.find((each) => idOf(each) === id)
  assert.ok(found, id)
  return found
}

test('a good trial passes, with every check in the published order', () => {
  const result = grade()
  assert.equal(result.verdict, 'pass', JSON.stringify(result.checks.filter((each) => each.status === 'fail')))
  assert.equal(result.score, 1)
  assert.deepEqual(result.checks.map(idOf), [...CHECK_IDS])
})

test('the first failing check in order gives the class; the score counts them all', () => {
  const outcome = anOutcome({
    states: [aState({ rendered: 'nothing', controls: [] })],
    script_errors: [{ kind: 'exception', message: 'x is not defined', step: 1, from_blocking: false }],
  })
  const result = grade({ outcome })
  assert.equal(result.verdict, 'fail')
  assert.equal(result.failure_class, 'js_error')
  assert.ok(result.score !== null && result.score < 1 && result.score > 0)
  assert.match(check(result, 'dom.zero_js_errors').evidence.message, /after step 1 \(click "Send"\): x is not defined/u)
})

test('trouble of the harness is never a grade', () => {
  assert.equal(grade({ agent: { status: 'infra', infra_class: 'quota', detail: '' } }).verdict, 'infra')
  assert.equal(grade({ outcome: null }).infra_class, 'browser_error')
  const timeout = grade({
    agent: { status: 'failed', failure_class: 'agent_timeout', detail: '' },
    transcript: aTranscript([]),
    app: null,
    outcome: null,
  })
  assert.equal(timeout.failure_class, 'agent_timeout')
})

test('a failing rubric fails the trial after all else passed', () => {
  const rubric: Check = {
    grader: 'rubric',
    name: 'safe',
    status: 'fail',
    failure_class: 'rubric_fail',
    diagnostic: false,
    evidence: { message: 'no' },
  }
  assert.equal(grade({ rubrics: [rubric] }).failure_class, 'rubric_fail')
})

test('a page that hangs fails so, whatever else was missing', () => {
  const result = grade({ outcome: anOutcome({ end: 'js_hang', end_detail: 'no answer in 5 s', states: [], bridge_calls: [] }) })
  assert.equal(result.failure_class, 'js_hang')
  assert.match(check(result, 'dom.page_alive').evidence.message, /in step 1 \(click "Send"\)/u)
  assert.equal(check(result, 'callback.received').status, 'skipped')
})

test('noise of our own blocking is no script error', () => {
  assert.equal(
    grade({ outcome: anOutcome({ script_errors: [{ kind: 'console_error', message: 'net', step: 0, from_blocking: true }] }) }).verdict,
    'pass',
  )
})

test('negative controls are judged by their transcript alone', () => {
  const task = aTask({
    expected_tool_trigger: false,
    expected_callback_schema: null,
    outcome_dom_assertions: { must_contain_strings_in_text_response: ['p^k'] },
  })
  assert.equal(grade({ task, transcript: aTranscript([], 'p^k'), app: null, outcome: null }).verdict, 'pass')
  assert.equal(grade({ task, transcript: aTranscript([aRender()], 'p^k') }).failure_class, 'overtrigger')
})

test('strings, selectors and controls: evidence names each requirement', () => {
  const task = aTask({
    outcome_dom_assertions: {
      must_contain_strings: ['RunPod', '1.89'],
      required_selectors: ['button', 'textarea'],
      min_interactive_elements: 3,
    },
  })
  const result = grade({ task })
  assert.equal(result.failure_class, 'missing_grounding')
  assert.deepEqual(
    check(result, 'dom.must_contain_strings').evidence.items?.map((item) => item.met),
    [true, false],
  )
  assert.equal(check(result, 'dom.required_selectors').evidence.selector, 'textarea')
  assert.match(check(result, 'dom.min_interactive_elements').evidence.message, /2 of at least 3/u)
})

test('controls are counted over all states, each once', () => {
  const task = aTask({ outcome_dom_assertions: { min_interactive_elements: 3 } })
  const states = [aState(), aState({ index: 1, controls: [aControl('Send'), aControl('Confirm')] })]
  assert.equal(check(grade({ task, outcome: anOutcome({ states }) }), 'dom.min_interactive_elements').status, 'pass')
  assert.equal(
    check(grade({ task, outcome: anOutcome({ states: [aState(), aState({ index: 1 })] }) }), 'dom.min_interactive_elements').status,
    'fail',
  )
})

test('strings that must be visible do not count in the source', () => {
  const task = aTask({ own_assertions: { must_be_rendered_strings: ['RunPod'], revealed_by_interaction: ['113.40'] } })
  const hidden = anOutcome({ source: '<script>let a = "113.40"</script>' })
  assert.equal(grade({ task, outcome: hidden }).failure_class, 'missing_grounding')
  const shown = anOutcome({ states: [aState(), aState({ index: 1, rendered: 'RunPod $113.40' })] })
  assert.equal(grade({ task, outcome: shown }).verdict, 'pass')
})

test('a range that changes nothing but itself is dead; one that moved something once is not', () => {
  const range = aStep({ action: 'set_range', target: 'input', name: 'Hours', value: '5', changed: false, sent: false })
  const dead = grade({ outcome: anOutcome({ steps: [range, aStep({ number: 2 })] }) })
  assert.equal(dead.failure_class, 'dead_control')
  assert.equal(check(dead, 'interaction.reactivity').evidence.step, 1)
  const alive = anOutcome({ steps: [range, { ...range, number: 2, changed: true }, aStep({ number: 3 })] })
  assert.equal(check(grade({ outcome: alive }), 'interaction.reactivity').status, 'pass')
})

test('an app whose buttons are mostly dead fails; one idle button among live ones does not', () => {
  const idle = (number: number, name: string) => aStep({ number, name, target: name, by: 'variation', changed: false, sent: false })
  const dead = anOutcome({ steps: [aStep(), idle(2, 'Option 1'), idle(3, 'Option 2')] })
  assert.equal(grade({ outcome: dead }).failure_class, 'dead_control')
  const mixed = anOutcome({
    steps: [aStep(), idle(2, 'All'), idle(3, 'Reset'), { ...idle(4, 'Tab'), changed: true }, { ...idle(5, 'Next'), changed: true }],
  })
  assert.equal(check(grade({ outcome: mixed }), 'interaction.live_controls').status, 'pass')
  assert.equal(grade({ outcome: anOutcome({ steps: [aStep(), idle(2, 'Option 1')] }) }).failure_class, 'dead_control')
  const oneOfOne = anOutcome({ steps: [{ ...idle(1, 'Hours'), action: 'fill', changed: true }, aStep({ number: 2 }), idle(3, 'Reset')] })
  assert.equal(check(grade({ outcome: oneOfOne }), 'interaction.live_controls').status, 'pass')
  const boxes = anOutcome({
    states: [
      aState({
        controls: [
          aControl('A', { kind: 'checkbox', checked: false }),
          aControl('B', { kind: 'checkbox', checked: true }),
          aControl('Send'),
        ],
      }),
    ],
    steps: [aStep(), idle(2, 'A'), idle(3, 'B')],
  })
  assert.equal(check(grade({ outcome: boxes }), 'interaction.live_controls').status, 'skipped')
})

test('answers visible at once fail; revealed later they do not', () => {
  const task = aTask({ own_assertions: { answers_hidden: ['register(ctx)'] } })
  assert.equal(
    check(grade({ task, outcome: anOutcome({ states: [aState({ rendered: 'RunPod register(ctx)' })] }) }), 'interaction.answers_hidden')
      .status,
    'fail',
  )
  assert.equal(
    check(
      grade({ task, outcome: anOutcome({ states: [aState(), aState({ index: 1, rendered: 'register(ctx)' })] }) }),
      'interaction.answers_hidden',
    ).status,
    'pass',
  )
})

test('boxes must be ticked at first as the task says', () => {
  const task = aTask({ own_assertions: { initially_checked: ['ubuntu.iso'], initially_unchecked: ['contract.pdf'] } })
  const boxes = (iso: boolean, contract: boolean) => [
    aControl('Delete ubuntu.iso 1.4 GB', { kind: 'checkbox', checked: iso }),
    aControl('contract.pdf', { kind: 'checkbox', checked: contract }),
  ]
  const status = (...ticked: [boolean, boolean]) =>
    check(grade({ task, outcome: anOutcome({ states: [aState({ controls: boxes(...ticked) })] }) }), 'interaction.initial_state')
  assert.equal(status(true, false).status, 'pass')
  assert.match(status(true, true).evidence.message, /"contract.pdf" is not ticked at first, but was ticked/u)
  assert.equal(status(false, false).status, 'fail')
  const protectedFile = anOutcome({ states: [aState({ controls: boxes(true, false).slice(0, 1) })] })
  assert.equal(check(grade({ task, outcome: protectedFile }), 'interaction.initial_state').status, 'pass')
})

test('a callback before any interaction is premature, even when a good one follows', () => {
  const calls = [{ ok: true, t_ms: 12, step: 0, payload: { action: 'x', files: [] } } as const, ...anOutcome().bridge_calls]
  assert.equal(grade({ outcome: anOutcome({ bridge_calls: calls }) }).failure_class, 'premature_callback')
})

test('no callback: the evidence names what was pressed', () => {
  const result = grade({ outcome: anOutcome({ bridge_calls: [], steps: [aStep({ sent: false })] }) })
  assert.equal(result.failure_class, 'no_callback')
  assert.match(check(result, 'callback.received').evidence.message, /pressed: "Send"/u)
})

test('one valid payload is enough; else the nearest one is explained by path, expected and got', () => {
  const bad = { ok: true, t_ms: 1, step: 1, payload: { action: 7 } } as const
  const near = { ok: true, t_ms: 2, step: 2, payload: { action: 'x', files: ['a', 3] } } as const
  const result = grade({ outcome: anOutcome({ bridge_calls: [bad, near] }) })
  assert.equal(result.failure_class, 'invalid_callback')
  assert.match(check(result, 'callback.schema').evidence.message, /\$\.files\[1\] expected type string, got number 3/u)
  assert.equal(check(result, 'callback.schema').evidence.step, 2)
  assert.equal(grade({ outcome: anOutcome({ bridge_calls: [bad, ...anOutcome().bridge_calls] }) }).verdict, 'pass')
  const notJson = anOutcome({ bridge_calls: [{ ok: false, t_ms: 1, step: 1, reason: 'a cycle' }] })
  assert.match(check(grade({ outcome: notJson }), 'callback.schema').evidence.message, /a cycle/u)
})

test('a payload that never changes is constant, volatile fields apart', () => {
  const payload = (extra: object) => ({ action: 'delete', files: ['a.iso'], ...extra })
  const base = { ok: true, t_ms: 9, step: 1, payload: payload({ timestamp: 1 }) } as const
  const vary = (payloads: unknown[]) =>
    anOutcome({ bridge_calls: [base], variations: [{ steps: [], difference: 'another box', payloads }] })
  assert.equal(grade({ outcome: vary([payload({ timestamp: 2 })]) }).failure_class, 'constant_payload')
  assert.equal(grade({ outcome: vary([{ ...payload({}), files: ['b'] }]) }).verdict, 'pass')
  assert.equal(check(grade({ outcome: vary([]) }), 'callback.payload_reflects_state').status, 'skipped')
  const off = aTask({ own_assertions: { payload_reflects_state: false } })
  assert.equal(grade({ task: off, outcome: vary([payload({ timestamp: 2 })]) }).verdict, 'pass')
})

test('a payload with choices from a page that offers none is constant', () => {
  const outcome = anOutcome({ variations: null, states: [aState({ controls: [aControl('Send'), aControl('More')] })] })
  assert.equal(grade({ outcome }).failure_class, 'constant_payload')
  const withBox = anOutcome({
    variations: null,
    states: [aState({ controls: [aControl('Send'), aControl('a.iso', { kind: 'checkbox', checked: false })] })],
  })
  assert.equal(grade({ outcome: withBox }).verdict, 'pass')
})
