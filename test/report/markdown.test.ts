import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { checkConclusion, checkRun } from '../../src/report/check-run.ts'
import { commentBody } from '../../src/report/comment.ts'
import { jobSummary } from '../../src/report/job-summary.ts'
import type { ReportLinks } from '../../src/report/markdown-sections.ts'
import { byteLength } from '../../src/report/visible-text.ts'
import type { Results } from '../../src/model/results.ts'
import { asTree, attribute, elements, linkableText, liveParts, textOf, walk } from './as-github.ts'
import { HOSTILE, hostileResults, MARKER } from './fixtures/hostile.ts'
import { allAlike, healthy, inconclusive, manyTasks, regressed } from './fixtures/runs.ts'
import { resultsOf } from './fixtures/results.ts'
import { matchesGolden } from './golden.ts'

const LINKS: ReportLinks = {
  run: 'https://github.com/acme/plugin/actions/runs/77',
  report: 'https://github.com/acme/plugin/actions/runs/77/artifacts/1',
  screenshots: 'https://github.com/acme/plugin/actions/runs/77/artifacts/2',
  results: 'https://github.com/acme/plugin/actions/runs/77/artifacts/3',
}
const OURS = /^https:\/\/github\.com\/acme\/plugin\/actions\/runs\/77(?:\/artifacts\/[123](?:#(?:task|trial)-[\w-]*)?)?$/u

const comment = (results: Results, maxBytes?: number): ReturnType<typeof commentBody> =>
  commentBody(results, { marker: MARKER, links: LINKS, ...(maxBytes === undefined ? {} : { maxBytes }) })

/** Everything that must hold of Markdown of ours, whatever was put in. */
function assertInert(markdown: string, why: string): void {
  const tree = asTree(markdown)
  const allowed = 'a blockquote code details em h3 h4 li p pre strong summary table tbody td th thead tr ul'.split(' ')
  for (const element of elements(tree)) {
    assert.ok(allowed.includes(element.tagName), `<${element.tagName}> in ${why}`)
    for (const { name, value } of element.attrs) {
      if (name === 'href') assert.match(value, OURS, why)
      else assert.ok(['align', 'class'].includes(name), `${name} in ${why}`)
    }
  }
  assert.deepEqual(liveParts(linkableText(tree).replace('[!IMPORTANT]', '')), [], why)
  const comments = [...walk(tree)].filter(({ node }) => node.nodeName === '#comment')
  assert.ok(comments.length <= 1, why)
  assert.equal(markdown.split('<!--').length - 1, comments.length, why)
  assertClosed(markdown, why)
}

/** Every fold, fence and table that is opened is closed: the last line of the document is outside of all. */
function assertClosed(markdown: string, why: string): void {
  const tree = asTree(`${markdown}\n\nthe end of it`)
  const last = [...walk(tree)].findLast(({ node }) => node.nodeName === '#text' && 'value' in node && node.value.includes('the end of it'))
  assert.deepEqual(last?.inside, ['p'], why)
}

describe('golden comments', () => {
  const runs = { healthy, regressed, inconclusive, hostile: () => hostileResults(HOSTILE.slice(0, 60).join(' ')) }
  for (const [name, run] of Object.entries(runs)) {
    test(name, () => matchesGolden(`comment-${name}.md`, comment(run()).body))
  }
  test('300 tasks', () => matchesGolden('comment-many-tasks.md', comment(manyTasks()).body))
})

describe('comment', () => {
  test('begins with the marker, then the verdict in one sentence', () => {
    const lines = comment(regressed()).body.split('\n')
    assert.equal(lines[0], MARKER)
    assert.equal(lines[2], '### 🔴 Regression: 2 of 10 tasks are worse than main: `hitl_reg_01` and `sim_reg_01`.')
  })

  test('tells regressed tasks first and folds stable ones', () => {
    const tree = asTree(comment(regressed()).body)
    const [open, folded] = elements(tree, 'table')
    const ids = (table: typeof open): string[] =>
      elements(table?.childNodes ?? [], 'tr')
        .slice(1)
        .map((row) => textOf(elements([row], 'td').slice(0, 1)).trim())
    assert.deepEqual(ids(open), ['sim_reg_01', 'hitl_reg_01', 'study_reg_01'])
    assert.equal(ids(folded).length, 7)
    const inside = [...walk(tree)].find(({ node }) => node === folded)?.inside
    assert.deepEqual(inside, ['details'])
  })

  test('shows of a failing trial the check, the evidence, the prompt, the steps, the payload and the way to its pictures', () => {
    const tree = asTree(comment(regressed()).body)
    const trial = elements(tree, 'details').find((each) => textOf([each]).includes('sim_reg_01 trial 1'))
    assert.ok(trial)
    const text = textOf([trial])
    for (const part of [
      'callback.schema',
      '$.selected_option: required, not there',
      'renting an A100',
      'set_range “Hours a month” = 240',
      '"choose_option"',
    ]) {
      assert.ok(text.includes(part), part)
    }
    assert.ok(elements([trial], 'a').some((link) => attribute(link, 'href') === `${LINKS.report}#trial-sim_reg_01-head-0`))
  })

  test('says what a green run could have seen, what it cost, and how to repeat it', () => {
    const { body } = comment(healthy())
    assert.ok(body.includes('would have seen a drop of 52%'))
    assert.ok(body.includes('0.4260 USD') || body.includes('0.43 USD'), body)
    assert.ok(body.includes('```sh\nnpx genui-eval run --suite regression'))
  })

  test('names a stand-in baseline in the headline, and other conditions in a notice', () => {
    const { body } = comment(inconclusive())
    assert.match(body.split('\n')[2] ?? '', /^### 🟡 Inconclusive: .*stand-in baseline of commit `9f8e7d6c5b`/u)
    assert.ok(body.includes('`gpt-5.2-mini temperature=1`') || body.includes('gpt-5.2-mini'))
  })

  test('says that the model is scripted', () => {
    const results = healthy()
    assert.ok(comment({ ...results, run: { ...results.run, scripted_model: true } }).body.includes('scripted stand-in'))
  })

  test('needs no links', () => {
    const { body } = commentBody(regressed(), {
      marker: 'genui-eval',
      links: { run: null, report: null, screenshots: null, results: null },
    })
    assert.ok(body.startsWith('<!-- genui-eval -->\n'))
    assert.deepEqual(elements(asTree(body), 'a'), [])
  })

  test('tells once what all trials share, and of one trial only', () => {
    const { body } = comment(allAlike())
    assert.ok(
      body.includes('**All 9 trials failed alike**: `plugin_error`, The plugin could not be loaded: `No module named helpers`.'),
      body,
    )
    assert.equal(body.split('could not be loaded').length, 3, 'above the table and in the one trial that is told')
    assert.ok(body.includes('*8 trials that failed alike are in the report.*'))
    assert.match(body, /`study_reg_0`.*`plugin_error`\u00A0×3 \|/u)
  })

  test('says nothing of what is unknown: no cost without prices, no legend without a star', () => {
    const results = allAlike()
    const { body } = comment({ ...results, spending: { ...results.spending, cost_usd: null, tokens: 0 } })
    assert.match(body, /^\*\*Spent\*\* 6 min 41 s$/mu)
    assert.ok(!body.includes('★'))
  })

  test('shows a picture only where its address was given', () => {
    const path = 'trials/sim_reg_01-head-0/01-after-step-1.png'
    const pictures = { [path]: 'https://raw.githubusercontent.com/acme/plugin/abc/x.png' }
    const { body } = commentBody(regressed(), { marker: 'm', links: LINKS, pictures })
    const images = elements(asTree(body), 'img')
    assert.deepEqual(
      images.map((image) => attribute(image, 'src')),
      [pictures[path]],
    )
  })
})

describe('limits', () => {
  test('300 tasks with long texts fit, and the rest is counted', () => {
    const { body, leftOut } = comment(manyTasks())
    assert.ok(byteLength(body) <= 60_000)
    assert.ok(leftOut.some((part) => part.endsWith('failing trials')))
    assert.match(body, /\*\d+ more failing trials in the report\.\*/u)
    assertInert(body, '300 tasks')
  })

  test('120 failing trials with a kilobyte of emoji each fit', () => {
    const emoji = '🧨'.repeat(256)
    const results = resultsOf({
      verdict: 'fail',
      reason: '10 of 10 tasks are worse than main.',
      tasks: Array.from({ length: 10 }, (_, index) => ({
        id: `study_reg_${index}`,
        status: 'regressed' as const,
        head: [12, 0] as const,
        base: [30, 30] as const,
        prompt: emoji,
        failure: { name: 'js_error' as const, message: `${index}${emoji}` },
      })),
    })
    const { body } = comment(results)
    assert.ok(byteLength(body) <= 60_000 && body.length <= 60_000)
    assert.equal(elements(asTree(body), 'h3').length, 1)
    assertInert(body, 'emoji')
  })

  test('any limit is kept, the verdict never lost, the document always closed', () => {
    const results = manyTasks(60)
    fc.assert(
      fc.property(fc.integer({ min: 900, max: 90_000 }), fc.integer({ min: 900, max: 90_000 }), (maxBytes, maxUnits) => {
        const { body } = commentBody(results, { marker: MARKER, links: LINKS, maxBytes, maxUnits })
        assert.ok(byteLength(body) <= maxBytes, `${byteLength(body)} of ${maxBytes} bytes`)
        assert.ok(body.length <= maxUnits, `${body.length} of ${maxUnits} units`)
        assert.ok(body.startsWith(`${MARKER}\n\n### 🔴 Regression: 40 of 60`))
        assert.equal(body.split('<details>').length, body.split('</details>').length)
        assertClosed(body, `${maxBytes} bytes`)
      }),
      {
        numRuns: 60,
        seed: 5,
        examples: [
          [900, 900],
          [2000, 90_000],
          [60_000, 60_000],
        ],
      },
    )
  })

  test('the job summary takes what the comment cannot, and stays below its limit', () => {
    const summary = jobSummary(manyTasks(), LINKS)
    assert.ok(byteLength(summary.body) <= 1_000_000)
    assert.deepEqual(summary.leftOut, [])
    const small = jobSummary(manyTasks(), LINKS, 5000)
    assert.ok(byteLength(small.body) <= 5000)
    assertClosed(small.body, 'summary')
  })
})

describe('nothing hostile survives', () => {
  for (const [index, text] of HOSTILE.entries()) {
    test(`attack ${index + 1}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      const results = hostileResults(text)
      const name = JSON.stringify(text)
      const { body } = comment(results)
      assert.ok(body.startsWith(`${MARKER}\n`), name)
      assertInert(body, name)
      // Only the limit of the sizes below changes which parts are told.
      assertInert(comment(results, 4000).body, name)
      const check = checkRun(results, { links: LINKS, onInconclusive: 'fail', locations: { [text]: { path: 'tasks/a/task.json' } } })
      assertInert(check.summary, name)
      assertInert(check.text, name)
      assertInert(jobSummary(results, LINKS).body, name)
      assert.equal(check.annotations.length, 1)
      for (const { title, message } of check.annotations) {
        assert.deepEqual(
          liveParts(`${title} ${message}`.replaceAll(/\[|\$|\b[0-9a-f]{7,40}\b|\S+\/\S+[#@]\S*/gu, '').replaceAll(/[\t\n]/gu, ' ')),
          [],
          name,
        )
      }
    })
  }
})

describe('check run', () => {
  const locations = Object.fromEntries(manyTasks().tasks.map((task) => [task.task_id, { path: `tasks/${task.task_id}/task.json` }]))

  test('the conclusion follows the verdict; inconclusive is no success', () => {
    assert.equal(checkConclusion(healthy(), 'fail'), 'success')
    assert.equal(checkConclusion(regressed(), 'warn'), 'failure')
    assert.equal(checkConclusion(inconclusive(), 'fail'), 'failure')
    assert.equal(checkConclusion(inconclusive(), 'warn'), 'neutral')
  })

  test('texts keep to the limits and annotations come in batches of 50', () => {
    const results = manyTasks(300)
    const worse = {
      ...results,
      decision: { ...results.decision, tasks: results.decision.tasks.map((task) => ({ ...task, status: 'regressed' as const })) },
    }
    const content = checkRun(worse, { links: LINKS, onInconclusive: 'fail', locations })
    assert.ok(byteLength(content.summary) <= 65_535 && byteLength(content.text) <= 65_535)
    assert.ok(content.title.length <= 255)
    assert.deepEqual(
      content.batches.map((batch) => batch.length),
      [50, 50, 50, 50, 50, 50],
    )
    assert.equal(content.annotations.length, 300)
    assertClosed(content.summary, 'summary')
    assertClosed(content.text, 'text')
  })

  test('annotates worse tasks where the caller says, and only inside the repository', () => {
    const content = checkRun(regressed(), {
      links: LINKS,
      onInconclusive: 'fail',
      locations: {
        hitl_reg_01: { path: 'tasks/hitl_reg_01/task.json', start_line: 7 },
        sim_reg_01: { path: '../../etc/passwd' },
        study_reg_01: { path: 'tasks/study_reg_01/task.json' },
      },
    })
    assert.deepEqual(
      content.annotations.map(({ path, start_line, end_line, annotation_level }) => ({ path, start_line, end_line, annotation_level })),
      [
        { path: 'tasks/hitl_reg_01/task.json', start_line: 7, end_line: 7, annotation_level: 'failure' },
        { path: 'tasks/study_reg_01/task.json', start_line: 1, end_line: 1, annotation_level: 'warning' },
      ],
    )
    assert.match(content.annotations[0]?.message ?? '', /2 of 9 trials passed/u)
  })

  test('golden', () => {
    const content = checkRun(regressed(), {
      links: LINKS,
      onInconclusive: 'fail',
      locations: { hitl_reg_01: { path: 'tasks/hitl_reg_01/task.json' } },
    })
    matchesGolden(
      'check-regressed.md',
      [
        content.conclusion,
        content.title,
        content.summary,
        '-----',
        content.text,
        '-----',
        JSON.stringify(content.annotations, null, 2),
      ].join('\n\n'),
    )
  })
})
