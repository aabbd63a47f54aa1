import type { Command } from 'commander'
import { EXIT } from '../model/errors.ts'
import { readInputs } from '../model/inputs.ts'
import { initProject } from '../usecases/init-project.ts'
import { conclude, printJson } from './conclude.ts'
import { textOption } from './text-option.ts'

const OPTIONS: readonly (readonly [string, string, string])[] = [
  ['plugin', 'folder', 'folder that holds plugin.yaml (default: found)'],
  ['model', 'name', 'model under the agent (default gpt-5.1-mini)'],
  ['base-url', 'url', "OpenAI-compatible endpoint (default: the Action's own)"],
  ['action', 'address', 'the Action as OWNER/REPOSITORY@REF (default: org/genui-eval-action@v1, to be replaced)'],
  ['secret', 'name', 'repository secret that holds the key (default OPENAI_API_KEY)'],
]

/** `init`: the workflows for a plugin's repository. */
export function addInitCommand(program: Command): void {
  const command = program
    .command('init')
    .description("write .github/workflows/genui-eval.yml and genui-eval-baseline.yml for this plugin's repository")
    .option('--force', 'replace the workflows that are there')
    .option('--json', 'print one JSON document')
  for (const [name, placeholder, description] of OPTIONS) command.option(`--${name} <${placeholder}>`, description)
  command.action((options: { force?: true; json?: true }) =>
    conclude(async () => {
      const made = await initProject({ ...readOptions({ ...options }), folder: process.cwd(), force: options.force === true })
      if (options.json === true) printJson({ schema: 'genui-eval/init@1', ...made })
      else {
        const steps = made.next_steps.map((step, index) => `  ${index + 1}. ${step}`)
        process.stdout.write(
          `${[...made.written.map((file) => `wrote ${file}`), `plugin: ${made.plugin}`, '', 'Next:', ...steps].join('\n')}\n`,
        )
      }
      return EXIT.pass
    }),
  )
}

function readOptions(options: Readonly<Record<string, unknown>>) {
  const raw = Object.fromEntries(OPTIONS.map(([name]) => [name, textOption(options, name)]))
  return readInputs(raw, (read) => {
    const secret = read.text('secret', 'OPENAI_API_KEY')
    if (!/^[A-Za-z_]\w*$/.test(secret)) read.problem('secret', `must be a name of letters, digits and underscores; it is "${secret}"`)
    const model = read.text('model', 'gpt-5.1-mini')
    if (/[\n\r]|\$\{\{/.test(model)) read.problem('model', 'must be the name of a model on one line')
    const action = read.optional('action')
    if (action !== null && !/^[\w.-]+\/[\w./-]+@[\w./-]+$/.test(action))
      read.problem('action', `must be an address such as my-team/genui-eval-action@v1; it is "${action}"`)
    return {
      action,
      plugin: read.optional('plugin'),
      model,
      base_url: read.optional('base-url') === null ? null : read.url('base-url', ''),
      secret,
    }
  })
}
