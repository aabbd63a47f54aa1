// Processor seconds a trial, of all processes together: our checks against Playwright Test doing only the published literal checks, over the references, same browser, same run.
// node bench/literal-checks.ts [--repeats N] [--rounds N] [--workers N]
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { locateBrowser } from '../src/outcome/browser-location.ts'
import { publishedRows } from './literal-checks/published-rows.ts'

const { values: flags } = parseArgs({
  options: {
    repeats: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
  },
})
const here = path.join(import.meta.dirname, 'literal-checks')
const executablePath = locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null })
const folder = await mkdtemp(path.join(tmpdir(), 'literal-checks-'))
const resultsFile = path.join(folder, 'results.json')
const trials = publishedRows().length * Number(flags.repeats)
const playwright = path.join(path.dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js')

interface Measured {
  readonly cpu: number
  readonly wall: number
  readonly output: string
}

async function measured(command: readonly string[], env: Record<string, string> = {}): Promise<Measured> {
  const began = performance.now()
  const child = spawn('python3', [path.join(here, 'processor-time.py'), ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let complaints = ''
  child.stdout.on('data', (text) => (output += String(text)))
  child.stderr.on('data', (text) => (complaints += String(text)))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const told = /processor seconds: ([\d.]+)/.exec(complaints)?.[1]
  if (status !== 0 || told === undefined) throw new Error(`${command.join(' ')} ended with ${status}: ${output}${complaints}`)
  return { cpu: Number(told), wall: (performance.now() - began) / 1000, output }
}

async function ours(kind: 'full' | 'declared'): Promise<Measured & { readonly passed: number | null }> {
  const did = await measured([process.execPath, path.join(here, 'ours.ts'), kind, flags.repeats, flags.workers, executablePath, folder])
  // Without the explorer nobody looks for the sender, so that most verdicts mean nothing.
  return { ...did, passed: kind === 'full' ? (JSON.parse(did.output) as { passed: number }).passed : null }
}

async function theirs(): Promise<Measured & { readonly passed: number | null }> {
  const did = await measured([process.execPath, playwright, 'test', '--config', path.join(here, 'playwright.config.ts')], {
    WORKERS: flags.workers,
    REPEATS: flags.repeats,
    RESULTS_FILE: resultsFile,
    OUTPUT_FOLDER: path.join(folder, 'output'),
    BROWSER_FILE: executablePath,
  })
  const { stats, suites } = JSON.parse(await readFile(resultsFile, 'utf8')) as {
    stats: { expected: number }
    suites: { specs: { tests: { annotations: unknown[] }[] }[] }[]
  }
  if (stats.expected !== trials) throw new Error(`Playwright Test ran ${stats.expected} of ${trials} trials to their end`)
  const tests = suites.flatMap(({ specs }) => specs.flatMap((spec) => spec.tests))
  const failed = tests.filter(({ annotations }) => annotations.length > 0).length
  return { ...did, passed: trials - failed }
}

const parts = [
  ['ours, the full set', async () => await ours('full')],
  ['ours, declared steps only', async () => await ours('declared')],
  ['Playwright Test, the published literal checks', theirs],
] as const
const spent = new Map<string, (Measured & { readonly passed: number | null })[]>()
for (let round = 0; round < Number(flags.rounds); round += 1)
  for (const [name, run] of parts) spent.set(name, [...(spent.get(name) ?? []), await run()])

console.log(
  `${trials} trials of ${publishedRows().length} references, ${flags.workers} at a time, ${path.basename(executablePath)}; medians of ${flags.rounds} rounds\n`,
)
console.log('| what | CPU seconds a trial (each round) | seconds a trial | passed |\n| --- | --- | --- | --- |')
for (const [name, rounds] of spent) {
  const each = rounds.map(({ cpu }) => (cpu / trials).toFixed(2)).join(', ')
  const wall = median(rounds.map((round) => round.wall)) / trials
  console.log(
    `| ${name} | **${(median(rounds.map(({ cpu }) => cpu)) / trials).toFixed(2)}** (${each}) | ${wall.toFixed(2)} | ${rounds[0]?.passed ?? '–'} |`,
  )
}
await rm(folder, { recursive: true, force: true })

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
