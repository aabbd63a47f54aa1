import { cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ModelSettings } from '../model/agent.ts'

export interface HermesHomeOptions {
  readonly folder: string
  readonly pluginFolder: string
  readonly pluginName: string
  readonly model: ModelSettings
  readonly baseUrl: string
  /** Leaves Hermes' own tool search on. */
  readonly asShipped: boolean
}

/** Makes a fresh `HERMES_HOME`: the plugin installed and enabled, and everything off that asks the model on the side. */
export async function makeHermesHome(options: HermesHomeOptions): Promise<void> {
  const target = join(options.folder, 'plugins', options.pluginName)
  await mkdir(join(options.folder, 'skills'), { recursive: true })
  await cp(options.pluginFolder, target, {
    recursive: true,
    filter: (source) => !['__pycache__', '.git', '.venv', 'node_modules'].includes(basename(source)),
  })
  await writeFile(join(options.folder, '.no-bundled-skills'), '')
  // JSON is YAML.
  await writeFile(join(options.folder, 'config.yaml'), JSON.stringify(hermesConfig(options), null, 1))
}

function hermesConfig({ pluginName, model, baseUrl, asShipped }: HermesHomeOptions): Readonly<Record<string, unknown>> {
  return {
    plugins: { enabled: [pluginName], entries: { [pluginName]: { allow_tool_override: true } } },
    // A context length in the config keeps Hermes from asking the network for one.
    model: { provider: 'custom', default: model.name, base_url: baseUrl, context_length: 200_000 },
    ...(asShipped ? {} : { tools: { tool_search: { enabled: 'off' } } }),
    compression: { enabled: false },
    auxiliary: { title_generation: { enabled: false } },
    approvals: { mode: 'off' },
    memory: { memory_enabled: false, user_profile_enabled: false, nudge_interval: 0 },
    skills: { creation_nudge_interval: 0 },
    agent: { api_max_retries: 1, environment_probe: false, intent_ack_continuation: false, coding_context: 'off' },
    security: { allow_lazy_installs: false },
    checkpoints: { enabled: false },
  }
}

/** Environment that Hermes needs beside the allow-listed one. */
export function hermesEnvironment(home: string): Readonly<Record<string, string>> {
  return {
    HERMES_HOME: home,
    HERMES_TIMEZONE: 'UTC',
    HERMES_YOLO_MODE: '1',
    HERMES_ACCEPT_HOOKS: '1',
    HERMES_SESSION_SOURCE: 'eval',
    HERMES_ENABLE_PROJECT_PLUGINS: '0',
    HERMES_SAFE_MODE: '0',
    TERMINAL_ENV: 'local',
    PYTHONNOUSERSITE: '1',
    NO_COLOR: '1',
  }
}
