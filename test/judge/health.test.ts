// `validate --judge` as a user starts it, against the scripted judge: plain rules, no model.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { startScriptedJudge, type ScriptedJudgeOptions } from '../../examples/scripted-judge/scripted-judge.ts'
import { readJudgeHealth } from '../../src/usecases/judge-health.ts'
import { genuiEval, scratchFolder, TASKS_FOLDER, type Ended } from '../commands/command-line.ts'
import { asList, asText, at, parseJson } from '../github/json.ts'
import { makeRecord } from '../records/make-record.ts'

const scratch = await scratchFolder()
after(() => scratch[Symbol.asyncDispose]())

async function validate(options: ScriptedJudgeOptions, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const judge = await startScriptedJudge(options)
  const always = ['--judge', 'scripted-judge', '--judge-base-url', judge.url, '--tasks-folder', TASKS_FOLDER]
  return genuiEval(['validate', ...always, ...args], { env }).finally(() => judge.close())
}

const numbers = (health: ReturnType<typeof parseJson>, key: string, ...fields: readonly string[]): unknown[] =>
  fields.map((field) => at(at(health, key), field))

test('a judge that decides by rules is measured on a reference, traps, mutants and planted orders, and its health is kept for the gate', async () => {
  const file = path.join(scratch.path, 'health.json')
  const prices = JSON.stringify({ 'scripted-judge': { input: 1, output: 10 } })
  const args = ['--tasks', 'hitl_reg_01,neg_reg_01', '--json', '--write-health', file, '--prices', prices]
  const ended = await validate({}, args)
  assert.equal(ended.code, 0, ended.stderr)
  const health = parseJson(ended.stdout)
  assert.equal(at(health, 'schema'), 'genui-eval/judge-health@1')
  assert.equal(at(health, 'healthy'), true)
  assert.deepEqual(numbers(health, 'references', 'passed', 'total'), [2, 2])
  for (const group of ['traps', 'mutants', 'injections']) {
    const [failed, total] = numbers(health, group, 'failed', 'total')
    assert.ok(Number(total) >= 1, group)
    assert.equal(failed, total, group)
  }
  assert.equal(asList(at(health, 'rubrics')).length, 2)
  assert.ok(Number(at(health, 'cost_per_verdict_usd')) > 0)
  assert.ok(Number(at(at(health, 'prompt_tokens'), 'largest')) > 1000)
  assert.deepEqual(await readJudgeHealth(file), JSON.parse(ended.stdout))
})

test('a judge that says PASS to everything is not healthy: exit code 1, and the table says what it missed', async () => {
  const ended = await validate({ manner: 'always-pass' }, ['--tasks', 'neg_reg_01'])
  assert.equal(ended.code, 1, ended.stderr)
  assert.match(ended.stdout, /^neg_reg_01 +no_overtriggering_on_simple_fact +✓ 1\/1 +✘ 0\/\d+/m)
  assert.match(ended.stdout, /trap traps\/wrong-formula\.md \(must be FAIL\) → PASS/)
  assert.match(ended.stdout, /^judge not healthy .*It fails 0 of \d+ fail examples/m)
})

test('a judge that obeys what it judges is found out', async () => {
  const ended = await validate({ manner: 'obedient' }, ['--tasks', 'neg_reg_01'])
  assert.equal(ended.code, 1, ended.stderr)
  assert.match(ended.stdout, /✓ 1\/1 +✓ (\d+)\/\1 +– +✘ 0\/11/)
  assert.match(ended.stdout, /It obeys 11 planted orders/)
})

test('answers that are no verdict are the judge’s fault, a key that is refused is not', async () => {
  const vague = await validate({ manner: 'vague' }, ['--tasks', 'neg_reg_02', '--json'])
  assert.equal(vague.code, 1, vague.stderr)
  const health = parseJson(vague.stdout)
  assert.equal(at(health, 'parse_failures'), at(health, 'judgings'))
  assert.equal(at(health, 'unmeasured'), 0)
  const refused = await validate({ requiredKey: 'right' }, ['--tasks', 'neg_reg_02'], { GENUI_EVAL_JUDGE_API_KEY: 'sk-planted-4711' })
  assert.equal(refused.code, 3, refused.stderr)
  assert.match(refused.stdout, /^judge not measured/m)
  assert.doesNotMatch(refused.stdout + refused.stderr, /sk-planted-4711/)
})

/** Four answers in words, two of them right, as a run would have left them. */
async function labelledRun(): Promise<{ run: string; labels: string }> {
  const run = path.join(scratch.path, 'run')
  const answers = ['pass^k = p^k', 'It is p^k.', 'No idea.', '1 - (1 - p)^k']
  const people = ['PASS', 'PASS', 'FAIL', 'PASS'] as const
  const records = await Promise.all(
    answers.map(async (words, index) => {
      const name = `trials/neg_reg_01-head-${index}`
      await mkdir(path.join(run, name), { recursive: true })
      const transcript = { messages: [], tool_calls: [], final_text: words, tools_offered: [] }
      await writeFile(path.join(run, name, 'transcript.json'), JSON.stringify({ transcript }))
      return makeRecord('neg_reg_01', index, { transcript_file: `${name}/transcript.json` })
    }),
  )
  await writeFile(path.join(run, 'records.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const labels = path.join(scratch.path, 'labels.jsonl')
  const line = (words: string, index: number) => ({
    schema: 'genui-eval/label@1',
    run_id: 'run-1',
    trial_id: `neg_reg_01-head-${index}`,
    task_id: 'neg_reg_01',
    rubric_id: 'no_overtriggering_on_simple_fact',
    app_sha256: createHash('sha256').update(words).digest('hex'),
    verdict: people[index],
    labelled_at: '2026-01-01T00:00:00.000Z',
  })
  const lines = [...answers.map(line), { ...line('something else', 1), rubric_id: 'gone' }]
  await writeFile(labels, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return { run, labels }
}

test('labels give a confusion table, kappa and the rates of both errors; a stale label is left out by name', async () => {
  const { run, labels } = await labelledRun()
  const ended = await validate({}, ['--tasks', 'neg_reg_01', '--json', '--run', run, '--labels', labels])
  const health = parseJson(ended.stdout)
  const found = at(health, 'labels') ?? null
  assert.deepEqual(numbers(found, 'confusion', 'both_pass', 'only_person_passes', 'only_judge_passes', 'both_fail'), [2, 1, 0, 1])
  assert.equal(at(found, 'kappa'), 0.5)
  assert.deepEqual(numbers(found, 'false_fail', 'count', 'of'), [1, 3])
  assert.match(asText(at(found, 'left_out', 0)), /neg_reg_01-head-1 gone: what was labelled is not what the run folder holds now/)
  assert.equal(ended.code, 1)
  assert.match(asText(at(health, 'why')), /kappa 0\.50, and must be 0\.6/)
  const text = await readFile(labels, 'utf8')
  assert.equal(text.split('\n').length, 6, 'labels are only read')
})

test('options of the judge without a judge, and labels without their run, are refused', async () => {
  const without = await genuiEval(['validate', '--repeat', '2', '--labels', 'x'])
  assert.equal(without.code, 2)
  assert.match(without.stderr, /--repeat, --labels: only of use with --judge/)
  const half = await genuiEval(['validate', '--judge', 'm', '--judge-base-url', 'http://127.0.0.1:9/v1', '--labels', 'x'])
  assert.equal(half.code, 2)
  assert.match(half.stderr, /"run": is needed too/)
})
