// Error rates, power and cost of the default gate, as published in docs/statistics.md, each held against its target; and the speed of both.
// node bench/gate.ts [runs] [seed]
import { simulatePower, type PowerQuestion } from '../src/gate/simulate.ts'
import { compareFiles } from '../src/usecases/compare.ts'

interface Row {
  readonly name: string
  readonly change: Partial<PowerQuestion>
  readonly target: { readonly at_most?: number; readonly at_least?: number; readonly mean_at_most?: number }
}

const MIXED = [1, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3]
const same = (p: number): Row => ({
  name: `identical, p = ${p}`,
  change: { p_base: p },
  target: p === 0.95 ? { at_most: 0.05, mean_at_most: 4.5 } : { at_most: 0.05 },
})
const sameOverTen = (p: number): Row => ({
  name: `identical, p = ${p}, baseline of 10`,
  change: { p_base: p, baseline_n: 10 },
  target: { at_most: 0.05 },
})
const ROWS: readonly Row[] = [
  ...[1, 0.98, 0.95, 0.9, 0.8].map(same),
  { name: `identical, p = ${MIXED.join(', ')} in turn`, change: { p_base: MIXED }, target: { at_most: 0.05 } },
  { name: 'one task .95 → .3', change: { changed: 1, p_head: 0.3 }, target: { at_least: 0.95 } },
  { name: 'one task 1 → .5', change: { p_base: 1, changed: 1, p_head: 0.5 }, target: { at_least: 0.86 } },
  { name: 'one task 1 → .5, k = 5', change: { k: 5, p_base: 1, changed: 1, p_head: 0.5 }, target: { at_least: 0.95 } },
  { name: 'all tasks .95 → .8', change: { changed: 10, p_head: 0.8 }, target: { at_least: 0.95 } },
  ...[1, 0.98, 0.95, 0.9, 0.8].map(sameOverTen),
  { name: 'one task .95 → .3, baseline of 10', change: { changed: 1, p_head: 0.3, baseline_n: 10 }, target: {} },
  { name: 'one task 1 → .5, baseline of 10', change: { p_base: 1, changed: 1, p_head: 0.5, baseline_n: 10 }, target: {} },
  { name: 'all tasks .95 → .8, baseline of 10', change: { changed: 10, p_head: 0.8, baseline_n: 10 }, target: {} },
]

const runs = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? 1)
const plain: PowerQuestion = {
  runs,
  seed,
  baseline_n: 30,
  k: 3,
  tasks: 10,
  p_base: 0.95,
  p_head: 0,
  changed: 0,
  max_trials: 30,
  alpha: 0.05,
}
const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`
let missed = 0

console.log('| scenario | gate: any red | trials a task | fixed size: any red (trials) | naive: any red | seconds |')
console.log('| --- | --- | --- | --- | --- | --- |')
for (const { name, change, target } of ROWS) {
  const started = performance.now()
  const answer = simulatePower({ ...plain, ...change })
  const seconds = (performance.now() - started) / 1000
  const good =
    answer.any_red <= (target.at_most ?? 1) &&
    answer.any_red >= (target.at_least ?? 0) &&
    answer.mean_trials_per_task <= (target.mean_at_most ?? Infinity)
  if (!good) missed += 1
  const fixed = `${percent(answer.fixed.any_red)} (${answer.fixed.trials_per_task})`
  const cells = [
    name,
    percent(answer.any_red),
    answer.mean_trials_per_task.toFixed(2),
    fixed,
    percent(answer.naive.any_red),
    seconds.toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |${good ? '' : ' MISSED'}`)
}

const document = (failing: number): unknown => ({
  tasks: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`task-${i}`, { n: 30, c: 30 - ((i * 7 + failing) % 5) }])),
})
const started = performance.now()
compareFiles(
  { name: 'base', value: document(0) },
  { name: 'head', value: document(1) },
  {
    mode: 'statistical',
    k: 3,
    alpha: 0.05,
    max_trials: 30,
    golden_floor: 0.5,
    today: '2026-01-01',
    accepted_removals: [],
    accepted_changes: [],
  },
)
console.log(`\ncompare, 1,000 tasks of 30 trials: ${(performance.now() - started).toFixed(0)} ms`)
process.exitCode = missed === 0 ? 0 : 1
