import type { Command } from 'commander'
import type { RawInputs } from '../model/inputs.ts'
import { hideKeys } from '../usecases/hide-keys.ts'
import { JUDGE_OPTIONS, judgeKeyIn } from './judge-options.ts'
import { textOption } from './text-option.ts'

/** Options of `run`, named as the Action's inputs: `[name, placeholder, description]`. */
export const RUN_OPTIONS: readonly (readonly [string, string, string])[] = [
  ['plugin', 'folder', 'plugin build under test'],
  ['suite', 'name', 'regression or capability (default regression)'],
  ['tasks', 'ids', 'only these tasks, separated by commas'],
  ['tasks-folder', 'folder', "folder of task folders (default: this project's own)"],
  ['k', 'number', 'trials that must all pass; also the first trials of a task (default 3)'],
  ['max-trials', 'number', 'trials a task at most, for tasks in doubt (default 2 × k, at least 30)'],
  ['gate', 'mode', 'statistical, strict or report-only (default statistical)'],
  ['alpha', 'share', 'chance of any red on an unchanged build (default 0.05)'],
  ['golden-floor', 'share', 'pass rate below which a golden task is red whatever the baseline says (default 0.5)'],
  ['on-inconclusive', 'what', 'fail or warn (default fail)'],
  ['baseline-path', 'path', 'baseline inside the repository (default baselines/<suite>.json)'],
  ['baseline-file', 'file', 'baseline on disk, in place of the base commit'],
  ['base-ref', 'ref', 'commit or ref whose baseline counts (default: found by git)'],
  ['paired', 'flag', 'true runs the base build beside this one, trial by trial, in place of a stored baseline (default false)'],
  ['base-plugin', 'folder', 'base build of a paired run (default: the plugin folder at the base commit)'],
  ['accepted-removals', 'ids', 'tasks of the baseline that this suite may lack, separated by commas'],
  ['accepted-changes', 'ids', 'tasks whose edit is meant, separated by commas: failing them does not make the run inconclusive'],
  ['max-cost-increase', 'percent', 'red when cost rises by more, beyond chance (default: shown only)'],
  ['max-tokens-increase', 'percent', 'the same for tokens'],
  ['max-time-increase', 'percent', 'the same for time'],
  ['max-tool-calls-increase', 'percent', 'the same for tool calls'],
  ['agent', 'kind', 'hermes, builtin, command or replay (default hermes)'],
  ['agent-command', 'command', 'program of the command agent'],
  ['replay-folder', 'folder', 'run folder that the replay agent plays back'],
  ['hermes-version', 'version', 'hermes-agent to drive: a release (default 0.19.0), or the path of a checkout or an interpreter'],
  ['hermes-as-shipped', 'flag', 'true leaves Hermes as it is shipped: memory, titles, bundled skills, tool search on (default false)'],
  ['python', 'path', 'Python interpreter'],
  ['model', 'name', 'model to ask for'],
  ['base-url', 'url', 'OpenAI-compatible endpoint (default https://api.openai.com/v1)'],
  ['temperature', 'number', "0 to 2 (default: the service's own)"],
  ['max-tokens', 'number', "output tokens a call at most (default: the service's own)"],
  ['effort', 'level', 'reasoning effort as the service spells it'],
  ...JUDGE_OPTIONS,
  ['network', 'policy', 'mirror, none, or a list of hosts (default mirror)'],
  ['webview', 'kind', 'top or iframe (default top)'],
  ['webview-sandbox', 'flags', 'sandbox flags of the iframe (default allow-scripts)'],
  ['webview-csp', 'policy', 'content security policy of the iframe'],
  ['browser-path', 'path', 'browser to use (default: found)'],
  ['concurrency', 'number', 'trials at once (default 2)'],
  ['retries', 'number', 'further tries after infrastructure trouble (default 2)'],
  ['max-cost', 'dollars', 'stop starting trials when this much is spent'],
  ['max-minutes', 'minutes', 'stop starting trials after this long'],
  ['trial-seconds', 'seconds', 'limit of one trial (default 300)'],
  ['model-calls', 'number', 'model calls a trial at most (default 30)'],
  ['prices', 'json', 'US dollars per million tokens by model'],
  ['output-folder', 'folder', 'run folder; an interrupted run in it is resumed (default .genui-eval/run)'],
  ['seed', 'number', 'run seed (default 1)'],
  ['scripted-model', 'flag', 'true says in every report that the model is a scripted stand-in'],
]

/** Adds the options of a run to a command. The key is taken from the environment, never from an argument that others can see. */
export function addRunOptions(command: Command): Command {
  for (const [name, placeholder, description] of RUN_OPTIONS) command.option(`--${name} <${placeholder}>`, description)
  return command
}

/** Options as raw inputs under their own names; the key comes from GENUI_EVAL_API_KEY or OPENAI_API_KEY, and all keys are taken out of there. */
export function rawRunInputs(options: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv): RawInputs {
  const given = RUN_OPTIONS.map(([name]) => [name, textOption(options, name)] as const)
  const keys = { 'api-key': environment['GENUI_EVAL_API_KEY'] ?? environment['OPENAI_API_KEY'], ...judgeKeyIn(environment) }
  hideKeys()
  return { ...Object.fromEntries(given), ...keys }
}
