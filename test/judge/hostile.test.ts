import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JudgeResult, RUBRIC_VERDICTS } from '../../src/model/judge.ts'
import { choice, type Reply, says, startEndpoint, verdict } from './endpoint.ts'
import { HOSTILE_ANSWERS } from './hostile-answers.ts'
import { ask, judgeAt, MATERIAL, QUOTE, RUBRIC, SECOND_RUBRIC } from './question.ts'
import { judgeBehindRelay } from './relayed-judge.ts'

const CASES = Object.entries(HOSTILE_ANSWERS).flatMap(([name, answer]) => RUBRIC_VERDICTS.map((claim) => ({ name, claim, answer })))

const isJudgeError = (result: JudgeResult): boolean =>
  result.status === 'infra' && result.infra_class === 'judge_error' && result.answers.length === 0

test('the library is as large as promised', () => {
  assert.ok(Object.keys(HOSTILE_ANSWERS).length >= 100, String(Object.keys(HOSTILE_ANSWERS).length))
})

test('the endpoint that plays the hostile judge gets verdicts through when it answers properly', async () => {
  for (const claim of RUBRIC_VERDICTS)
    for (const content of [verdict(claim, QUOTE), ` \n${verdict(claim, QUOTE)}\n`, `\`\`\`json\n${verdict(claim, QUOTE)}\n\`\`\``]) {
      await using endpoint = await startEndpoint(() => says(content))
      const result = await ask(judgeAt(endpoint.baseUrl))
      assert.equal(result.status, 'judged')
      assert.deepEqual(
        result.answers.map((answer) => answer.verdict),
        [claim],
      )
      assert.equal(endpoint.asked.length, 1)
    }
})

for (const votes of [1, 3] as const)
  test(`no hostile or broken answer becomes a verdict (${votes} votes)`, async () => {
    let reply: Reply = says('')
    await using endpoint = await startEndpoint(() => reply)
    const judge = judgeAt(endpoint.baseUrl, { votes })
    const wrong: string[] = []
    // One claim shows that several votes are no less strict than one.
    for (const { name, claim, answer } of votes === 1 ? CASES : CASES.filter((each) => each.claim === 'PASS')) {
      reply = answer(claim, QUOTE)
      const before = endpoint.asked.length
      const result = await ask(judge)
      // Lost votes end the asking as soon as no majority is left; each was asked again once at most.
      const patient = endpoint.asked.length - before <= 2 * Math.ceil(votes / 2)
      if (!isJudgeError(result) || !patient) wrong.push(`${name}, claiming ${claim}: ${JSON.stringify(result)}`)
    }
    assert.deepEqual(wrong, [])
  })

test('no hostile or broken answer becomes a verdict behind the relay, whose class stays', async () => {
  let reply: Reply = says('')
  await using endpoint = await startEndpoint(() => reply)
  await using relayed = await judgeBehindRelay(endpoint.baseUrl)
  const { judge, relay } = relayed
  const wrong: string[] = []
  for (const { name, claim, answer } of CASES) {
    reply = answer(claim, QUOTE)
    const result = await ask(judge, { account: `${name} ${claim}` })
    const expected = relay.usage(`${name} ${claim}`).trouble?.infra_class ?? 'judge_error'
    if (result.status !== 'infra' || result.infra_class !== expected || result.answers.length > 0)
      wrong.push(`${name}, claiming ${claim}: ${JSON.stringify(result)}`)
  }
  assert.deepEqual(wrong, [])
  const classes = async (name: string): Promise<unknown> => {
    reply = HOSTILE_ANSWERS[name]?.('PASS', QUOTE) ?? says('')
    const result = await ask(judge, { account: name })
    return result.status === 'infra' && result.infra_class
  }
  assert.equal(await classes('an error of 429 inside a 200'), 'model_unavailable')
  assert.equal(await classes('a used-up quota'), 'quota')
  assert.equal(await classes('a wrong key'), 'model_unavailable')
  assert.equal(await classes('prose with a verdict'), 'judge_error')
})

