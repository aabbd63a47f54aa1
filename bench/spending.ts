// How often the spending gate is red on identical builds, and how often it finds a rise, as published in docs/statistics.md.
// node bench/spending.ts [runs] [seed]
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { judgeSpending } from '../src/gate/spending.ts'
import type { GateSettings } from '../src/model/verdict.ts'
import { median } from '../src/statistics/resample.ts'

const runs = Number(process.argv[2] ?? 10_000)
const generator = xoroshiro128plus(Number(process.argv[3] ?? 1))
const uniform = (): number => Math.max(1e-12, uniformFloat64(generator))
const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())

/** One trial's figure, of median about 1. */
const NOISES: Readonly<Record<string, () => number>> = {
  'log-normal, sd .15': () => Math.exp(0.15 * normal()),
  'log-normal, sd .5': () => Math.exp(0.5 * normal()),
  exponential: () => -Math.log(uniform()) / Math.LN2,
  'one trial in ten takes ten times as long': () => Math.exp(0.2 * normal()) * (uniform() < 0.1 ? 10 : 1),
  'whole numbers 1 to 4': () => 1 + Math.floor(4 * uniform()),
}
const settings: GateSettings = { mode: 'statistical', k: 3, alpha: 0.05, max_trials: 30, golden_floor: 0.5, max_increase: { wall_ms: 10 } }

function redRate(noise: () => number, tasks: number, baseN: number, rise: number, limit: number): number {
  const middle = (n: number, factor: number): number | null => median(Array.from({ length: n }, () => factor * noise()))
  let red = 0
  for (let run = 0; run < runs; run += 1) {
    const spending = Array.from({ length: tasks }, (_, i) => ({
      task_id: `task-${i}`,
      baseline: { wall_ms: middle(baseN, 1) },
      head: { wall_ms: middle(3, 1 + rise) },
    }))
    const [verdict] = judgeSpending(spending, { ...settings, max_increase: { wall_ms: limit } })
    if (verdict?.outcome === 'exceeded') red += 1
  }
  return red / runs
}

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`
console.log(
  '| noise of a trial | identical, limit 0 | identical, limit 10 % | paired, identical, limit 0 | +30 %, limit 10 % | +100 %, limit 10 % |',
)
console.log('| --- | --- | --- | --- | --- | --- |')
for (const [name, noise] of Object.entries(NOISES)) {
  const cells = [
    redRate(noise, 10, 10, 0, 0),
    redRate(noise, 10, 10, 0, 10),
    redRate(noise, 10, 3, 0, 0),
    redRate(noise, 10, 10, 0.3, 10),
    redRate(noise, 10, 10, 1, 10),
  ]
  console.log(`| ${name} | ${cells.map(percent).join(' | ')} |`)
}
