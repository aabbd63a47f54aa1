import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { EXIT, UserError, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { defaultMaxTrials, GATE_MODES } from '../model/verdict.ts'
import type { NamedDocument } from '../usecases/comparable.ts'
import { compareFiles } from '../usecases/compare.ts'
import { verdictExit } from '../usecases/exit-codes.ts'
import { describeComparison } from '../usecases/describe-comparison.ts'
import { conclude, printJson } from './conclude.ts'
import { textOption } from './text-option.ts'

interface CompareCommandOptions {
  readonly baseline: string
  readonly head: string
  readonly json?: true
}

const OPTIONS: readonly (readonly [string, string, string])[] = [
  ['k', 'number', 'trials that must all pass (default 3)'],
  ['gate', 'mode', 'statistical, strict or report-only (default statistical)'],
  ['alpha', 'share', 'chance of any red when nothing changed (default 0.05)'],
  ['max-trials', 'number', 'trials a task at most in the design that made the head (default 2 × k, at least 30)'],
  ['golden-floor', 'share', 'pass rate below which a golden task is red (default 0.5)'],
  ['accepted-removals', 'ids', 'tasks whose removal is meant, separated by commas'],
  ['accepted-changes', 'ids', 'tasks whose edit is meant, separated by commas: failing them does not make the comparison inconclusive'],
]

/** `compare`: two results, baseline files or bare counts. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .description('compare two results: baseline files, results files, or bare counts {"tasks":{"ID":{"n":30,"c":29}}}')
    .requiredOption('--baseline <file>', 'what head is held against')
    .requiredOption('--head <file>', 'what is judged')
    .option('--json', 'print one JSON document')
  for (const [name, placeholder, description] of OPTIONS) command.option(`--${name} <${placeholder}>`, description)
  command.action((options: CompareCommandOptions) => conclude(() => compare(options)))
}

async function compare(options: CompareCommandOptions): Promise<ExitCode> {
  const raw = Object.fromEntries(OPTIONS.map(([name]) => [name, textOption({ ...options }, name)]))
  const settings = readInputs(raw, (read) => {
    const k = read.integer('k', { min: 1, max: 100, fallback: 3 })
    return {
      mode: read.choice('gate', GATE_MODES, 'statistical'),
      k,
      alpha: read.number('alpha', { min: 0.0001, max: 0.5, fallback: 0.05 }),
      max_trials: read.integer('max-trials', { min: k, max: 100_000, fallback: defaultMaxTrials(k) }),
      golden_floor: read.number('golden-floor', { min: 0, max: 1, fallback: 0.5 }),
      today: new Date().toISOString().slice(0, 10),
      accepted_removals: read.list('accepted-removals') ?? [],
      accepted_changes: read.list('accepted-changes') ?? [],
    }
  })
  const comparison = compareFiles(await readDocument(options.baseline), await readDocument(options.head), settings)
  if (options.json === true) printJson(comparison)
  else process.stdout.write(`${describeComparison(comparison, settings.k)}\n`)
  return settings.mode === 'report-only' ? EXIT.pass : verdictExit(comparison.verdict)
}

async function readDocument(file: string): Promise<NamedDocument> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError([{ where: file, at: '', message: 'cannot be read; give the path of an existing file' }])
  })
  try {
    return { name: file, value: JSON.parse(text) }
  } catch (error) {
    throw new UserError([{ where: file, at: '', message: `is no JSON: ${error instanceof Error ? error.message : String(error)}` }])
  }
}
