import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentRequest } from '../../src/model/agent.ts'

export const PROJECT = join(import.meta.dirname, '../..')
export const GOOD_PLUGIN = join(PROJECT, 'examples/genui-plugin')

/** A temporary folder that is removed when the scope ends. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'genui-eval-test-'))
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) }
}

/** Writes a plugin whose handler has the given body (`args` is at hand) and, if wanted, whose register begins with the given lines. */
export async function writePlugin(folder: string, handlerBody: string, registerStart = 'pass'): Promise<string> {
  const indent = (code: string): string => code.replaceAll(/^/gm, '    ')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'plugin.yaml'), 'name: planted\nversion: 0.0.1\n')
  await writeFile(
    join(folder, '__init__.py'),
    `import json, os, sys, time\n\n\ndef handler(args, **_):\n${indent(handlerBody)}\n\n\ndef register(ctx):\n${indent(registerStart)}\n    ctx.register_tool(name="render_micro_app", toolset="planted", handler=handler, schema={"name": "render_micro_app", "description": "Show an app", "parameters": {"type": "object", "properties": {"title": {"type": "string"}, "html": {"type": "string"}}, "required": ["html"]}})\n`,
  )
  return folder
}

/** Task folders for the scripted model: one that wants data and an app, and a simple action. */
export async function writeTasks(folder: string): Promise<string> {
  const app = {
    task_id: 'app_task',
    user_prompt: 'Let me choose which of my downloads to delete.',
    mock_tool_context: [{ tool: 'execute_command', args: { cmd: 'ls -lh ~/Downloads' }, output: '1.4G ubuntu.iso' }],
    expected_tool_trigger: true,
    outcome_dom_assertions: { must_contain_strings: ['ubuntu.iso'] },
    reference_solution: 'reference.html',
  }
  const text = {
    task_id: 'text_task',
    user_prompt: "Create a hello.py file in the current directory that prints 'Hello Hermes!'.",
    mock_tool_context: [],
    expected_tool_trigger: false,
    outcome_dom_assertions: {},
    reference_solution: 'reference.md',
  }
  const html =
    '<!doctype html><html><head><title>Clean up</title></head><body><label><input type="checkbox" value="ubuntu.iso">ubuntu.iso</label>' +
    '<button id="go">Delete</button>\n<script>\n// the only control\ndocument.getElementById("go").onclick = () => window.hermes.sendAction({ action: "delete", files: [] })\n</script></body></html>'
  await writeTask(folder, app, 'reference.html', html)
  await writeTask(folder, text, 'reference.md', 'I created `hello.py`.')
  return folder
}

async function writeTask(folder: string, task: { readonly task_id: string }, file: string, content: string): Promise<void> {
  await mkdir(join(folder, task.task_id), { recursive: true })
  await writeFile(join(folder, task.task_id, 'task.json'), JSON.stringify(task))
  await writeFile(join(folder, task.task_id, file), content)
}

export const APP_PROMPT = 'Let me choose which of my downloads to delete.'
export const TEXT_PROMPT = "Create a hello.py file in the current directory that prints 'Hello Hermes!'."

export function agentRequest(over: Partial<AgentRequest> & Pick<AgentRequest, 'base_url' | 'scratch_folder'>): AgentRequest {
  return {
    trial_id: 'app_task-head-0-1',
    user_prompt: APP_PROMPT,
    mock_tool_context: [{ tool: 'execute_command', args: { cmd: 'ls -lh ~/Downloads' }, output: '1.4G ubuntu.iso' }],
    context_delivery: 'tools',
    plugin_folder: GOOD_PLUGIN,
    model: { name: 'scripted', temperature: 0, max_tokens: 20_000, effort: null },
    seed: 7,
    limits: { wall_seconds: 60, model_calls: 10 },
    ...over,
  }
}

/** Command lines and environments of all processes that mention the text (Linux). */
export async function processesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(text)) found.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  return found
}
