// Plants violations of the import borders in a copy of the layout and checks that the lint fires on each.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'borders-'))

const planted: readonly { readonly file: string; readonly line: string; readonly why: string }[] = [
  { file: 'src/model/planted.ts', line: `import '../graders/planted-target.ts'`, why: 'model imports a pure part' },
  { file: 'src/model/planted.ts', line: `import 'node:fs/promises'`, why: 'model touches the disk' },
  { file: 'src/graders/planted.ts', line: `import 'node:fs'`, why: 'graders touch the disk' },
  {
    file: 'src/graders/planted.ts',
    line: `export const page = import('../outcome/planted-target.ts')`,
    why: 'graders reach the browser by a dynamic import',
  },
  {
    file: 'src/graders/planted.ts',
    line: `export type { Nothing } from '../gate/planted-target.ts'`,
    why: 'graders look ahead to the gate',
  },
  { file: 'src/graders/planted.ts', line: `export const at = new Date()`, why: 'graders read the clock' },
  { file: 'src/statistics/planted.ts', line: `export const luck = Math.random()`, why: 'statistics are not reproducible' },
  { file: 'src/statistics/planted.ts', line: `import '../gate/planted-target.ts'`, why: 'statistics look ahead to the gate' },
  { file: 'src/gate/planted.ts', line: `import '../report/planted-target.ts'`, why: 'the gate looks ahead to the report' },
  { file: 'src/gate/planted.ts', line: `export const home = process.env`, why: 'the gate reads the environment' },
  { file: 'src/report/planted.ts', line: `import '../records/planted-target.ts'`, why: 'the report reads the disk' },
  { file: 'src/report/planted.ts', line: `console.log('x')`, why: 'the report prints' },
  { file: 'src/mutants/planted.ts', line: `import '../usecases/planted-target.ts'`, why: 'mutants know a use case' },
  { file: 'src/outcome/planted.ts', line: `import '../graders/planted-target.ts'`, why: 'an edge decides' },
  { file: 'src/outcome/deep/planted.ts', line: `import '../../records/planted-target.ts'`, why: 'an edge imports another edge' },
  { file: 'src/github/planted.ts', line: `import '../report/planted-target.ts'`, why: 'an edge imports a pure part' },
  { file: 'src/agents/planted.ts', line: `import '../relay/planted-target.ts'`, why: 'an edge imports another edge' },
  { file: 'src/baseline/planted.ts', line: `import '../usecases/planted-target.ts'`, why: 'an edge imports a use case' },
  { file: 'src/usecases/planted.ts', line: `import 'playwright-core'`, why: 'a use case touches an SDK' },
  { file: 'src/usecases/planted.ts', line: `import '../main.ts'`, why: 'a use case imports a door' },
  { file: 'src/commands/planted.ts', line: `import '../outcome/planted-target.ts'`, why: 'a command touches an edge' },
  { file: 'src/main.ts', line: `import './gate/planted-target.ts'`, why: 'a door decides' },
  { file: 'src/cli.ts', line: `import './outcome/planted-target.ts'`, why: 'a door touches an edge' },
]

before(() => {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  cpSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['graders', 'gate', 'report', 'records', 'outcome', 'relay', 'usecases']) {
    write(`src/${name}/planted-target.ts`, 'export type Nothing = null')
  }
  write('src/outcome/deep/clean.ts', `import type { Nothing } from '../planted-target.ts'\nexport const nothing: Nothing = null`)
})
after(() => rmSync(folder, { recursive: true }))

test('a clean tree has no findings', () => {
  assert.deepEqual(lint(), { status: 0, rules: [] })
})

for (const { file, line, why } of planted) {
  test(`fires when ${why}: ${line}`, () => {
    write(file, line)
    const { status, rules } = lint()
    rmSync(join(folder, file))
    assert.equal(status, 1)
    assert.ok(
      rules.some((rule) => /no-restricted|no-console/.test(rule)),
      `fired only ${rules.join(', ')}`,
    )
  })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), `${text}\n`)
}

function lint(): { status: number | null; rules: string[] } {
  const run = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json', 'src'], { cwd: folder, encoding: 'utf8' })
  const report: unknown = JSON.parse(run.stdout)
  assert.ok(typeof report === 'object' && report !== null && 'diagnostics' in report && Array.isArray(report.diagnostics), run.stdout)
  return { status: run.status, rules: report.diagnostics.map((finding: { code: string }) => finding.code) }
}
