// Trials a second and processor time a trial for the full check set on a reference app, against a floor measured in the same run: bare playwright-core
// (new context, load, one click, PNG, close). Blocks of each case alternate, so that what else the machine does meets all alike.
// node bench/grading.ts [--task ID] [--seconds S a block] [--rounds N] [--at 2,4,6] [--stages N] [--memory TRIALS]
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { gradeTrial } from '../src/graders/grade.ts'
import { outcomeRequestFor } from '../src/graders/outcome-request.ts'
import { DEFAULT_OUTCOME_LIMITS, type OutcomeRequest } from '../src/model/outcome.ts'
import { openAppPage } from '../src/outcome/app-page.ts'
import { locateBrowser } from '../src/outcome/browser-location.ts'
import { openBrowserEngine } from '../src/outcome/engine.ts'
import { explore, probeControls, runDeclaredSteps } from '../src/outcome/explorer/index.ts'
import { launchBrowser } from '../src/outcome/launch.ts'
import { PageBudget } from '../src/outcome/page-budget.ts'
import { selectorAlternatives } from '../src/outcome/selector-equivalents.ts'
import { loadTasks } from '../src/tasks/load.ts'
import { difference, KINDS, memoryInUse, processorTime, sum, type ByKind } from './processes.ts'

const { values: flags } = parseArgs({
  options: {
    task: { type: 'string', default: 'study_reg_01' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '2' },
    at: { type: 'string', default: '2,4,6' },
    stages: { type: 'string', default: '6' },
    memory: { type: 'string', default: '0' },
  },
})
const concurrencies = flags.at.split(',').map(Number)

const tasksFolder = path.join(import.meta.dirname, '..', 'tasks')
const [loaded] = await loadTasks(tasksFolder, { ids: [flags.task] })
if (loaded === undefined) throw new Error(`there is no task ${flags.task}`)
const { task } = loaded
const html = await readFile(path.join(tasksFolder, task.task_id, 'reference.html'), 'utf8')
const executablePath = locateBrowser({ explicitPath: null, chromeBin: process.env['CHROME_BIN'] ?? null })
const folder = await mkdtemp(path.join(tmpdir(), 'genui-bench-'))
const wanted = outcomeRequestFor(task)
const request = (rest: Partial<OutcomeRequest>): OutcomeRequest => ({
  ...wanted,
  html,
  vary: false,
  screenshot_folder: folder,
  limits: DEFAULT_OUTCOME_LIMITS,
  ...rest,
})

const bare = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
const engine = await openBrowserEngine({ executablePath, network: { kind: 'mirror' }, webview: { kind: 'top' } })
let outcome = await engine.observe(request({}))

async function bareTrial(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript('window.hermes = { sendAction: async () => ({ ok: true }) }')
  const page = await context.newPage()
  await page.setContent(html)
  await page.click('button')
  await page.screenshot()
  await context.close()
}

async function observeAndGrade(rest: Partial<OutcomeRequest>): Promise<void> {
  outcome = await engine.observe(request(rest))
  const grade = gradeLast()
  if (rest.explore !== false && grade.verdict !== 'pass') throw new Error(`the reference does not pass: ${grade.failure_class ?? ''}`)
}

function gradeLast(): ReturnType<typeof gradeTrial> {
  const call = { id: '1', name: 'render_micro_app', args: { html }, result: '{"ok":true}', status: 'ok', ms: 0 } as const
  return gradeTrial({
    task,
    agent: { status: 'completed' },
    transcript: { messages: [], tool_calls: [call], final_text: '', tools_offered: [call.name] },
    app: { html, from: 'arguments' },
    outcome,
    rubrics: [],
  })
}

/** What one block of trials of a case at one concurrency took. */
interface Block {
  readonly at: number
  readonly rate: number
  /** Milliseconds of processor time a trial. */
  readonly spent: ByKind
}

async function block(trial: () => Promise<void>, at: number): Promise<Block> {
  const before = await processorTime()
  const began = performance.now()
  let done = 0
  const worker = async (): Promise<void> => {
    while (performance.now() - began < Number(flags.seconds) * 1000) {
      await trial()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: at }, worker))
  const took = performance.now() - began
  const spent = difference(before, await processorTime())
  for (const kind of KINDS) spent[kind] /= done
  return { at, rate: (done * 1000) / took, spent }
}

const CASES: readonly (readonly [string, () => Promise<void>])[] = [
  ['bare: context, load, click, PNG, close', async () => await bareTrial(bare)],
  ['all checks, declared steps only', async () => await observeAndGrade({ explore: false })],
  ['all checks, explorer on', async () => await observeAndGrade({})],
  ['all checks, explorer and other choices on', async () => await observeAndGrade({ vary: wanted.vary })],
]

