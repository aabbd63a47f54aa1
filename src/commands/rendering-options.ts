import type { Command } from 'commander'
import { readNetworkPolicy, readWebviewChoice } from '../model/config.ts'
import { readInputs } from '../model/inputs.ts'
import type { RenderingOptions } from '../usecases/grade-files.ts'
import { textOption } from './text-option.ts'

const NAMES = ['browser-path', 'network', 'webview', 'webview-sandbox', 'webview-csp', 'concurrency'] as const

/** Options of commands that render micro-apps without making a run. */
export function addRenderingOptions(command: Command): Command {
  return command
    .option('--browser-path <path>', 'browser to use (default: found)')
    .option('--network <policy>', 'mirror, none, or a list of hosts (default mirror)')
    .option('--webview <kind>', 'top or iframe (default top)')
    .option('--webview-sandbox <flags>', 'sandbox flags of the iframe (default allow-scripts)')
    .option('--webview-csp <policy>', 'content security policy of the iframe')
    .option('--concurrency <number>', 'pages at once (default 4)')
}

/** Throws UserError with every bad option at once. */
export function readRenderingOptions(options: Readonly<Record<string, unknown>>): RenderingOptions {
  const raw = Object.fromEntries(NAMES.map((name) => [name, textOption(options, name)]))
  return readInputs(raw, (read) => ({
    browser_path: read.optional('browser-path'),
    network: readNetworkPolicy(read),
    webview: readWebviewChoice(read),
    concurrency: read.integer('concurrency', { min: 1, max: 64, fallback: 4 }),
  }))
}
