import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JudgeVotes } from '../../src/model/judge.ts'
import { says, startEndpoint, verdict } from './endpoint.ts'
import { ask, judgeAt, MATERIAL, QUOTE, RUBRIC, SECOND_RUBRIC } from './question.ts'

/** Answers by the number of the vote, which is sent as the seed. */
async function poll(votes: JudgeVotes, answers: string) {
  await using endpoint = await startEndpoint(({ seed = 0 }) => {
    const letter = answers.charAt(seed - 1)
    return says(
      letter === 'P' ? verdict('PASS', QUOTE, `vote ${seed}`) : letter === 'F' ? verdict('FAIL', QUOTE, `vote ${seed}`) : 'no idea',
    )
  })
  const result = await ask(judgeAt(endpoint.baseUrl, { votes }))
  return { result, seeds: endpoint.asked.map(({ seed }) => seed) }
}

test('asking stops when the majority is certain', async () => {
  const cases: [JudgeVotes, string, 'PASS' | 'FAIL', number][] = [
    [1, 'P', 'PASS', 1],
    [1, 'F', 'FAIL', 1],
    [3, 'PPF', 'PASS', 2],
    [3, 'PFP', 'PASS', 3],
    [3, 'FPF', 'FAIL', 3],
    [5, 'PPPFF', 'PASS', 3],
    [5, 'FFPFP', 'FAIL', 4],
    [5, 'PFPFF', 'FAIL', 5],
  ]
  for (const [votes, answers, expected, calls] of cases) {
    const { result, seeds } = await poll(votes, answers)
    assert.equal(result.status, 'judged', answers)
    const [answer] = result.answers
    assert.equal(answer?.verdict, expected)
    assert.equal(answer.reason, `vote ${answers.indexOf(expected.charAt(0)) + 1}`, 'the first vote of the majority speaks')
    assert.deepEqual(
      seeds,
      Array.from({ length: calls }, (_, index) => index + 1),
    )
    const cast = answers.slice(0, calls)
    assert.deepEqual(answer.votes, { pass: cast.split('P').length - 1, fail: cast.split('F').length - 1 })
  }
})

test('a lost vote counts for neither side: the majority is one of all votes', async () => {
  const decided = await poll(3, 'xPP')
  assert.deepEqual(
    decided.result.answers.map(({ verdict, votes }) => [verdict, votes]),
    [['PASS', { pass: 2, fail: 0 }]],
  )
  for (const [votes, answers] of [
    [1, 'x'],
    [3, 'Pxx'],
    [3, 'PxF'],
    [5, 'PPxxF'],
    [5, 'xPxPx'],
  ] as const) {
    const { result } = await poll(votes, answers)
    assert.equal(result.status === 'infra' && result.infra_class, 'judge_error', answers)
    assert.deepEqual(result.answers, [])
  }
})

test('lost votes end the asking when no majority is left', async () => {
  const { seeds } = await poll(3, 'xxP')
  // Each lost vote was asked again once.
  assert.deepEqual(seeds, [1, 1, 2, 2])
})

test('all rubrics of a trial take one call where that is allowed, and votes go on until each is certain', async () => {
  await using endpoint = await startEndpoint(({ seed }) =>
    says(`{"safe_defaults":${verdict(seed === 2 ? 'PASS' : 'FAIL', QUOTE)},"answers_hidden":${verdict('PASS', QUOTE)}}`),
  )
  const result = await ask(judgeAt(endpoint.baseUrl, { together: true, votes: 3 }), { rubrics: [RUBRIC, SECOND_RUBRIC] })
  assert.equal(result.status, 'judged')
  assert.deepEqual(
    result.answers.map(({ rubric_id, verdict, votes }) => [rubric_id, verdict, votes]),
    [
      ['answers_hidden', 'PASS', { pass: 3, fail: 0 }],
      ['safe_defaults', 'FAIL', { pass: 1, fail: 2 }],
    ],
  )
  assert.equal(endpoint.asked.length, 3)
  assert.deepEqual(endpoint.asked[0]?.response_format?.json_schema.schema['required'], ['answers_hidden', 'safe_defaults'])
})

test('rubrics are asked one by one otherwise, and what was decided before the trouble is kept', async () => {
  await using endpoint = await startEndpoint((_body, call) => says(call === 1 ? verdict('FAIL', QUOTE) : 'no idea'))
  const result = await ask(judgeAt(endpoint.baseUrl), { rubrics: [RUBRIC, SECOND_RUBRIC] })
  assert.equal(result.status === 'infra' && result.infra_class, 'judge_error')
  assert.deepEqual(
    result.answers.map(({ rubric_id, verdict }) => [rubric_id, verdict]),
    [['answers_hidden', 'FAIL']],
  )
})

test('nothing is asked for no rubrics', async () => {
  await using endpoint = await startEndpoint(() => says(verdict('PASS', QUOTE)))
  const result = await ask(judgeAt(endpoint.baseUrl), { rubrics: [] })
  assert.deepEqual([result.status, result.answers, result.usage.prompt_tokens, endpoint.asked.length], ['judged', [], 0, 0])
})

test('an aborted judging rejects with the reason', async () => {
  const reason = new Error('cancelled')
  const controller = new AbortController()
  await using endpoint = await startEndpoint(async () => {
    controller.abort(reason)
    return says(verdict('PASS', QUOTE))
  })
  const judging = judgeAt(endpoint.baseUrl).judge({ account: 'a', rubrics: [RUBRIC], material: MATERIAL }, controller.signal)
  await assert.rejects(judging, reason)
})