test('an answer for several rubrics must hold each, under its own id, and no other', async () => {
  const good = (claim: string): string => verdict(claim, QUOTE)
  const broken: Record<string, (claim: string) => string> = {
    'one rubric is missing': (claim) => `{"answers_hidden":${good(claim)}}`,
    'one rubric is misspelled': (claim) => `{"answers_hidden":${good(claim)},"safe_default":${good(claim)}}`,
    'a further rubric': (claim) => `{"answers_hidden":${good(claim)},"safe_defaults":${good(claim)},"third":${good(claim)}}`,
    'a rubric twice': (claim) => `{"answers_hidden":${good('FAIL')},"answers_hidden":${good(claim)},"safe_defaults":${good(claim)}}`,
    'a bare verdict': good,
    'a list': (claim) => `[${good(claim)},${good(claim)}]`,
    'one broken verdict': (claim) => `{"answers_hidden":${good(claim)},"safe_defaults":${good(claim.toLowerCase())}}`,
    'ids with blanks': (claim) => `{"answers_hidden ":${good(claim)},"safe_defaults":${good(claim)}}`,
  }
  let content = ''
  await using endpoint = await startEndpoint(() => says(content))
  const judge = judgeAt(endpoint.baseUrl, { together: true })
  const wrong: string[] = []
  for (const [name, answer] of Object.entries(broken))
    for (const claim of RUBRIC_VERDICTS) {
      content = answer(claim)
      const result = await ask(judge, { rubrics: [RUBRIC, SECOND_RUBRIC] })
      if (!isJudgeError(result)) wrong.push(`${name}, claiming ${claim}: ${JSON.stringify(result)}`)
    }
  assert.deepEqual(wrong, [])
})

test('one unfounded quotation of several costs only its own rubric, and the trial', async () => {
  await using endpoint = await startEndpoint(() =>
    says(`{"answers_hidden":${verdict('PASS', QUOTE)},"safe_defaults":${verdict('FAIL', 'never shown anywhere')}}`),
  )
  const result = await ask(judgeAt(endpoint.baseUrl, { together: true }), { rubrics: [RUBRIC, SECOND_RUBRIC] })
  assert.equal(result.status === 'infra' && result.infra_class, 'judge_error')
  assert.deepEqual(
    result.answers.map(({ rubric_id, verdict }) => [rubric_id, verdict]),
    [['answers_hidden', 'PASS']],
  )
  assert.match(result.status === 'infra' ? result.detail : '', /safe_defaults.*not in the material/s)
})

test('a malformed answer is asked for once more, and its words do not come back into the prompt', async () => {
  const bait = 'PASS because I say so'
  await using endpoint = await startEndpoint((_body, call) => (call === 1 ? says(bait) : says(verdict('FAIL', QUOTE))))
  const result = await ask(judgeAt(endpoint.baseUrl))
  assert.deepEqual(
    result.answers.map((answer) => answer.verdict),
    ['FAIL'],
  )
  assert.equal(result.usage.malformed_answers, 1)
  assert.equal(endpoint.asked.length, 2)
  assert.ok(!JSON.stringify(endpoint.asked[1]).includes(bait))
  assert.match(JSON.stringify(endpoint.asked[1]), /cannot be read/)
})

test('an answer that was refused, cut off, or quotes what is not there is not asked for again', async () => {
  const once = [
    choice({ finish_reason: 'length', message: { content: verdict('PASS', QUOTE) } }),
    choice({ message: { content: null, refusal: 'No.' } }),
    says(verdict('PASS', 'words that nobody wrote')),
  ]
  for (const reply of once) {
    await using endpoint = await startEndpoint(() => reply)
    const result = await ask(judgeAt(endpoint.baseUrl), { material: MATERIAL })
    assert.equal(result.status, 'infra')
    assert.equal(endpoint.asked.length, 1)
    assert.equal(result.usage.malformed_answers, 0)
  }
})
