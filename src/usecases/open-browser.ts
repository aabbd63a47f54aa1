import { delimiter } from 'node:path'
import type { NetworkPolicy, Webview } from '../model/config.ts'
import { openBrowserEngine, type BrowserEngine } from '../outcome/engine.ts'

export interface BrowserChoice {
  /** Null = CHROME_BIN, else one is looked for. */
  readonly browser_path: string | null
  readonly network: NetworkPolicy
  readonly webview: Webview
}

/** The browser of a command or run, found as the environment says. Throws as openBrowserEngine does. */
export function openBrowser(choice: BrowserChoice, log?: (line: string) => void): Promise<BrowserEngine> {
  return openBrowserEngine({
    executablePath: choice.browser_path,
    chromeBin: process.env['CHROME_BIN'] ?? null,
    commandFolders: (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    network: choice.network,
    webview: choice.webview,
    ...(log === undefined ? {} : { log }),
  })
}
