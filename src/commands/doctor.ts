import type { Command } from 'commander'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { readHermesVersion } from '../model/config.ts'
import { EXIT, type ExitCode } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { readJudgeChoice } from '../model/judge-choice.ts'
import { ownExamplePlugin } from '../own-tasks-folder.ts'
import { examine, type DoctorOptions } from '../usecases/doctor.ts'
import type { Finding } from '../usecases/finding.ts'
import { conclude, printJson } from './conclude.ts'
import { rawRunInputs } from './run-options.ts'
import { textOption } from './text-option.ts'

const OPTIONS: readonly (readonly [string, string, string])[] = [
  ['plugin', 'folder', 'plugin build to load'],
  ['agent-command', 'command', 'adapter to hold against the agent protocol (with --plugin, or the example plugin)'],
  ['python', 'path', 'Python interpreter'],
  ['hermes-version', 'version', 'hermes-agent to look for: a release (default 0.19.0), or the path of a checkout or an interpreter'],
  ['base-url', 'url', 'model service to ask for its models; the key is taken from GENUI_EVAL_API_KEY or OPENAI_API_KEY'],
  ['model', 'name', 'model that the service must list'],
  ['judge', 'name', 'model that judges rubrics; its service is asked too'],
  ['judge-base-url', 'url', 'model service of the judge (default: base-url); the key is taken from GENUI_EVAL_JUDGE_API_KEY'],
  ['browser-path', 'path', 'browser to use (default: found)'],
  ['output-folder', 'folder', 'run folder that must be writable (default .genui-eval/run)'],
]

/** `doctor`: what a run needs, what is there, what to do. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('check what a run needs: Node, git, Python, browser and its walls, fonts, Hermes, plugin, model service, agent adapter')
    .option('--json', 'print one JSON document')
  for (const [name, placeholder, description] of OPTIONS) command.option(`--${name} <${placeholder}>`, description)
  command.action((options: { json?: true }) => conclude(() => doctor(options)))
}

async function doctor(options: { readonly json?: true }): Promise<ExitCode> {
  const show = options.json === true ? () => undefined : (finding: Finding) => process.stdout.write(`${describe(finding)}\n`)
  const findings = await examine({ ...readOptions({ ...options }), onFinding: show })
  const failed = findings.filter((finding) => finding.status === 'failed')
  if (options.json === true) printJson({ schema: 'genui-eval/doctor@1', healthy: failed.length === 0, findings })
  else process.stdout.write(`\n${conclusion(failed)}\n`)
  return failed.length === 0 ? EXIT.pass : EXIT.usage
}

function conclusion(failed: readonly Finding[]): string {
  if (failed.length === 0) return 'All that was looked at is well.'
  return `To be mended: ${[...new Set(failed.map(({ name }) => name))].join(', ')}.`
}

function readOptions(options: Readonly<Record<string, unknown>>): Omit<DoctorOptions, 'onFinding'> {
  const raw = Object.fromEntries(OPTIONS.map(([name]) => [name, textOption(options, name)]))
  const { 'api-key': key, 'judge-api-key': judgeKey } = rawRunInputs({}, process.env)
  return readInputs({ ...raw, 'api-key': key, 'judge-api-key': judgeKey }, (read) => {
    const plugin = read.optional('plugin')
    const apiKey = read.optional('api-key')
    const service = { base_url: read.url('base-url', 'https://api.openai.com/v1'), api_key: apiKey }
    const asked = read.optional('base-url') !== null || apiKey !== null
    return {
      working_folder: process.cwd(),
      plugin_folder: plugin === null ? null : resolve(plugin),
      example_plugin: ownExamplePlugin(),
      agent_command: read.optional('agent-command'),
      python: read.optional('python'),
      hermes_version: readHermesVersion(read, (path) => resolve(path)),
      base_url: asked ? service.base_url : null,
      model: read.optional('model'),
      api_key: apiKey,
      judge: readJudgeChoice(read, service, (path) => resolve(path)),
      browser_path: read.optional('browser-path'),
      output_folder: resolve(read.text('output-folder', '.genui-eval/run')),
    }
  })
}

const SIGN = { ok: pc.green('✔'), warning: pc.yellow('!'), failed: pc.red('✘'), skipped: pc.dim('–') } as const
const NAME_WIDTH = 18

function describe({ name, status, detail, advice }: Finding): string {
  const line = `${SIGN[status]} ${name.padEnd(NAME_WIDTH)} ${detail}`
  return advice === null ? line : `${line}\n${' '.repeat(NAME_WIDTH + 3)}${pc.cyan('→')} ${advice}`
}
