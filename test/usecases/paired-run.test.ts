import assert from 'node:assert/strict'
import { cp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Repository } from '../baseline/repositories.ts'
import { HEALTHY_PLUGIN, openEvaluation } from './evaluation.ts'

const RUN = ['--plugin', 'plugin', '--tasks', 'neg_reg_01,neg_reg_02', '--paired', 'true', '--json']

test('a paired run takes the base build from the base commit, finds the break, and leaves nothing behind', async () => {
  await using evaluation = await openEvaluation()
  const repository = new Repository(evaluation.folder)
  await repository.git('init', '--quiet', '--initial-branch=main')
  await cp(HEALTHY_PLUGIN, join(evaluation.folder, 'plugin'), { recursive: true, filter: (path) => !path.endsWith('__pycache__') })
  const base = await repository.commit({ '.gitignore': 'run\n__pycache__\n' })
  await repository.git('checkout', '--quiet', '-b', 'change')
  await repository.commit({ 'plugin/__init__.py': 'raise RuntimeError("broken by this change")\n' })
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('genui-base-'))

  const ended = await evaluation.run(...RUN)
  assert.equal(ended.code, 1, ended.stderr)
  const { decision, trials, notices, baseline_origin: origin } = JSON.parse(ended.stdout)
  assert.equal(decision.verdict, 'fail')
  assert.match(decision.reason, /regressed/)
  assert.deepEqual(origin, { kind: 'paired' })
  const verdicts = (arm: string): unknown[] => [
    ...new Set(trials.filter((trial: { arm: string }) => trial.arm === arm).map(({ verdict }: { verdict: string }) => verdict)),
  ]
  assert.deepEqual([verdicts('head'), verdicts('base')], [['fail'], ['pass']])
  assert.match(notices.join(' '), new RegExp(`plugin folder at commit ${base.slice(0, 10)}`))
  assert.match(notices.join(' '), /does not load/)
  const after = (await readdir(tmpdir())).filter((name) => name.startsWith('genui-base-'))
  assert.deepEqual(
    after.filter((name) => !before.includes(name)),
    [],
  )
  assert.equal(await repository.git('status', '--porcelain'), '')
})

test('where the base commit has no plugin there is nothing to pair with: inconclusive, and it says what to do', async () => {
  await using evaluation = await openEvaluation()
  const repository = new Repository(evaluation.folder)
  await repository.git('init', '--quiet', '--initial-branch=main')
  await repository.commit({ '.gitignore': 'run\n__pycache__\n' })
  await repository.git('checkout', '--quiet', '-b', 'change')
  await cp(HEALTHY_PLUGIN, join(evaluation.folder, 'plugin'), { recursive: true })
  await repository.commit({})
  const ended = await evaluation.run(...RUN, '--k', '1')
  assert.equal(ended.code, 3, ended.stderr)
  const { decision, trials } = JSON.parse(ended.stdout)
  assert.match(decision.reason, /a paired run needs a base build: commit \w+ has no folder plugin; name one with base-plugin/)
  assert.ok(trials.every(({ arm }: { arm: string }) => arm === 'head'))
})
