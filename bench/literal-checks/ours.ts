// Grades every reference so many times, as a run does. node ours.ts full|declared REPEATS WORKERS BROWSER FOLDER
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gradeTrial } from '../../src/graders/grade.ts'
import { outcomeRequestFor } from '../../src/graders/outcome-request.ts'
import { DEFAULT_OUTCOME_LIMITS } from '../../src/model/outcome.ts'
import type { Task } from '../../src/model/task.ts'
import { openBrowserEngine } from '../../src/outcome/engine.ts'
import { loadTasks } from '../../src/tasks/load.ts'
import { publishedRows, TASKS_FOLDER } from './published-rows.ts'

const [kind = 'full', repeats = '1', workers = '2', executablePath = '', folder = ''] = process.argv.slice(2)
const ids = publishedRows().map(({ task_id }) => task_id)
const tasks = (await loadTasks(TASKS_FOLDER, { ids })).map(({ task }) => task)
const engine = await openBrowserEngine({ executablePath, network: { kind: 'mirror' }, webview: { kind: 'top' } })
const waiting = Array.from({ length: Number(repeats) }, () => tasks).flat()
let passed = 0

async function trial(task: Task): Promise<void> {
  const html = await readFile(path.join(TASKS_FOLDER, task.task_id, 'reference.html'), 'utf8')
  const declaredOnly = kind === 'full' ? {} : { explore: false, vary: false }
  const wanted = { ...outcomeRequestFor(task), ...declaredOnly, html, screenshot_folder: folder, limits: DEFAULT_OUTCOME_LIMITS }
  const outcome = await engine.observe(wanted)
  const call = { id: '1', name: 'render_micro_app', args: { html }, result: '{"ok":true}', status: 'ok', ms: 0 } as const
  const grade = gradeTrial({
    task,
    agent: { status: 'completed' },
    transcript: { messages: [], tool_calls: [call], final_text: '', tools_offered: [call.name] },
    app: { html, from: 'arguments' },
    outcome,
    rubrics: [],
  })
  if (grade.verdict === 'pass') passed += 1
}

async function worker(): Promise<void> {
  for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await trial(task)
}
await Promise.all(Array.from({ length: Number(workers) }, worker))
await engine.close()
console.log(JSON.stringify({ passed }))
