import { relative } from 'node:path'
import type { RunConfig } from '../model/config.ts'
import { defaultMaxTrials } from '../model/verdict.ts'

/** One command that repeats the run on a developer's machine, from the folder `from`; the key stays in the environment. */
export function repeatCommand(config: RunConfig, from?: string): string {
  const parts: (readonly [string, string | null])[] = [
    ['plugin', shortPath(config.plugin_folder, from)],
    ['suite', config.suite === 'regression' ? null : config.suite],
    ['tasks', config.task_ids?.join(',') ?? null],
    ['k', config.gate.k === 3 ? null : String(config.gate.k)],
    ['max-trials', config.gate.max_trials === defaultMaxTrials(config.gate.k) ? null : String(config.gate.max_trials)],
    ['baseline-file', config.baseline_file === null ? null : shortPath(config.baseline_file, from)],
    ['agent', config.agent.kind === 'hermes' ? null : config.agent.kind],
    ['hermes-version', config.agent.kind === 'hermes' && config.agent.version !== '0.19.0' ? shortened(config.agent.version, from) : null],
    ['agent-command', config.agent.kind === 'command' ? config.agent.command : null],
    ['replay-folder', config.agent.kind === 'replay' ? shortPath(config.agent.run_folder, from) : null],
    ['model', config.model.name],
    ['base-url', config.base_url === 'https://api.openai.com/v1' ? null : config.base_url],
    ['temperature', config.model.temperature === null ? null : String(config.model.temperature)],
    ['effort', config.model.effort],
    ...judgeParts(config, from),
    ['paired', config.paired ? 'true' : null],
    ['base-plugin', config.base_plugin_folder === null ? null : shortPath(config.base_plugin_folder, from)],
    ['scripted-model', config.scripted_model ? 'true' : null],
    ['seed', config.seed === 1 ? null : String(config.seed)],
  ]
  const flags = parts.flatMap(([name, value]) => (value === null ? [] : [`--${name} ${shellWord(value)}`]))
  return ['npx genui-eval run', ...flags].join(' ')
}

/** What a run must say to have its rubrics judged the same way; the cache is left out, it changes no verdict. */
function judgeParts({ judge, base_url: baseUrl }: RunConfig, from?: string): (readonly [string, string | null])[] {
  if (judge.kind === 'off') return []
  const { model, votes, screenshots, token_budget: budget } = judge.settings
  return [
    ['judge', model.name],
    ['judge-base-url', judge.base_url === baseUrl ? null : judge.base_url],
    ['judge-votes', votes === 1 ? null : String(votes)],
    ['judge-screenshots', screenshots ? 'true' : null],
    ['judge-token-budget', budget === 30_000 ? null : String(budget)],
    ['judge-temperature', model.temperature === 0 ? null : String(model.temperature ?? 'default')],
    ['judge-after-failure', judge.after_failure ? 'true' : null],
    ['judge-max-calls', judge.max_calls === null ? null : String(judge.max_calls)],
    ['judge-health', judge.health_file === null ? null : shortPath(judge.health_file, from)],
  ]
}

/** A path has a slash in it, and keeps one, so that it is told from a release. */
function shortened(version: string, from?: string): string {
  if (!/[/\\]/.test(version)) return version
  const short = shortPath(version, from)
  return /[/\\]/.test(short) ? short : `./${short}`
}

/** A path as a reader of the folder `from` (the working directory unless told) would write it. */
export function shortPath(path: string, from: string = process.cwd()): string {
  const short = relative(from, path)
  return short === '' ? '.' : short.startsWith('..') ? path : short
}

/** Text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
