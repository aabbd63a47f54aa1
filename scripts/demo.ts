// Runs the whole gate on the example plugin: the healthy build must pass, the regressed one must fail.
// The model is scripted (it stands for a model service only); plugin code, agent loop, browser and gate are the real ones.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startScriptedModel } from '../examples/scripted-model/scripted-model.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.genui-eval')
const started = Date.now()
const model = await startScriptedModel({ tasksFolder: join(root, 'tasks') })

let baseline = join(root, 'baselines/regression.json')
let healthy = await runGate('healthy build', 'examples/genui-plugin', 'demo-healthy')
const differences = fingerprintDifferences('demo-healthy')
if (differences.length > 0) {
  console.log(`\n=== The stored baseline was made elsewhere (${differences.join('; ')}), so one is made here first.\n`)
  baseline = join(folder, 'demo-baseline.json')
  await runCommand(['baseline', '--fresh', '--trials', '12', '--output', baseline, ...settings('examples/genui-plugin', 'demo-baseline')])
  healthy = await runGate('healthy build', 'examples/genui-plugin', 'demo-healthy')
}
const regressed = await runGate('regressed build', 'examples/genui-plugin-regressed', 'demo-regressed')
await model.close()

const seconds = Math.round((Date.now() - started) / 1000)
const asExpected = healthy === 0 && regressed === 1
const verdict = asExpected ? 'As it should be' : 'NOT as it should be'
console.log(`\n${verdict}: the healthy build exits ${healthy} (0 = pass), the regressed build ${regressed} (1 = regression); ${seconds} s.`)
process.exitCode = asExpected ? 0 : 1

async function runGate(title: string, plugin: string, name: string): Promise<number | null> {
  console.log(`\n=== ${title}: ${plugin} (scripted model)\n`)
  const code = await runCommand(['run', '--fresh', '--baseline-file', baseline, ...settings(plugin, name)])
  const comment = join(folder, name, 'comment.md')
  if (!existsSync(comment)) return code
  console.log(`\n--- The pull request comment (${comment})\n\n${foldDetails(readFileSync(comment, 'utf8'))}`)
  console.log(`--- The report, to open in a browser: ${join(folder, name, 'report.html')}`)
  return code
}

function settings(plugin: string, name: string): string[] {
  const options = {
    plugin,
    agent: 'builtin',
    model: 'scripted',
    'base-url': model.url,
    'scripted-model': 'true',
    concurrency: '4',
    'output-folder': join('.genui-eval', name),
  }
  return Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
}

function runCommand(args: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('close', resolve)
  })
}

function fingerprintDifferences(name: string): string[] {
  const file = join(folder, name, 'results.json')
  if (!existsSync(file)) return []
  const results: { fingerprint_differences: string[] } = JSON.parse(readFileSync(file, 'utf8'))
  return results.fingerprint_differences
}

/** What GitHub folds is folded here too: of a details block only the summary line stays. Inner blocks go first. */
function foldDetails(markdown: string): string {
  const innermost = /<details[^>]*>\s*<summary>(.*?)<\/summary>(?:(?!<details)[\s\S])*?<\/details>/
  let folded = markdown
  while (innermost.test(folded)) folded = folded.replace(innermost, (_, summary: string) => `▸ ${summary.replaceAll(/<[^>]+>/g, '')}`)
  return folded
}