/** Milliseconds of each stage of one trial after another, medians. */
async function stages(rounds: number): Promise<readonly (readonly [string, number])[]> {
  const launched = await launchBrowser(executablePath)
  const times = new Map<string, number[]>()
  let from = 0
  const lap = (name: string): void => {
    times.set(name, [...(times.get(name) ?? []), performance.now() - from])
    from = performance.now()
  }
  try {
    for (let round = 0; round <= rounds; round += 1) {
      if (round === 1) times.clear()
      from = performance.now()
      const app = await openAppPage(launched.browser, {
        html,
        network: { kind: 'mirror' },
        webview: { kind: 'top' },
        selectors: Object.fromEntries(wanted.selectors.map((selector) => [selector, selectorAlternatives(selector)])),
        screenshotFolder: folder,
        budget: new PageBudget(45),
      })
      lap('open context, page, walls and bridge')
      await app.load()
      lap('load and settle')
      await app.observe('settled')
      lap('observe the settled state (with PNG)')
      const performed = await runDeclaredSteps(app, wanted.steps)
      lap(`declared steps (${performed.length})`)
      const explored = await explore(app, { acceptsPayload: wanted.accepts_payload ?? (() => true), maxSteps: 30 })
      lap(`explorer (${explored.length} steps)`)
      const probed = await probeControls(app, { maxControls: 8, skip: [...performed, ...explored] })
      lap(`other controls (${probed.length} pressed)`)
      await app.close()
      lap('close')
    }
  } finally {
    await launched.close()
  }
  return [...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1] ?? 0])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
}

if (concurrencies.length > 0 && Number(flags.rounds) > 0) {
  const blocks = new Map<string, Block[]>()
  for (const [, trial] of CASES) await trial()
  for (let round = 0; round < Number(flags.rounds); round += 1)
    for (const at of concurrencies)
      for (const [name, trial] of CASES) blocks.set(name, [...(blocks.get(name) ?? []), await block(trial, at)])
  const rows = CASES.map(([name]) => {
    const ofCase = blocks.get(name) ?? []
    const [fastest] = ofCase.toSorted((a, b) => b.rate - a.rate)
    const [cheapest] = ofCase.toSorted((a, b) => sum(a.spent) - sum(b.spent))
    if (fastest === undefined || cheapest === undefined) throw new Error(`${name} was not measured`)
    const each = concurrencies.map((at) => Math.max(...ofCase.filter((one) => one.at === at).map(({ rate }) => rate)).toFixed(1))
    return { name, fastest, cheapest, each: each.join(' / ') }
  })
  const [floor] = rows
  if (floor === undefined) throw new Error('nothing was measured')
  console.log(
    `${task.task_id}, ${engine.name} ${engine.version}, ${flags.rounds} × ${flags.seconds} s at each concurrency of ${flags.at}\n`,
  )
  table(
    [
      'what',
      'trials a second',
      `at ${concurrencies.join(' / ')} pages at once`,
      'of the floor',
      'CPU ms a trial',
      'of the floor',
      ...KINDS,
    ],
    rows.map(({ name, fastest, cheapest, each }) => [
      name,
      fastest.rate.toFixed(2),
      each,
      (fastest.rate / floor.fastest.rate).toFixed(2),
      sum(cheapest.spent).toFixed(0),
      (sum(cheapest.spent) / sum(floor.cheapest.spent)).toFixed(2),
      ...KINDS.map((kind) => cheapest.spent[kind].toFixed(0)),
    ]),
  )
}
await bare.close()

if (Number(flags.stages) > 0) {
  const rows = (await stages(Number(flags.stages))).map(([name, ms]) => [name, ms.toFixed(0)])
  const began = performance.now()
  for (let round = 0; round < 20; round += 1) gradeLast()
  console.log()
  table(['stage, one trial at a time', 'ms (median)'], [...rows, ['grade', ((performance.now() - began) / 20).toFixed(1)]])
}

const trials = Number(flags.memory)
if (trials > 0) {
  console.log()
  table(['trials', 'node, MB (RSS)', 'browser, MB (PSS)'], [])
  for (let done = 0; done < trials;) {
    const chunk = Math.min(Math.ceil(trials / 8), trials - done)
    let left = chunk
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await observeAndGrade({})
      }
    }
    await Promise.all([worker(), worker()])
    done += chunk
    const { node, browser } = await memoryInUse()
    console.log(`| ${done} | ${node.toFixed(0)} | ${browser.toFixed(0)} |`)
  }
}
await engine.close()
await rm(folder, { recursive: true, force: true })
