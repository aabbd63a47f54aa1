// How close the agents of a run come to the ideal schedule, with a model that takes a fixed time for each answer; grading goes on beside them.
// node bench/scheduling.ts [--latency-ms 1000] [--spread-ms 200] [--trials 30] [--concurrency 10] [--no-grading]
// The benchmark's own figures: --latency-ms 5000 --spread-ms 1000.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isFields } from '../examples/scripted-model/conversation.ts'
import { pauseBeforeAnswer } from '../examples/scripted-model/scripted-model.ts'
import { type AgentRequest, EMPTY_TRANSCRIPT } from '../src/model/agent.ts'
import { parseRunConfig } from '../src/model/config.ts'
import { openRun } from '../src/usecases/open-run.ts'
import { planTrials } from '../src/usecases/plan-trials.ts'
import { runTrials } from '../src/usecases/run-trials.ts'

const TARGET = 1.15
const MEMORY_LIMIT_MB = 768

const { values } = parseArgs({
  options: {
    'latency-ms': { type: 'string', default: '1000' },
    'spread-ms': { type: 'string', default: '200' },
    trials: { type: 'string', default: '30' },
    concurrency: { type: 'string', default: '10' },
    'no-grading': { type: 'boolean', default: false },
  },
})
const latency = { ms: Number(values['latency-ms']), spread: Number(values['spread-ms']) }
const [trialCount, concurrency] = [Number(values.trials), Number(values.concurrency)]
const project = join(import.meta.dirname, '..')

interface Span {
  readonly trial_id: string
  readonly start: number
  readonly end: number
}

/** End of the last job when each takes the first free of so many places, in the given order; all from 0. */
function listSchedule(durations: readonly number[], places: number): number {
  const free = Array.from({ length: places }, () => 0)
  for (const duration of durations) {
    const first = free.indexOf(Math.min(...free))
    free[first] = (free[first] ?? 0) + duration
  }
  return Math.max(...free)
}

/** The model service in a process of its own, as in reality. */
async function startModel(): Promise<{ readonly url: string; stop(): void }> {
  const args = ['--port', '0', '--slip-rate', '0', '--latency-ms', String(latency.ms), '--latency-spread-ms', String(latency.spread)]
  const server = spawn(process.execPath, [join(project, 'examples/scripted-model/server.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /http:\S+/.exec(line)?.[0]
    if (url !== undefined) return { url, stop: () => server.kill() }
  }
  throw new Error('the scripted model did not start')
}

/** Simulated latency of all model calls of each trial, by trial, ms: computed from the requests that the relay logged. */
async function simulatedLatency(wireFolder: string): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const name of await readdir(wireFolder)) {
    for (const line of (await readFile(join(wireFolder, name), 'utf8')).trim().split('\n')) {
      const entry = JSON.parse(line) as { trial_id: string; request: string }
      const body: unknown = JSON.parse(entry.request)
      if (isFields(body)) sums.set(entry.trial_id, (sums.get(entry.trial_id) ?? 0) + pauseBeforeAnswer(body, latency))
    }
  }
  return sums
}

const model = await startModel()
const folder = await mkdtemp(join(tmpdir(), 'genui-eval-scheduling-'))
const config = parseRunConfig(
  {
    plugin: join(project, 'examples/genui-plugin'),
    'tasks-folder': join(project, 'tasks'),
    agent: 'builtin',
    model: 'scripted',
    'base-url': model.url,
    concurrency: String(concurrency),
    retries: '0',
    'output-folder': join(folder, 'run'),
  },
  (path) => path,
)
const load = loadavg()[0] ?? 0
const delayOfLoop = monitorEventLoopDelay({ resolution: 10 })
const spans: Span[] = []
const memory: number[] = []
let failures = 0
try {
  await using run = await openRun(config, { fresh: true, signal: new AbortController().signal, onProgress: () => undefined })
  const { agent } = run.loop.equipment
  const timed = {
    ...agent,
    run: async (request: AgentRequest, signal: AbortSignal) => {
      const start = performance.now()
      const result = await agent.run(request, signal)
      spans.push({ trial_id: request.trial_id, start, end: performance.now() })
      if (result.status !== 'completed') failures += 1
      return values['no-grading'] ? { ...result, transcript: EMPTY_TRANSCRIPT } : result
    },
  }
  const each = Math.ceil(trialCount / run.tasks.length)
  const requests = run.tasks.map(({ task }) => ({ task_id: task.task_id, trials: each }))
  const planned = planTrials(run.tasks, requests, 0, ['head'], config.seed, new Map()).slice(0, trialCount)
  const sampler = setInterval(() => memory.push(process.memoryUsage.rss() / 2 ** 20), 100)
  delayOfLoop.enable()
  const began = performance.now()
  await runTrials(planned, { ...run.loop, equipment: { ...run.loop.equipment, agent: timed } })
  const all = performance.now() - began
  delayOfLoop.disable()
  clearInterval(sampler)

  const simulated = await simulatedLatency(join(folder, 'run/wire'))
  const durations = planned.map(({ trial_id: id }) => simulated.get(`${id}-1`) ?? 0)
  const ideal = listSchedule(durations, concurrency)
  const wall = Math.max(...spans.map(({ end }) => end)) - Math.min(...spans.map(({ start }) => start))
  const overheads = spans.map((span) => span.end - span.start - (simulated.get(span.trial_id) ?? 0)).sort((a, b) => a - b)
  // The same places and the trials as long as they really took: what is left are gaps between trials.
  const real = listSchedule(
    [...spans].sort((a, b) => a.start - b.start).map(({ start, end }) => end - start),
    concurrency,
  )
  const third = Math.ceil(memory.length / 3)
  const peak = (samples: readonly number[]): number => Math.round(Math.max(...samples))
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
  const ratio = wall / ideal
  const rows: readonly (readonly [string, string])[] = [
    ['trials at concurrency', `${planned.length} at ${concurrency}, ${failures} not completed`],
    ['model latency a call', `${latency.ms} ± ${latency.spread} ms`],
    ['machine', `load ${load.toFixed(1)} before the start`],
    ['ideal schedule', seconds(ideal)],
    ['agents, first start to last end', seconds(wall)],
    ['ratio', `${ratio.toFixed(3)} (target ${TARGET})`],
    ['of it: gaps between trials', ((wall - real) / ideal).toFixed(3)],
    ['of it: trials longer than their model calls', ((real - ideal) / ideal).toFixed(3)],
    [
      'a trial beside its model calls, median and most',
      `${seconds(overheads[overheads.length >> 1] ?? 0)}, ${seconds(overheads.at(-1) ?? 0)}`,
    ],
    ['grading ends after the last agent', seconds(all - wall)],
    ['longest stall of the event loop', `${Math.round(delayOfLoop.max / 1e6)} ms`],
    [
      'memory of the harness by thirds of the run, peak',
      `${[0, 1, 2].map((part) => peak(memory.slice(part * third, (part + 1) * third))).join(', ')} MB`,
    ],
  ]
  console.log('| measure | value |\n| --- | --- |')
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
  if (ratio > TARGET || peak(memory) > MEMORY_LIMIT_MB || failures > 0) process.exitCode = 1
} finally {
  model.stop()
  await rm(folder, { recursive: true, force: true })
}
