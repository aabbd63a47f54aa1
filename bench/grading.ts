// Trials a second for the full check set on a reference app, against a floor measured in the same run: bare playwright-core (new context, load, one click,
// PNG, close). node bench/grading.ts [--task ID] [--seconds S each] [--memory TRIALS]
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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
import { selectorAlternatives } from '../src/outcome/selector-equivalents.ts'
import { loadTasks } from '../src/tasks/load.ts'

const { values: flags } = parseArgs({
  options: {
    task: { type: 'string', default: 'study_reg_01' },
    seconds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '0' },
  },
})
const seconds = Number(flags.seconds)
const CONCURRENCIES = [1, 2, 3, 4]
const STAGE_ROUNDS = 6

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

/** Trials a second at the best concurrency; one uncounted trial first. */
async function best(trial: () => Promise<void>): Promise<{ readonly rate: number; readonly at: number }> {
  await trial()
  let found = { rate: 0, at: 0 }
  for (const at of CONCURRENCIES) {
    const began = performance.now()
    let done = 0
    const worker = async (): Promise<void> => {
      while (performance.now() - began < seconds * 1000) {
        await trial()
        done += 1
      }
    }
    await Promise.all(Array.from({ length: at }, worker))
    const rate = (done * 1000) / (performance.now() - began)
    if (rate > found.rate) found = { rate, at }
  }
  return found
}

async function bareTrial(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript('window.hermes = { sendAction: async () => ({ ok: true }) }')
  const page = await context.newPage()
  await page.setContent(html)
  await page.click('button')
  await page.screenshot()
  await context.close()
}

/** Milliseconds of each stage of one trial after another, medians. */
async function stages(): Promise<readonly (readonly [string, number])[]> {
  const launched = await launchBrowser(executablePath)
  const times = new Map<string, number[]>()
  let from = 0
  const lap = (name: string): void => {
    const now = performance.now()
    times.set(name, [...(times.get(name) ?? []), now - from])
    from = performance.now()
  }
  try {
    for (let round = 0; round <= STAGE_ROUNDS; round += 1) {
      if (round === 1) times.clear()
      from = performance.now()
      const app = await openAppPage(launched.browser, {
        html,
        network: { kind: 'mirror' },
        webview: { kind: 'top' },
        selectors: Object.fromEntries(wanted.selectors.map((selector) => [selector, selectorAlternatives(selector)])),
        screenshotFolder: folder,
        deadline: performance.now() + 45_000,
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

/** Memory of this process and all that it started, MB, shared pages divided (PSS). Linux only; NaN elsewhere. */
async function memoryInUse(): Promise<number> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : ''
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === process.pid) return true
    return false
  }
  let kilobytes = parents.size === 0 ? Number.NaN : 0
  for (const pid of parents.keys()) {
    if (!isOurs(pid)) continue
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return kilobytes / 1024
}

const bare = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
const floor = await best(async () => await bareTrial(bare))
await bare.close()

const engine = await openBrowserEngine({ executablePath, network: { kind: 'mirror' }, webview: { kind: 'top' } })
let outcome = await engine.observe(request({}))
const observeAndGrade = async (rest: Partial<OutcomeRequest>): Promise<void> => {
  outcome = await engine.observe(request(rest))
  const grade = gradeLast()
  if (rest.explore !== false && grade.verdict !== 'pass') throw new Error(`the reference does not pass: ${grade.failure_class ?? ''}`)
}
const full = await best(async () => await observeAndGrade({}))
const declaredOnly = await best(async () => await observeAndGrade({ explore: false }))

console.log(`${task.task_id}, ${engine.name} ${engine.version}, ${seconds} s at each concurrency of ${CONCURRENCIES.join(', ')}\n`)
console.log('| what | trials a second | best at | of the floor |\n| --- | --- | --- | --- |')
for (const [name, { rate, at }] of [
  ['bare: context, load, click, PNG, close', floor],
  ['all checks, explorer on', full],
  ['all checks, declared steps only', declaredOnly],
] as const)
  console.log(`| ${name} | ${rate.toFixed(2)} | ${at} | ${(rate / floor.rate).toFixed(2)} |`)

console.log('\n| stage, one trial at a time | ms (median) |\n| --- | --- |')
for (const [name, ms] of await stages()) console.log(`| ${name} | ${ms.toFixed(0)} |`)
const began = performance.now()
for (let round = 0; round < 20; round += 1) gradeLast()
console.log(`| grade | ${((performance.now() - began) / 20).toFixed(1)} |`)

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

const trials = Number(flags.memory)
if (trials > 0) {
  console.log('\n| trials | memory, MB (PSS, browser included) |\n| --- | --- |')
  for (let done = 0; done < trials;) {
    const chunk = Math.min(Math.ceil(trials / 10), trials - done)
    let left = chunk
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await observeAndGrade({})
      }
    }
    await Promise.all([worker(), worker()])
    done += chunk
    console.log(`| ${done} | ${(await memoryInUse()).toFixed(0)} |`)
  }
}
await engine.close()
await rm(folder, { recursive: true, force: true })
